// The commands that a `/` at the beginning of the input offers.

import { strings } from '../../../l10n/strings.ts';
import type { Panel } from '../../../state/panel.ts';
import type { PopupChoice } from './popup.ts';

export type SlashCommand = keyof typeof strings.commands;

// The keys of a complete record of all commands.
const names = Object.keys(strings.commands) as SlashCommand[];

/** Commands that begin with `query`, then those that contain it. */
export function commandChoices(
  query: string,
  run: (name: SlashCommand) => void,
  write: (name: SlashCommand) => void,
): PopupChoice[] {
  const beginning = names.filter((name) => name.startsWith(query));
  const holding = names.filter((name) => !name.startsWith(query) && name.includes(query));
  return [...beginning, ...holding].map((name) => ({
    icon: 'command',
    label: `/${name}`,
    detail: strings.commands[name],
    take: () => run(name),
    complete: () => write(name),
  }));
}

/** The command if `text` consists of one. Only the model command takes an argument. */
export function commandIn(text: string): { name: SlashCommand; argument?: string | undefined } | undefined {
  const [, word, argument] = /^\/([a-z]+)(?:\s+(\S+))?$/.exec(text.trim()) ?? [];
  const name = names.find((known) => known === word && (!argument || known === 'model'));
  return name && { name, argument };
}

/**
 * The doubt whether `text` is meant as a prompt; empty if there is none. A path such as `/usr/lib` raises
 * none.
 */
export function doubtAbout(text: string): string {
  const [, name = '', rest = ''] = /^\/([a-z]+)(?=\s|$)(.*)$/s.exec(text.trim()) ?? [];
  if (name === '') return '';
  if (names.some((known) => known === name)) return strings.commandTakesNothing(`/${name}`);
  return rest === '' ? strings.noSuchCommand(`/${name}`) : '';
}

export function performCommand(
  name: SlashCommand,
  panel: Panel,
  openHelp: () => void,
  argument?: string,
): void {
  if (name === 'help') openHelp();
  else if (name === 'cost') panel.send({ type: 'cost/get' });
  else panel.post({ type: 'command', command: ids[name], ...(argument && { argument }) });
}

const ids = {
  new: 'harness.newSession',
  clear: 'harness.newSession',
  compact: 'harness.compact',
  model: 'harness.selectModel',
  undo: 'harness.undo',
  redo: 'harness.redo',
  export: 'harness.exportMarkdown',
  permissions: 'harness.managePermissions',
  context: 'harness.showContext',
} as const;
