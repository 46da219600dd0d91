import type { Clock } from '../../ports/clock.ts';
import type { Entry } from '../entry.ts';
import { entersLog, pauses } from './pace.ts';

/** The user stopped the replay. */
export class PlaybackStopped extends Error {}

/** The longest pause of a shortened replay, in milliseconds. */
const LONGEST_PAUSE = 3_000;

export interface PlaybackSpeed {
  /** The factor by which the replay is faster than the recorded session. */
  readonly speed: number;
  /** Shortens pauses of more than 3 seconds to 3 seconds. */
  readonly isShortened?: boolean;
}

/** The settings with which a replay begins. */
export interface PlaybackStart extends PlaybackSpeed {
  /** The replay waits for the user before each event. */
  readonly isPaused?: boolean;
}

/** The speed of a replay. The user may change it at any time. */
export class SteeredPace {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #pauseBefore = pauses();
  #speed: PlaybackSpeed;
  #isPaused: boolean;
  #isStopped = false;
  /** The number of events that the user may still step through while the replay is paused. */
  #steps = 0;
  /** The last step is in the log. The entries that follow it may be played up to the next event. */
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

  /** A `Pace`. Rejects with `PlaybackStopped` when the user stops the replay. */
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

  /** Plays without steps, at the given speed from here on. */
  play(speed: PlaybackSpeed = this.#speed): void {
    this.#speed = speed;
    this.#go({ isPaused: false });
  }

  /** Plays only the next event. Pauses the replay if it is playing. */
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

  /** A step plays one entry that adds to the log and all entries up to the next such entry. */
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
