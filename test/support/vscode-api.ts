/** What files of ours that are tested without VS Code use of its API: sentences, in English. */
export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]) =>
    message.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
