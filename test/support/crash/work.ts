// A run of many tools whose every effect leaves a trace, so that it can be told afterwards what has happened, and how often.
import type { ModelEvent } from '../../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../../extension/core/ports/scripted-model.ts';

type Call = readonly [name: string, input: Record<string, unknown>];

const OLD = 'one\ntwo\nthree\n';
const EDITED = 'one\nTWO\nthree\n';
const LONG = `${'A line of a longer file.\n'.repeat(2_000)}`;

/** What lies in the workspace before. */
export const FILES: Readonly<Record<string, string>> = { 'a.txt': OLD, 'd.txt': OLD };

/** What each file may hold at any moment: old bytes or new ones; undefined where it may be absent. */
export const CONTENTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'a.txt': [OLD, EDITED, undefined],
  'sub/a.txt': [OLD, EDITED, undefined],
  'b.txt': ['b\n', 'b2\n', undefined],
  'c.txt': [LONG, undefined],
  'd.txt': [OLD, EDITED],
};

/** Where a command notes that it ran: a line with the id of its call at its beginning, and one at its end. */
export const NOTES = 'ran.log';

const edit = (path: string): Call => [
  'edit',
  { path, operations: [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO'] }] },
];
const note = (id: string, command: string): Call => [
  'bash',
  { command: `echo ${id} >> ${NOTES}; ${command}; echo ${id} end >> ${NOTES}` },
];

const changes: readonly (readonly Call[])[] = [
  [['read', { path: 'a.txt' }], edit('a.txt')],
  [
    ['write', { path: 'b.txt', content: 'b\n' }],
    ['move', { source: 'a.txt', destination: 'sub/a.txt' }],
  ],
];

/** Changes of files, which this process makes itself. */
export function fileWork(): ScriptedModel {
  return modelOf(changes);
}

/** A few tools, each of its kind. */
export function shortWork(): ScriptedModel {
  return modelOf([...changes, [note('call_5', 'true')]]);
}

export function longWork(): ScriptedModel {
  return modelOf([
    [['read', { path: 'a.txt' }], ['list_dir', { path: '.' }], edit('a.txt')],
    [
      ['write', { path: 'b.txt', content: 'b\n' }],
      ['grep', { pattern: 'TWO', path: '.' }],
    ],
    [note('call_6', 'env')],
    [
      ['write', { path: 'b.txt', content: 'b2\n' }],
      ['move', { source: 'a.txt', destination: 'sub/a.txt' }],
      ['read', { path: 'd.txt' }],
    ],
    [note('call_10', 'sleep 0.03'), edit('d.txt'), ['write', { path: 'c.txt', content: LONG }]],
    [note('call_13', 'sleep 60 & sleep 0.03; kill %1')],
  ]);
}

/** Each list is what one reply calls, with ids `call_1`, `call_2` … throughout. */
function modelOf(replies: readonly (readonly Call[])[]): ScriptedModel {
  let count = 0;
  const calls = replies.map((reply): ModelEvent[] => [
    { type: 'text', text: 'I go on.' },
    ...reply.map(([name, input]) => ({ type: 'tool_call', id: `call_${++count}`, name, input }) as const),
    { type: 'done', stop: 'tool_calls' },
  ]);
  return new ScriptedModel(...calls, [
    { type: 'text', text: 'Done.' },
    { type: 'done', stop: 'end' },
  ]);
}
