// How the panel describes the calls of each tool, one row per tool. A row contains only what differs from an
// unknown tool.
import { isToolName, type ToolName } from '../../extension/protocol/tool-names.ts';
import { strings } from '../l10n/strings.ts';
import {
  type Input,
  lineRange,
  patchedFiles,
  quoted,
  type Subject,
  searchedPlace,
  withoutWay,
} from './call-subject.ts';
import { type DiffRow, editedRows, writtenRows } from './input-diff.ts';
import { codeWord, entryWord, fileWord, matchWord, newProblemWord, problemWord } from './result-words.ts';
import type { ToolAnswer } from './tool-answer.ts';

export interface ToolView {
  /**
   * The subject of a call in one line, as the model named it. By default, its path or the first text of its
   * input.
   */
  readonly subject?: Subject;
  /**
   * The style of the subject. A path is cut at its start, because its end is the distinctive part. Code uses
   * the editor's font.
   */
  readonly shape?: 'path' | 'code';
  /** The outcome of a successful call, in a few words. */
  readonly outcome?: (answer: ToolAnswer, input: Input) => string;
  /**
   * Adjacent calls share one line with this title. `by` names the field whose distinct values are counted.
   */
  readonly group?: { readonly title: (count: number) => string; readonly by?: string };
  /**
   * The part of the input that the opened card shows, because the line does not. By default, or if it returns
   * undefined, the whole input as JSON.
   */
  readonly input?: (input: Input) => string | undefined;
  /** The change that the input describes; undefined if the tool would not accept the input. */
  readonly change?: (input: Input) => readonly DiffRow[] | undefined;
  /** The line already contains everything that a success reports. */
  readonly isWordless?: true;
}

/** For tools whose line already contains everything. */
const nothing = () => '';

const views: Readonly<Record<ToolName, ToolView>> = {
  read: {
    subject: (field, input) => [field('path'), lineRange(input)].filter(Boolean).join(' '),
    shape: 'path',
    outcome: ({ mediaType = '' }) => mediaType,
    group: { title: strings.groups.read, by: 'path' },
    input: nothing,
  },
  list_dir: {
    shape: 'path',
    outcome: ({ entries }, { depth }) => entryWord(entries, depth),
    group: { title: strings.groups.list_dir, by: 'path' },
    input: nothing,
  },
  grep: {
    shape: 'code',
    subject: (field, { recursive }) =>
      strings.searched(quoted(field('pattern')), searchedPlace(field('path'), field('glob'), recursive)),
    outcome: ({ matches }, { files_only: filesOnly }) =>
      filesOnly === true ? fileWord(matches) : matchWord(matches),
    group: { title: strings.groups.grep },
    input: nothing,
  },
  find_files: {
    shape: 'code',
    subject: (field) => strings.searched(field('pattern'), searchedPlace(field('path'), '', true)),
    outcome: ({ paths, note }) => fileWord(paths, note),
    group: { title: strings.groups.find_files },
    input: nothing,
  },
  bash: {
    shape: 'code',
    subject: (field) => field('command', withoutWay),
    input: ({ command }) => (typeof command === 'string' ? command : undefined),
  },
  bash_output: { outcome: nothing, input: nothing },
  bash_stop: { input: nothing, isWordless: true },
  write: {
    subject: (field) => field('path'),
    shape: 'path',
    change: writtenRows,
    outcome: newProblemWord,
    isWordless: true,
  },
  edit: { shape: 'path', change: editedRows, outcome: newProblemWord, isWordless: true },
  move: {
    subject: (field) => [field('source'), field('destination')].filter(Boolean).join(' → '),
    input: nothing,
    outcome: newProblemWord,
    isWordless: true,
  },
  apply_patch: {
    outcome: newProblemWord,
    subject: (_, { input }) => patchedFiles(input),
    input: ({ input }) => (typeof input === 'string' ? input : undefined),
  },
  diagnostics: { shape: 'path', outcome: problemWord, input: nothing },
  code: {
    shape: 'code',
    subject: (field) =>
      [field('action'), field('symbol') || field('path'), field('new_name') && `→ ${field('new_name')}`]
        .filter(Boolean)
        .join(' '),
    outcome: codeWord,
    input: nothing,
  },
  update_plan: {},
  ask_user: { subject: (field) => field('question'), outcome: ({ answer = '' }) => answer, isWordless: true },
};

const UNKNOWN: ToolView = {};

/** An unknown tool, such as one of another version, has the general view. */
export function viewOf(name: string): ToolView {
  return isToolName(name) ? views[name] : UNKNOWN;
}
