import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../extension/core/ports/approver.ts';
import { terminalApprover } from '../../../extension/headless/terminal-approver.ts';
import { until } from '../../support/until.ts';
import { keyboard, screen } from './terminal.ts';

const REQUEST: ApprovalRequest = {
  id: 'call_1',
  session: 's',
  tool: 'bash',
  risk: 'high',
  action: { title: 'Run a command', detail: 'rm -r build', warnings: ['it removes files'], remember: 'rm' },
  previews: [],
};
const { remember: _, ...unrememberable } = REQUEST.action;

function ask(request = REQUEST, { input = keyboard(), output = screen() } = {}) {
  const cancel = new AbortController();
  const approver = terminalApprover({ input, output: output.stream });
  const answer = approver.ask(request, cancel.signal);
  /** Types a line, and waits until the question is asked again. */
  const refuses = async (line: string) => {
    const before = output.shown().length;
    input.write(`${line}\n`);
    await until(() => output.shown().slice(before).includes('[n] no, [n REASON] no, and why:'));
  };
  return { answer, input, shown: output.shown, refuses, cancel: () => cancel.abort() };
}

test.each([
  ['y', 'allow_once'],
  ['s', 'allow_session'],
  ['a', 'allow_always'],
  ['n', 'deny'],
  [' Y ', 'allow_once'],
])('“%s” is %s', async (key, decision) => {
  const { answer, input } = ask();
  input.write(`${key}\n`);
  expect(await answer).toEqual({ decision });
});

test.each([
  ['n use git rm', 'use git rm'],
  ['N  Not now,  please ', 'Not now,  please'],
])('“%s” denies it with the reason', async (line, userReason) => {
  const { answer, input } = ask();
  input.write(`${line}\n`);
  expect(await answer).toEqual({ decision: 'deny', userReason });
});

test('what would be done is shown, with its risk and warnings', async () => {
  const { answer, input, shown } = ask();
  input.write('n\n');
  await answer;
  expect(shown()).toContain('Run a command (risk: high)\n  rm -r build\n  ! it removes files\n');
  expect(shown()).toContain('[y] once, [s] this session, [a] always, [n] no, [n REASON] no, and why:');
});

test('what is shown cannot move the cursor or forge a question', async () => {
  const action = { ...REQUEST.action, title: '\u001b[2JRun', detail: 'ls\r\u202e', warnings: ['\u0007'] };
  const { answer, input, shown } = ask({ ...REQUEST, action });
  const card = shown();
  input.write('n\n');
  await answer;
  expect(card).toContain('\\u{1b}[2JRun (risk: high)\n  ls\\u{d}\\u{202e}\n  ! \\u{7}\n');
});

test('any other answer is asked again', async () => {
  const { answer, input, refuses } = ask();
  for (const line of ['', 'yes please', 'no way', 'constructor']) await refuses(line);
  input.write('y\n');
  expect(await answer).toEqual({ decision: 'allow_once' });
});

test('an answer that cannot be remembered is neither offered nor taken', async () => {
  const { answer, input, shown, refuses } = ask({ ...REQUEST, action: unrememberable });
  for (const line of ['a', 's']) await refuses(line);
  input.write('n\n');
  expect(await answer).toEqual({ decision: 'deny' });
  expect(shown()).not.toContain('always');
});

test.each([
  ['input', { input: keyboard(false) }],
  ['output', { output: screen(false) }],
])('without a terminal for the %s it is denied, with what to do', async (_name, streams) => {
  const { answer, shown } = ask(REQUEST, streams);
  expect(await answer).toEqual({ decision: 'deny', reason: expect.stringContaining('--yes') });
  expect(shown()).toBe('');
});

test('a cancel takes the question back', async () => {
  const { answer, shown, cancel } = ask();
  await until(() => shown().includes('[n] no, [n REASON] no, and why:'));
  cancel();
  expect(await answer).toEqual({ decision: 'deny', reason: 'no answer was given' });
});

test('a terminal that is closed has allowed nothing', async () => {
  const { answer, input } = ask();
  input.end();
  expect(await answer).toEqual({ decision: 'deny', reason: 'no answer was given' });
});

test('Ctrl+C at the question interrupts the program as anywhere else', async () => {
  const interrupted = once(process, 'SIGINT');
  const { answer, input, cancel } = ask();
  input.write('\u0003');
  await interrupted;
  cancel();
  expect(await answer).toMatchObject({ decision: 'deny' });
});

const ASKED: ApprovalRequest = {
  ...{ id: 'call_1', session: 's', tool: 'ask_user', risk: 'safe', previews: [] },
  action: { title: 'Which\u001b[2J one?', detail: '', warnings: [] },
  options: ['First', 'Second'],
};

test.each([
  ['2', 'Second'],
  ['First', 'First'],
  ['7', '7'],
  ['  neither  ', 'neither'],
])('a question is answered by “%s”', async (line, text) => {
  const { answer, input, shown } = ask(ASKED);
  input.write(`${line}\n`);
  expect(await answer).toEqual({ decision: 'allow_once', text });
  expect(shown()).toContain('Which\\u{1b}[2J one?\n  [1] First\n  [2] Second\n');
});

test('a question that is stopped has no answer', async () => {
  const { answer, cancel } = ask(ASKED);
  cancel();
  expect(await answer).toEqual({ decision: 'deny', reason: 'no answer was given' });
});
