import type { Clock } from '../../ports/clock.ts';
import type { Entry } from '../entry.ts';
import { entersLog, pauses } from './pace.ts';

/** Whoever looks on does not want to see the rest. */
export class PlaybackStopped extends Error {}

/** A pause that a person would not sit through, in milliseconds. */
const LONGEST_PAUSE = 3_000;

export interface PlaybackSpeed {
  /** So many times as fast as it was. */
  readonly speed: number;
  /** Pauses of more than 3 seconds are shortened to that. */
  readonly isShortened?: boolean;
}

/** How a playback begins. */
export interface PlaybackStart extends PlaybackSpeed {
  /** Each event is asked for. */
  readonly isPaused?: boolean;
}

/** How fast a session is played back, which whoever looks on may change at any time. */
export class SteeredPace {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #pauseBefore = pauses();
  #speed: PlaybackSpeed;
  #isPaused: boolean;
  #isStopped = false;
  /** Events that are still let through while it is paused. */
  #steps = 0;
  /** The last of them is in the log, and what follows it before the next one is let through. */
  #isInStep = false;
  #waking = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, { isPaused = false, ...speed }: PlaybackStart) {
    this.#clock = clock;
    this.#speed = speed;
    this.#isPaused = isPaused;
  }

  get speed(): PlaybackSpeed {
    return this.#speed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** A `Pace`. Rejects with `PlaybackStopped`. */
  readonly before = async (entry: Entry): Promise<void> => {
    const { speed, isShortened } = this.#speed;
    const pause = this.#pauseBefore(entry);
    const ms = (isShortened ? Math.min(pause, LONGEST_PAUSE) : pause) / speed;
    if (!this.#isPaused && ms >= 1) await this.#clock.sleep(ms, this.#waking.signal);
    while (!this.#isStopped && !this.#passes(entry)) await this.#woken();
    if (this.#isStopped) throw new PlaybackStopped();
  };

  pause(): void {
    this.#go({ isPaused: true });
  }

  /** Not stepwise, and from now on so many times as fast as it was. */
  play(speed: PlaybackSpeed = this.#speed): void {
    this.#speed = speed;
    this.#go({ isPaused: false });
  }

  /** The next event alone; pauses what is playing. */
  step(): void {
    if (!this.#isPaused) this.pause();
    this.#steps += 1;
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  #go({ isPaused }: { isPaused: boolean }): void {
    this.#isPaused = isPaused;
    this.#steps = 0;
    this.#isInStep = false;
    this.#wake();
  }

  /** A step is what enters the log, and all that comes before the next. */
  #passes(entry: Entry): boolean {
    if (!this.#isPaused) return true;
    if (!entersLog(entry)) return this.#isInStep || this.#steps > 0;
    this.#isInStep = this.#steps > 0;
    if (this.#isInStep) this.#steps -= 1;
    return this.#isInStep;
  }

  #wake(): void {
    this.#waking.abort();
    this.#waking = new AbortController();
  }

  #woken(): Promise<void> {
    const { signal } = this.#waking;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
  }
}
