// Completes the `@…` or `/…` at the caret.
import type { Completion } from '../../../../extension/protocol/composer-messages.ts';
import { type Token, tokenAt, writeMention } from '../../../../extension/protocol/mention-text.ts';
import { strings } from '../../../l10n/strings.ts';
import { insertText } from '../input/text-input.ts';
import { commandChoices, type SlashCommand } from './commands.ts';
import { iconOfCompletion, type MentionSource } from './mentions.ts';
import type { Popup, PopupChoice } from './popup.ts';

export interface TokenCompletion {
  /** Call when the text or the caret has changed. `isTyped`: only typing opens the popup. */
  follow(isTyped: boolean): void;
  close(): void;
  /** Closes the popup until the user types another token. */
  dismiss(): void;
}

export function createTokenCompletion(
  input: HTMLTextAreaElement,
  popup: Popup,
  source: MentionSource,
  run: (name: SlashCommand) => void,
): TokenCompletion {
  let dismissed: number | undefined;
  /** The last query. The same query is not sent again. */
  let asked = '';

  const close = () => {
    asked = '';
    source.forget();
    popup.hide();
  };
  const replace = (token: Token, text: string) => {
    input.setSelectionRange(token.start, token.end);
    insertText(input, text);
  };
  const currentToken = () =>
    input.selectionStart === input.selectionEnd ? tokenAt(input.value, input.selectionStart) : undefined;
  /** Ensures a space after it. */
  const finish = (text: string) => {
    const token = currentToken();
    if (!token) return close();
    const isSpaced = /^\s/.test(input.value.slice(token.end));
    replace(token, isSpaced ? text : `${text} `);
    close();
  };
  const descend = (folder: string) => {
    const token = currentToken();
    if (token) replace(token, writeMention(folder).replace(/"$/, ''));
  };
  const choiceOf = (item: Completion): PopupChoice => ({
    icon: iconOfCompletion(item),
    label: item.label,
    detail: item.detail,
    take: () => finish(writeMention(item.name)),
    ...(item.kind === 'folder' && { complete: () => descend(item.name) }),
  });
  const showCommands = (query: string) => {
    const choices = commandChoices(query, run, (name) => finish(`/${name}`));
    if (choices.length > 0) popup.show(strings.commandList, choices);
    else close();
  };
  const showMentions = (query: string) => {
    source.ask(query, (items) => {
      if (items.length > 0) popup.show(strings.mentionList, items.map(choiceOf));
      else popup.hide();
    });
  };

  return {
    close,
    dismiss() {
      dismissed = currentToken()?.start;
      close();
    },
    follow(isTyped) {
      const token = currentToken();
      if (token?.start !== dismissed) dismissed = undefined;
      if (!token || dismissed !== undefined) return close();
      const question = `${token.kind} ${token.query}`;
      if (question === asked || (asked === '' && !isTyped)) return;
      asked = question;
      if (token.kind === 'command') showCommands(token.query);
      else showMentions(token.query);
    },
  };
}
