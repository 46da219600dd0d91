import * as vscode from 'vscode';
import { type ModelError, type ModelErrorKind, ModelFailure } from '../../core/ports/model.ts';
import { isRetryable, kindOf } from '../../core/providers/wire/error-kind.ts';
import { quote, tooLong } from '../../core/providers/wire/error-message.ts';
import { say } from '../../protocol/say.ts';

const { NoPermissions, Blocked, NotFound } = vscode.LanguageModelError;

/** Keyed by the `code` of a `LanguageModelError`, which is the name of the function that creates it. */
const KINDS = new Map<string, ModelErrorKind>([
  [NoPermissions.name, 'permission'],
  [Blocked.name, 'rate_limit'],
  [NotFound.name, 'not_found'],
]);

/** Converts the failure of a VS Code model into an error for the loop and the user. */
export function chatModelErrorOf(error: unknown, model: string): ModelError {
  if (error instanceof ModelFailure) return error.error;
  const text = wordsOf(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const kind = KINDS.get(code) ?? kindOf(undefined, { text });
  // A blocked user stays blocked until the quota renews.
  const retryable = isRetryable(kind) && code !== Blocked.name;
  return { kind, message: sentenceOf(kind, model, text), retryable };
}

/** The model's own message, which VS Code passes on as the cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function sentenceOf(kind: ModelErrorKind, model: string, text: string): string {
  const words = quote(text);
  switch (kind) {
    case 'permission':
      return say(
        'VS Code does not let Harness use “{0}”{1}. Allow it when VS Code asks, or choose another model with “Harness: Select Model”.',
        model,
        words,
      );
    case 'rate_limit':
      return say(
        '“{0}” does not accept requests now{1}. Wait, or choose another model with “Harness: Select Model”.',
        model,
        words,
      );
    case 'not_found':
      return notOffered(model);
    case 'context_overflow':
      return tooLong(model, text);
    default:
      return say('“{0}” failed{1}. VS Code provides no further details.', model, words);
  }
}

/** The message if no extension currently offers this model. */
export function notOffered(model: string): string {
  return say(
    'VS Code does not offer the model “{0}” now. Sign in to the extension that provides it, or choose another model with “Harness: Select Model”.',
    model,
  );
}
