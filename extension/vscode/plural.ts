import * as vscode from 'vscode';

/** The sentence for this number in the user's language; `one` and `many` hold the number as {0}. */
export function plural(count: number, one: string, many: string): string {
  return vscode.l10n.t(count === 1 ? one : many, count);
}
