// Runs of many tools whose every effect leaves a trace, so that it can be told afterwards what has happened, and how often.
import type { ModelEvent } from '../../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';

type Call = readonly [name: string, input: Record<string, unknown>];
/** What a reply calls, given the id of the call. */
type Wanted = (id: string) => Call;

const OLD = 'one\ntwo\nthree\n';
const EDITED = 'one\nTWO\nthree\n';
const SCRIPT = '#!/bin/sh\n';
const LONG = `${'A line of a longer file.\n'.repeat(2_000)}`;

/** What lies in the workspace before. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': OLD,
  'd.txt': OLD,
  'old.txt': OLD,
  'run.sh': SCRIPT,
};
/** The mode of the script; the other files have the one that files get. */
export const SCRIPT_MODE = 0o755;
/** Where the link `link` leads, that lies there too. */
export const LINK_TARGET = 'd.txt';
/** Where what is moved lies before and behind. */
export const MOVED = [
  ['a.txt', 'sub/a.txt'],
  ['run.sh', 'sub/run.sh'],
] as const;

/** What each file may hold at any moment: old bytes or new ones; undefined where it may be absent. */
export const CONTENTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'a.txt': [OLD, EDITED, undefined],
  'sub/a.txt': [OLD, EDITED, undefined],
  'b.txt': ['b\n', 'b2\n', undefined],
  'c.txt': [LONG, undefined],
  'd.txt': [OLD, EDITED],
  'old.txt': [OLD, undefined],
  'run.sh': [SCRIPT, undefined],
  'sub/run.sh': [SCRIPT, undefined],
  'denied.txt': [undefined],
};

/** The one file of the workspace that commands write into. */
export const COMMAND_FILE = 'made.txt';
/** Where a command notes that it ran, beside the workspace: a line with the id of its call at its beginning, and one at its end. */
export const NOTES = 'ran.log';

const call =
  (name: string, input: Record<string, unknown>): Wanted =>
  () => [name, input];
const read = (path: string) => call('read', { path });
const write = (path: string, content: string) => call('write', { path, content });
const move = (source: string, destination: string) => call('move', { source, destination });
const edit = (path: string) =>
  call('edit', { path, operations: [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO'] }] });
const remove = (path: string) =>
  call('apply_patch', { input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` });
const note =
  (command: string): Wanted =>
  (id) => {
    const begin = `echo ${id} >> ../${NOTES}; echo ${id} >> ${COMMAND_FILE}`;
    return ['bash', { command: `${begin}; ${command}; echo ${id} end >> ../${NOTES}` }];
  };

const CHANGES: readonly (readonly Wanted[])[] = [
  [read('a.txt'), edit('a.txt')],
  [write('b.txt', 'b\n'), move('a.txt', 'sub/a.txt')],
];

const BEGINNING: readonly (readonly Wanted[])[] = [
  [read('a.txt'), call('list_dir', { path: '.' }), edit('a.txt')],
  [write('b.txt', 'b\n')],
  [call('grep', { pattern: 'TWO', path: '.' })],
  [note('env')],
  [write('b.txt', 'b2\n'), move('a.txt', 'sub/a.txt'), read('d.txt')],
  [write('denied.txt', 'never\n')],
];

const END: readonly (readonly Wanted[])[] = [
  [read('d.txt'), read('old.txt')],
  [note('sleep 0.03'), edit('d.txt'), write('c.txt', LONG)],
  [remove('old.txt')],
  [note('sleep 60 & sleep 0.03; kill %1')],
];

/** Changes of files, which this process makes itself. */
export function fileWork(): ScriptedModel {
  return modelOf(CHANGES);
}

/** The same, and a link and a script are moved. */
export function movingWork(): ScriptedModel {
  return modelOf([...CHANGES, [move('link', 'sub/link'), move('run.sh', 'sub/run.sh')]]);
}

/** A few tools, each of its kind. */
export function shortWork(): ScriptedModel {
  return modelOf([...CHANGES, [note('true')]]);
}

export function longWork(): ScriptedModel {
  return modelOf([...BEGINNING, ...END]);
}

/** The same in two runs. */
export function halvesOfWork(): readonly [ScriptedModel, ScriptedModel] {
  return [modelOf(BEGINNING), modelOf(END, BEGINNING.flat().length + 1)];
}

/** Each list is what one reply calls, with ids `call_1`, `call_2` … throughout, from `first`. */
function modelOf(replies: readonly (readonly Wanted[])[], first = 1): ScriptedModel {
  let count = first;
  const calls = replies.map((reply): ModelEvent[] => [
    { type: 'text', text: 'I go on.' },
    ...reply.map((wanted) => {
      const id = `call_${count++}`;
      const [name, input] = wanted(id);
      return { type: 'tool_call', id, name, input } as const;
    }),
    { type: 'done', stop: 'tool_calls' },
  ]);
  const model = new ScriptedModel(...calls, [
    { type: 'text', text: 'Done.' },
    { type: 'done', stop: 'end' },
  ]);
  model.tools = ['apply_patch'];
  return model;
}
