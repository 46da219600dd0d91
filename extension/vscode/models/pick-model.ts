import * as vscode from 'vscode';
import { chosenItem } from '../base/chosen-item.ts';
import { errorMessage } from '../base/localize.ts';
import {
  type ArrivedList,
  type ModelItem,
  type ModelList,
  modelItems,
  type ShownModels,
} from './model-items.ts';

/** A local server may not run, and a remote one may be slow. */
const PATIENCE_MS = 20_000;

export interface ModelChoices extends Omit<ShownModels, 'arrived'> {
  lists(signal: AbortSignal): Promise<readonly ModelList[]>;
  /** The model for a typed name. Throws `SetupError`. */
  resolve(text: string): string;
}

/**
 * Lets the user choose among the models that the providers list now. Shows each provider's models as soon as
 * they arrive. Resolves with undefined if the user closes the list.
 */
export async function pickModel(choices: ModelChoices): Promise<string | undefined> {
  const picker = new ModelPicker(choices);
  try {
    return await picker.show();
  } finally {
    picker.dispose();
  }
}

class ModelPicker {
  readonly #pick = vscode.window.createQuickPick<ModelItem>();
  readonly #closed = new AbortController();
  readonly #choices: ModelChoices;
  #arrived: readonly ArrivedList[] = [];
  /** The user pressed Enter on a text that no loaded list matches, while other lists are still loading. */
  #acceptsLater = false;

  constructor(choices: ModelChoices) {
    this.#choices = choices;
    this.#pick.title = vscode.l10n.t('Select Model');
    this.#pick.placeholder = vscode.l10n.t(
      'Current: {0}. Select another model or type its name',
      choices.current,
    );
    this.#pick.matchOnDescription = true;
    this.#pick.keepScrollPosition = true;
    this.#render();
  }

  show(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#pick.onDidHide(() => resolve(undefined));
      this.#pick.onDidChangeValue(() => {
        this.#acceptsLater = false;
        this.#renderOwnRow();
      });
      this.#pick.onDidAccept(() => this.#accept(resolve));
      this.#pick.show();
      void this.#fill(resolve);
    });
  }

  dispose(): void {
    this.#closed.abort();
    this.#pick.dispose();
  }

  #accept(resolve: (reference: string) => void): void {
    const item = this.#chosen();
    if (item?.command) void vscode.commands.executeCommand(item.command);
    else if (item?.reference) resolve(item.reference);
    else if (!item && this.#pick.busy) this.#acceptsLater = true;
    else if (!item) this.#acceptTyped(resolve);
  }

  /**
   * The active row if it matches the typed text; else the first matching row. While a list loads, VS Code may
   * report a row by its index in the previous list, or none.
   */
  #chosen(): ModelItem | undefined {
    const text = this.#pick.value.trim();
    const chosen = chosenItem(this.#pick);
    const named = this.#modelItems().find((item) => item.reference && item.description === text);
    // An alias's row has the full name as its description. A user who types the full name means the model
    // itself.
    if (text !== '' && named) return { ...named, reference: text };
    if (text === '' || (chosen && matches(chosen, text))) return chosen;
    const match = this.#modelItems().find((item) => item.reference && matches(item, text));
    return match ?? (chosen && isOwnRow(chosen) ? this.#ownRow() : chosen);
  }

  #acceptTyped(resolve: (reference: string) => void): void {
    try {
      resolve(this.#choices.resolve(this.#pick.value));
    } catch (error) {
      void vscode.window.showWarningMessage(errorMessage(error));
    }
  }

  async #fill(resolve: (reference: string) => void): Promise<void> {
    this.#pick.busy = true;
    const patience = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const lists = await this.#choices.lists(patience);
    const arrived = new Map<ModelList, ArrivedList>();
    const take = (list: ModelList, rest: Omit<ArrivedList, 'entry'>) => {
      arrived.set(list, { entry: list.entry, ...rest });
      this.#arrived = lists.flatMap((each) => arrived.get(each) ?? []);
      this.#render();
    };
    await Promise.all(
      lists.map((list) =>
        list.models.then(
          (models) => take(list, { models }),
          (error: unknown) => take(list, { models: [], error }),
        ),
      ),
    );
    if (this.#closed.signal.aborted) return;
    this.#pick.busy = false;
    this.#renderOwnRow();
    if (this.#acceptsLater) this.#accept(resolve);
  }

  #renderOwnRow(): void {
    const shown = this.#pick.items.find(isOwnRow);
    if (shown?.label !== this.#ownRow()?.label) this.#render();
  }

  #render(): void {
    if (this.#closed.signal.aborted) return;
    const [active] = this.#pick.activeItems;
    const ownRow = this.#ownRow();
    this.#pick.items = [...this.#modelItems(), ...(ownRow ? [ownRow] : [])];
    const again = this.#pick.items.find((item) => item.reference && item.reference === active?.reference);
    // An empty array would leave no row active, even if one matches.
    if (again) this.#pick.activeItems = [again];
  }

  #modelItems(): ModelItem[] {
    return modelItems({ ...this.#choices, arrived: this.#arrived });
  }

  /** The row for a name that no provider lists; shown after all providers have answered. */
  #ownRow(): ModelItem | undefined {
    const text = this.#pick.value.trim();
    if (this.#pick.busy || text === '' || this.#modelItems().some((item) => matches(item, text)))
      return undefined;
    try {
      const reference = this.#choices.resolve(text);
      return { label: vscode.l10n.t('Use {0}', text), alwaysShow: true, reference };
    } catch {
      // The name is not a model. Pressing Enter reports why.
      return undefined;
    }
  }
}

const isOwnRow = ({ alwaysShow }: ModelItem) => alwaysShow === true;

function matches({ label, description = '' }: ModelItem, text: string): boolean {
  return [label, description].some((part) => part.toLowerCase().includes(text.toLowerCase()));
}
