// What files of ours that are tested without VS Code use of its API.

/** Sentences, in English. */
export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]) =>
    message.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export interface Disposed {
  dispose(): void;
}

export class EventEmitter<Value> {
  readonly #listeners = new Set<(value: Value) => unknown>();

  readonly event = (listener: (value: Value) => unknown): Disposed => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: Value): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}

export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: readonly unknown[],
  ) {}
}

export class LanguageModelDataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}
}

export class LanguageModelChatMessage {
  constructor(
    readonly role: number,
    readonly content: readonly unknown[],
  ) {}
}

export const env = { language: 'en' };

export const workspace = { asRelativePath: (path: string) => path };

/** A test puts its own in the place of these. */
export const window = {
  createQuickPick: (): unknown => {
    throw new Error('This test has no list.');
  },
  showWarningMessage: async (_message: string): Promise<undefined> => undefined,
};
