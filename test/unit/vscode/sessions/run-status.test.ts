import { expect, it } from 'vitest';
import { type Approval, emptyHead } from '../../../../extension/protocol/head.ts';
import {
  awaitedBy,
  clickOn,
  describeAwaited,
  type ObservedRun,
} from '../../../../extension/vscode/sessions/run-status.ts';

const APPROVAL: Approval = {
  id: 'call',
  tool: 'write',
  risk: 'medium',
  action: { title: 'Change a?', detail: '', warnings: [] },
};

function run({ waits = false, isSeen = true } = {}): ObservedRun {
  return { head: { ...emptyHead, approvals: waits ? [APPROVAL] : [] }, isSeen };
}

it('stops the run that works in sight, and asks which one of several', () => {
  expect(clickOn([run()])).toBe('stop');
  expect(clickOn([run(), run({ isSeen: false })])).toBe('select');
});

it('shows what waits for an approval instead of ending it', () => {
  expect(clickOn([run({ waits: true })])).toBe('show');
  expect(clickOn([run(), run({ waits: true, isSeen: false })])).toBe('show');
});

it('shows a run that works out of sight first', () => {
  expect(clickOn([run({ isSeen: false })])).toBe('show');
});

it('calls a question a question, and not an approval', () => {
  const question = { ...APPROVAL, tool: 'ask_user', options: [] };
  expect(awaitedBy([])).toBe('nothing');
  expect(awaitedBy([APPROVAL])).toBe('approval');
  expect(awaitedBy([question])).toBe('question');
  expect(awaitedBy([question, APPROVAL])).toBe('both');
  expect(describeAwaited('question')).toBe('has a question for you');
  expect(describeAwaited('both')).toBe('needs your approval');
});
