import type { FrameLocator, Locator } from 'playwright-core';
import type { EventOf } from '../../../extension/protocol/events.ts';

type PartKind =
  | 'header'
  | 'user'
  | 'text'
  | 'reasoning'
  | 'tool'
  | 'permission'
  | 'plan'
  | 'error'
  | 'notice';

/** One part of the conversation, as its page says. */
export interface ShownPart {
  readonly kind: string;
  readonly id: string;
  /** Of a tool part: its name and its state. */
  readonly tool: string | undefined;
  readonly state: string | undefined;
  /** As it can be read; what is folded away is not in it. */
  readonly text: string;
}

const ANSWERS: Readonly<Record<EventOf<'permission'>['decision'], string>> = {
  allow_once: 'Allow once',
  allow_session: 'Allow in this session',
  allow_always: 'Always allow',
  deny: 'Deny',
};

/** The panel as a user meets it. Its locators stay good when the page is made anew. */
export class HarnessPanel {
  readonly #frame: () => FrameLocator;

  constructor(frame: () => FrameLocator) {
    this.#frame = frame;
  }

  get input(): Locator {
    return this.find('textarea[aria-label="Ask Harness"]');
  }

  get conversation(): Locator {
    return this.find('[role="log"][aria-label="Conversation"]');
  }

  get status(): Locator {
    return this.find('[role="status"]');
  }

  get stop(): Locator {
    return this.find('[aria-label="Stop"]');
  }

  get card(): Locator {
    return this.part('permission');
  }

  find(selector: string): Locator {
    return this.#frame().locator(selector);
  }

  button(name: string): Locator {
    return this.#frame().getByRole('button', { name, exact: true });
  }

  part(kind: PartKind): Locator {
    return this.find(`[data-part="${kind}"]`);
  }

  tool(name: string): Locator {
    return this.find(`[data-part="tool"][data-tool="${name}"]`);
  }

  /** The part of this kind that holds `text`. */
  saying(kind: PartKind, text: string | RegExp): Locator {
    return this.part(kind).filter({ hasText: text });
  }

  /** Types a prompt and sends it with Enter. */
  async ask(prompt: string): Promise<void> {
    await this.input.fill(prompt);
    await this.input.press('Enter');
  }

  /** Answers the approval that is, or will be, asked. */
  async answer(decision: EventOf<'permission'>['decision']): Promise<void> {
    const id = await this.card.getAttribute('data-part-id');
    await this.card.getByRole('button', { name: ANSWERS[decision] }).click();
    await this.find(`[data-part="permission"][data-part-id="${id}"]`).waitFor({ state: 'detached' });
  }

  /** Resolves when nothing runs. */
  async rests(): Promise<void> {
    await this.stop.waitFor({ state: 'detached' });
  }

  /** Leaves nothing of the page: no content, and nobody who hears what is posted to it. */
  async kill(): Promise<void> {
    await this.find('body').evaluate((body) => {
      const page = body.ownerDocument;
      page.open();
      page.close();
    });
  }

  /** Everything that the conversation shows, in order. */
  parts(): Promise<ShownPart[]> {
    return this.conversation.locator('[data-part]').evaluateAll((elements) =>
      elements.map((element) => ({
        kind: element.getAttribute('data-part') ?? '',
        id: element.getAttribute('data-part-id') ?? '',
        tool: element.getAttribute('data-tool') ?? undefined,
        state: element.getAttribute('data-state') ?? undefined,
        // Of a prompt what was typed, without its images and its context.
        text: (element.querySelector(':scope > p[dir]') ?? element).textContent ?? '',
      })),
    );
  }

  /** Whether the element has the keyboard's focus, in a page that has it. */
  hasFocus(element: Locator): Promise<boolean> {
    return element.evaluate(
      (node) => node.ownerDocument.hasFocus() && node.ownerDocument.activeElement === node,
    );
  }
}
