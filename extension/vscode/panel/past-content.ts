import * as vscode from 'vscode';
import type { LogAt } from '../../core/view/log-at.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import type { HostMessage, PastPoint } from '../../protocol/messages.ts';
import { describeCost, describeEvent, describeFileCount, describeTime } from '../base/describe-event.ts';
import { type TimeTravel, timelineOf } from './time-travel.ts';

/** Sends a page the past point of its panel, and the events of the section if the page lacks them. */
export class PastPage {
  readonly #send: (message: HostMessage) => void;
  /** The section that the page has, and its newest event there. */
  #sent: { readonly section: number; readonly upTo: number } | undefined;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** Call when the page starts over. */
  forget(): void {
    this.#sent = undefined;
  }

  /** `log` is the current log. A call sends nothing if `travel` has moved meanwhile. */
  async show(session: string, log: LogWindow, travel: Pick<TimeTravel, 'past'>): Promise<void> {
    const { past } = travel;
    if (!past) {
      this.forget();
      return this.#send({ type: 'past', session });
    }
    const section = log.section(past.last);
    const isHeld = this.#sent?.section === past.last && past.seq <= this.#sent.upTo;
    const events = isHeld || !section.some(({ elided }) => elided) ? section : await log.whole(section);
    if (travel.past !== past) return;
    if (!isHeld) this.#sent = { section: past.last, upTo: section.at(-1)?.seq ?? 0 };
    const at = { ...pointOf(log, past), ...(!isHeld && { events: [...events] }) };
    this.#send({ type: 'past', session, at });
  }
}

function pointOf(log: LogWindow, past: LogAt): PastPoint {
  const { seq, last: section, head, lastLines: lines, event } = past;
  const label = event ? describeEvent(event, past.section(section)) : '';
  return { seq, last: newestOf(log), title: pastTitleOf(log, past), label, head, section, lines };
}

/** "As it was at event 123 of 456 · 14:02 · 3 files changed · 41k tokens · $0.12" */
export function pastTitleOf(log: LogWindow, { seq, head, event }: LogAt): string {
  const files = timelineOf(log).changedAt(seq);
  const { tokens, cost } = head;
  const facts = [
    vscode.l10n.t('Viewing event {0} of {1}', seq, newestOf(log)),
    describeTime(event?.timestamp ?? 0),
    files > 0 && describeFileCount(files),
    tokens > 0 && vscode.l10n.t('{0}k tokens', Math.round(tokens / 100) / 10),
    cost !== undefined && describeCost(cost),
  ];
  return facts.filter(Boolean).join(' · ');
}

function newestOf(log: LogWindow): number {
  return log.events.at(-1)?.seq ?? 0;
}
