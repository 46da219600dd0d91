import type { QuickPick, QuickPickItem } from 'vscode';

/**
 * The item that the user chose with Enter or a click; undefined if no item matches the typed text. VS Code
 * keeps an item selected that an extension made active, even when the typed text has hidden it.
 */
export function chosenItem<Item extends QuickPickItem>(pick: QuickPick<Item>): Item | undefined {
  return pick.value === '' ? pick.selectedItems[0] : pick.activeItems[0];
}
