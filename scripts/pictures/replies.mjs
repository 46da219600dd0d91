// The replies of the scripted Claude in the pictures. The tools that it calls are real, and so are their
// results.
import { afterThinking, reply } from './claude.mjs';

export const prompts = {
  fix: 'Make the date tests pass',
  week: 'Add ISO week numbers, with tests and a page about them',
  trouble: 'Publish the date tools',
};

const bugLine = 7;
const fixedLine =
  "  return [date.getUTCFullYear(), pad(date.getUTCMonth() + 1, 2), pad(date.getUTCDate(), 2)].join('-');";

export const tests = /** @type {const} */ (['bash', { command: 'node --test' }]);

/** @type {[string, object]} */
const edit = [
  'edit',
  {
    path: 'src/date.js',
    operations: [{ op: 'replace', startLine: bugLine, endLine: bugLine, content: [fixedLine] }],
  },
];

/** Reads two files, changes one line after an approval, and runs the tests. */
export const fix = [
  afterThinking(
    'The tests expect February; the function says January.',
    reply("I'll read the code and its tests.", readFile('src/date.js'), readFile('test/date.test.js')),
  ),
  reply(
    '`getUTCMonth()` counts months from **0**, so every date is one month early. One line fixes it.',
    edit,
  ),
  reply('Now the tests.', [...tests]),
  reply('All 4 tests pass. `formatDate` now adds 1 to the month; nothing else was changed.'),
];

const week = `/** The ISO 8601 week of a date, 1 to 53: the week that holds its Thursday. */
export function weekOf(date) {
  const thursday = new Date(date);
  thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.ceil(((thursday - yearStart) / 86_400_000 + 1) / 7);
}
`;

const weekTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weekOf } from '../src/week.js';

test('the first of January may be in the last week of the year before', () => {
  assert.equal(weekOf(new Date(Date.UTC(2027, 0, 1))), 53);
});
`;

/** A run with many steps. */
export const addWeeks = [
  afterThinking(
    'First what is there, then the function, its tests and the page.',
    reply(
      "I'll look at what is there before I add anything.",
      ['list_dir', { path: '.' }],
      readFile('src/date.js'),
      readFile('src/util.js'),
      readFile('test/date.test.js'),
      ['grep', { pattern: 'export function', path: 'src', recursive: true }],
    ),
  ),
  reply('Are the tests green before I begin?', [...tests]),
  reply('They are not: the month is off by one. I will fix that first, in one line.', edit, [...tests]),
  reply(
    `Green. Now the weeks:

1. \`weekOf\` in a module of its own
2. a test for the turn of the year, where most such functions fail
3. a page that says which weeks are meant`,
    ['write', { path: 'src/week.js', content: week }],
    ['write', { path: 'test/week.test.js', content: weekTest }],
    [...tests],
  ),
  reply('The page:', [
    'write',
    {
      path: 'docs/weeks.md',
      content: '# Weeks\n\n`weekOf` counts as ISO 8601 does: a week belongs to the year of its Thursday.\n',
    },
  ]),
  reply(`Week numbers are there, and all 5 tests pass.

| file | what |
| --- | --- |
| \`src/week.js\` | \`weekOf\`, ISO 8601 |
| \`test/week.test.js\` | the turn of the year |
| \`docs/weeks.md\` | which weeks are meant |
| \`src/date.js\` | the month was off by one |

\`\`\`js
weekOf(new Date('2027-01-01')); // 53
\`\`\``),
];

/** A missing file, a command that fails, and one that the user denies. */
export const trouble = [
  reply("I'll look at the settings for publishing.", readFile('publish.json')),
  reply('There are none, so I check the tests.', [...tests]),
  reply('One clean-up before the build:', ['bash', { command: 'rm -rf build/ && git clean -fdx' }]),
  reply('You denied that, so nothing was removed. Shall I publish without a clean-up?'),
];

/** @type {import('./claude.mjs').ScriptedReply} */
export const overloaded = {
  status: 529,
  headers: { 'retry-after': '50' },
  body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};

/** @param {string} path @returns {[string, object]} */
function readFile(path) {
  return ['read', { path }];
}
