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

/** A local server may be gone, and a far one slow. */
const PATIENCE_MS = 20_000;

export interface ModelChoices extends Omit<ShownModels, 'arrived'> {
  lists(signal: AbortSignal): Promise<readonly ModelList[]>;
  /** What somebody means who types a name. Throws `SetupError`. */
  resolve(text: string): string;
}

/** Lets the user choose among the models that the providers list now; each list is shown as soon as it has come. */
export async function pickModel(choices: ModelChoices): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ModelItem>();
  const closed = new AbortController();
  pick.title = vscode.l10n.t('Select Model');
  pick.placeholder = vscode.l10n.t('Now: {0}. Choose another, or type its name', choices.current);
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  pick.items = modelItems({ ...choices, arrived: [] });
  try {
    const picked = until(pick, choices);
    pick.show();
    void fill(pick, choices, closed.signal);
    return await picked;
  } finally {
    closed.abort();
    pick.dispose();
  }
}

/** What is chosen; undefined where the list was closed. */
function until(pick: vscode.QuickPick<ModelItem>, choices: ModelChoices): Promise<string | undefined> {
  return new Promise((resolve) => {
    pick.onDidHide(() => resolve(undefined));
    pick.onDidAccept(() => {
      const item = chosenItem(pick);
      if (item?.command) void vscode.commands.executeCommand(item.command);
      else if (item?.reference) resolve(item.reference);
      else if (!item) resolve(typed(pick.value, choices));
    });
  });
}

function typed(text: string, choices: ModelChoices): string | undefined {
  try {
    return choices.resolve(text);
  } catch (error) {
    void vscode.window.showWarningMessage(errorMessage(error));
    return undefined;
  }
}

async function fill(
  pick: vscode.QuickPick<ModelItem>,
  choices: ModelChoices,
  closed: AbortSignal,
): Promise<void> {
  pick.busy = true;
  const lists = await choices.lists(AbortSignal.any([closed, AbortSignal.timeout(PATIENCE_MS)]));
  const arrived = new Map<ModelList, ArrivedList>();
  const show = (list: ModelList, rest: Omit<ArrivedList, 'entry'>) => {
    arrived.set(list, { entry: list.entry, ...rest });
    if (closed.aborted) return;
    const [active] = pick.activeItems;
    pick.items = modelItems({ ...choices, arrived: lists.flatMap((each) => arrived.get(each) ?? []) });
    pick.activeItems = pick.items
      .filter((item) => active?.reference && item.reference === active.reference)
      .slice(0, 1);
  };
  await Promise.all(
    lists.map((list) =>
      list.models.then(
        (models) => show(list, { models }),
        (error: unknown) => show(list, { models: [], error }),
      ),
    ),
  );
  if (!closed.aborted) pick.busy = false;
}
