import type { Panel } from '../../state/panel.ts';
import { visibleText } from '../../text/plain-text.ts';
import type { Reveal } from '../scrolling/reveal.ts';
import type { Follow } from '../scrolling/stick-to-end.ts';

interface Surroundings {
  readonly panel: Panel;
  readonly follow: Follow;
  readonly reveal: Reveal;
  readonly scroller: HTMLElement;
}

/** CSS px by which a section that begins at the upper edge may be off. */
const NEAR = 4;
/** Milliseconds after which a step counts as lost. */
const PATIENCE = 1_000;

/** Steps from prompt to prompt, whose places the host knows. After the last one comes the end. */
export function createPromptSteps({
  panel,
  follow,
  reveal,
  scroller,
}: Surroundings): (direction: -1 | 1) => void {
  /** The target of the last step. The reader is still there if the place is unchanged. */
  let last = { section: -1, top: -1 };

  /** Steps that wait for the previous one. */
  const waiting: (-1 | 1)[] = [];
  let goingSince = Number.NEGATIVE_INFINITY;

  const end = () => {
    goingSince = Number.NEGATIVE_INFINITY;
    const next = waiting.shift();
    if (next) step(next);
  };
  const goTo = (section: number) => {
    reveal.goTo(section, () => {
      sectionElement(scroller, section)?.scrollIntoView({ block: 'start' });
      last = { section, top: scroller.scrollTop };
      const prompt = promptOf(panel, section);
      if (prompt) panel.announce({ text: visibleText(prompt.content), urgent: false });
      end();
    });
  };
  const step = (direction: -1 | 1) => {
    if (performance.now() - goingSince < PATIENCE) {
      waiting.push(direction);
      return;
    }
    goingSince = performance.now();
    const isThere = last.top === scroller.scrollTop;
    const section = isThere ? last.section : (follow.reading()?.section ?? 0);
    if (direction < 0 && !isThere && beginsAbove(scroller, section) && promptOf(panel, section))
      goTo(section);
    else panel.send({ type: 'prompt/seek', section, direction });
  };
  panel.listen((message) => {
    if (message.type === 'prompt/step') step(message.direction);
    if (message.type !== 'prompt/found') return;
    if (message.place) goTo(message.place.section);
    else if (message.direction > 0) follow.resume();
    if (!message.place) end();
  });
  return step;
}

function promptOf({ store }: Panel, section: number) {
  const parts = store.view.sections[section]?.rows.flatMap((row) => row.parts);
  return parts?.find((part) => part.kind === 'user');
}

function beginsAbove(scroller: HTMLElement, section: number): boolean {
  const top = sectionElement(scroller, section)?.getBoundingClientRect().top ?? 0;
  return top < scroller.getBoundingClientRect().top - NEAR;
}

function sectionElement(scroller: HTMLElement, section: number): Element | null {
  return scroller.querySelector(`[data-section="${section}"]`);
}
