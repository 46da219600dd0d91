// The window's half of a list with a filter, as VS Code plays it: what is typed decides which row is in front.
import { EventEmitter } from './vscode-api.ts';

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
  readonly alwaysShow?: boolean;
}

export class QuickPickDouble<Item extends Row> {
  value = '';
  activeItems: readonly Item[] = [];
  busy = false;
  readonly #value = new EventEmitter<string>();
  readonly #accept = new EventEmitter<void>();
  readonly #hide = new EventEmitter<void>();
  readonly onDidChangeValue = this.#value.event;
  readonly onDidAccept = this.#accept.event;
  readonly onDidHide = this.#hide.event;
  #items: readonly Item[] = [];

  get items(): readonly Item[] {
    return this.#items;
  }

  /** The first row that is left is in front. */
  set items(items: readonly Item[]) {
    this.#items = items;
    this.activeItems = this.rows.slice(0, 1);
  }

  /** What the filter leaves. */
  get rows(): readonly Item[] {
    const isLeft = ({ label, description = '', alwaysShow }: Item) =>
      alwaysShow ||
      [label, description].some((text) => text.toLowerCase().includes(this.value.toLowerCase()));
    return this.#items.filter((item) => item.kind === undefined && isLeft(item));
  }

  get selectedItems(): readonly Item[] {
    return this.activeItems;
  }

  type(text: string): void {
    this.value = text;
    this.activeItems = this.rows.slice(0, 1);
    this.#value.fire(text);
  }

  enter(): void {
    this.#accept.fire();
  }

  show(): void {}

  dispose(): void {
    this.#hide.fire();
  }
}
