// What the panel says of each tool's calls: one row a tool. A row has what differs from a tool that the panel knows nothing of.
import { isToolName, type ToolName } from '../../extension/protocol/tool-names.ts';
import { strings } from '../l10n/strings.ts';
import {
  type Input,
  lineRange,
  patchedFiles,
  quoted,
  type Subject,
  searchedPath,
  withoutWay,
} from './call-subject.ts';
import { type DiffRow, editedRows, writtenRows } from './input-diff.ts';
import { entryWord, matchWord } from './result-words.ts';
import type { ToolAnswer } from './tool-answer.ts';

export interface ToolView {
  /** What a call acts on, as the model named it, in one line. Else its path, or the first text of its input. */
  readonly subject?: Subject;
  /** How that is set: of a path, the end is what tells it from others; code has the editor's font. */
  readonly shape?: 'path' | 'code';
  /** What came of a call that succeeded, in a few words. */
  readonly outcome?: (answer: ToolAnswer) => string;
  /** Neighboring calls share one line, which says this of all of them. They are counted by a field of their input where one is named. */
  readonly group?: { readonly title: (count: number) => string; readonly by?: string };
  /** What the opened card shows of the input, since the line does not say it. Else, or where it is undefined, all of it as JSON. */
  readonly input?: (input: Input) => string | undefined;
  /** The change that the input tells of; undefined where the tool would not take that. */
  readonly change?: (input: Input) => readonly DiffRow[] | undefined;
  /** The line says all that a success has to tell. */
  readonly isWordless?: true;
}

/** The line has all of it. */
const nothing = () => '';

const views: Readonly<Record<ToolName, ToolView>> = {
  read: {
    subject: (field, input) => [field('path'), lineRange(input)].filter(Boolean).join(' '),
    shape: 'path',
    group: { title: strings.groups.read, by: 'path' },
    input: nothing,
  },
  list_dir: {
    shape: 'path',
    outcome: ({ entries }) => entryWord(entries),
    group: { title: strings.groups.list_dir, by: 'path' },
    input: nothing,
  },
  grep: {
    shape: 'code',
    subject: (field, { recursive }) =>
      strings.searched(quoted(field('pattern')), searchedPath(field('path'), recursive)),
    outcome: ({ matches }) => matchWord(matches),
    group: { title: strings.groups.grep },
    input: nothing,
  },
  bash: {
    shape: 'code',
    subject: (field) => field('command', withoutWay),
    input: ({ command }) => (typeof command === 'string' ? command : undefined),
  },
  write: {
    subject: (field) => field('path'),
    shape: 'path',
    change: writtenRows,
    isWordless: true,
  },
  edit: { shape: 'path', change: editedRows, isWordless: true },
  move: {
    subject: (field) => [field('source'), field('destination')].filter(Boolean).join(' → '),
    input: nothing,
    isWordless: true,
  },
  apply_patch: {
    subject: (_, { input }) => patchedFiles(input),
    input: ({ input }) => (typeof input === 'string' ? input : undefined),
  },
  update_plan: {},
};

const UNKNOWN: ToolView = {};

/** That of a tool of another version, or of none, is the general one. */
export function viewOf(name: string): ToolView {
  return isToolName(name) ? views[name] : UNKNOWN;
}
