// Requests completions after an `@` from the host.
import type { Completion, CompletionKind } from '../../../../extension/protocol/composer-messages.ts';
import type { Panel } from '../../../state/panel.ts';
import type { IconName } from '../../../ui/icons.tsx';

const icons: Readonly<Record<CompletionKind, IconName>> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol',
  problems: 'warning',
  selection: 'selection',
  terminal: 'terminal',
  git: 'git',
};

export function iconOfCompletion({ kind }: Completion): IconName {
  return icons[kind];
}

export interface MentionSource {
  /** Calls `receive` with the answer, unless another question was asked meanwhile. */
  ask(query: string, receive: (items: readonly Completion[]) => void): void;
  /** Ignores pending answers. */
  forget(): void;
}

export function createMentionSource(panel: Pick<Panel, 'post' | 'listen'>): MentionSource {
  let request = 0;
  let waiting: ((items: readonly Completion[]) => void) | undefined;
  panel.listen((message) => {
    if (message.type === 'completion/items' && message.request === request) waiting?.(message.items);
  });
  return {
    ask(query, receive) {
      request += 1;
      waiting = receive;
      panel.post({ type: 'completion/get', request, query: query.slice(0, LONGEST_QUERY) });
    },
    forget() {
      waiting = undefined;
    },
  };
}

/** The most characters that the host accepts. */
const LONGEST_QUERY = 1_000;
