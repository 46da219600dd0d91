import type { QuickPick, QuickPickItem } from 'vscode';

/**
 * The row of a list that Enter or a click has chosen; undefined where no row has what was typed. VS Code counts a row
 * that an extension has put in front as selected even when what was typed since hides it.
 */
export function chosenItem<Item extends QuickPickItem>(pick: QuickPick<Item>): Item | undefined {
  return pick.value === '' ? pick.selectedItems[0] : pick.activeItems[0];
}
