// Reads an answer out block by block, each as soon as it is closed.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { type SplitText, splitWhole } from '../markdown/split-text.ts';
import { type Announcement, announcementOf, calm } from './announce.ts';
import type { Section } from './parts.ts';
import { spokenBlock } from './spoken-block.ts';

export interface Narrator {
  /** Call with each live event, after the view has applied it. */
  add(event: SessionEvent): void;
  /**
   * The announcements since the last call. `open` is the growing part. `isPast`: it had already grown before
   * it was loaded.
   */
  listen(open: Section['open'], isPast: boolean): Announcement[];
}

export function createNarrator(): Narrator {
  let waiting: Announcement[] = [];
  /** The growing answer that is being read out, and how many of its blocks have been announced. */
  let growing: { readonly text: SplitText } | undefined;
  let spoken = 0;

  const say = (said: Announcement | undefined) => {
    if (said) waiting.push(said);
  };
  const sayClosed = ({ blocks }: SplitText) => {
    for (let block = blocks[spoken]; block?.closed; block = blocks[spoken]) {
      say(calm(spokenBlock(block)));
      spoken += 1;
    }
  };
  const turnTo = (part: typeof growing, isPast = false) => {
    growing = part;
    spoken = isPast && part ? part.text.blocks.filter(({ closed }) => closed).length : 0;
  };
  const endText = (content: string) => {
    if (growing?.text.content !== content) turnTo(undefined);
    sayClosed(growing?.text ?? splitWhole(content));
    turnTo(undefined);
  };
  return {
    add(event) {
      if (event.type === 'request_started' || event.type === 'request_ended') turnTo(undefined);
      if (event.type === 'text') endText(event.content);
      else say(announcementOf(event));
    },
    listen(open, isPast) {
      if (open?.kind === 'text') {
        if (open !== growing) turnTo(open, isPast);
        sayClosed(open.text);
      }
      const said = waiting;
      waiting = [];
      return said;
    },
  };
}
