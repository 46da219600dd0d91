import assert from 'node:assert/strict';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../../extension/core/ports/approver.ts';
import { DiffPreview, shownPreviewId } from '../../../extension/vscode/approvals/diff-preview.ts';
import { previewUri } from '../../../extension/vscode/approvals/preview-uri.ts';
import { callKey, VscodeApprover } from '../../../extension/vscode/approvals/vscode-approver.ts';
import { closeEditors, makeFile, show } from './files.ts';
import { eventually, test } from './runner.ts';

const never = new AbortController().signal;
const key = (id: string) => callKey({ session: 'session-1', id });

function request(id: string, session = 'session-1'): ApprovalRequest {
  return {
    id,
    session,
    tool: 'write',
    risk: 'medium',
    action: { title: 'Change a.txt?', detail: '/repo/a.txt', warnings: [] },
    previews: [{ path: '/repo/a.txt', before: 'old', after: id }],
  };
}

function makeApprover(previewEnabled = true) {
  const preview = new DiffPreview();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const approver = new VscodeApprover({
    preview,
    previewEnabled: () => previewEnabled,
    sessionName: () => '',
    logger: { warn, error: warn },
  });
  const pending: string[][] = [];
  approver.onDidChangePending((requests) => pending.push(requests.map(({ id }) => id)));
  return { approver, pending, warnings, dispose: () => vscode.Disposable.from(approver, preview).dispose() };
}

const shows = (id: string | undefined) =>
  eventually(`the diff in front is ${id}`, () => shownPreviewId() === (id && key(id)));

test('approver: opens the diff, resolves with the answer, and closes the diff', async () => {
  const { approver, pending, warnings, dispose } = makeApprover();
  const answer = approver.ask(request('one'), never);
  await shows('one');
  assert.deepEqual(
    approver.pending.map(({ id }) => id),
    ['one'],
  );
  approver.answer(key('one'), 'allow_session');
  approver.answer(key('one'), 'deny');
  assert.deepEqual(await answer, { decision: 'allow_session' });
  await shows(undefined);
  assert.deepEqual(pending, [['one'], []]);
  assert.deepEqual(warnings, []);
  dispose();
});

test('approver: a patch has a diff for each of its files, and its answer closes all', async () => {
  const { approver, warnings, dispose } = makeApprover();
  const previews = [
    { path: '/repo/a.txt', before: 'old', after: 'new' },
    { path: '/repo/b.txt', before: null, after: 'new' },
    { path: '/repo/c.txt', before: 'old', after: null },
  ];
  const answer = approver.ask({ ...request('one'), previews }, never);
  const names = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ input }) => input))
      .flatMap((input) => (input instanceof vscode.TabInputTextDiff ? [basename(input.modified.path)] : []));
  await eventually('three diffs are open', () => names().length === 3);
  await eventually('the first one is in front', () =>
    vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('a.txt'),
  );
  assert.deepEqual(names().sort(), ['a.txt', 'b.txt', 'c.txt']);
  approver.answerPreview(undefined, 'allow_once');
  assert.deepEqual(await answer, { decision: 'allow_once' });
  await eventually('no diff is open', () => names().length === 0);
  assert.deepEqual(warnings, []);
  dispose();
});

test('approver: a diff that nobody asked for opens beside the user’s editor, until it is asked for', async () => {
  const path = await makeFile('in-front.txt', 'text');
  await show(path);
  const { approver, dispose } = makeApprover();
  const answer = approver.ask(request('one'), never);
  const isOpen = () =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff),
    );
  await eventually('the diff is open', isOpen);
  assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
  assert.equal(shownPreviewId(), undefined);
  await approver.showPreview(key('one'));
  await shows('one');
  approver.answer(key('one'), 'deny');
  await answer;
  dispose();
  await closeEditors();
});

test('approver: an answer to what is not asked is nobody’s', async () => {
  const { approver, dispose } = makeApprover(false);
  let answered = false;
  const answer = approver.ask(request('one'), never).finally(() => {
    answered = true;
  });
  approver.answer(key('two'), 'allow_always');
  approver.answerPreview(previewUri(key('two'), 'after', '/repo/a.txt', ''), 'allow_once');
  approver.answerPreview(undefined, 'allow_once');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answered, false);
  approver.answer(key('one'), 'deny');
  assert.deepEqual(await answer, { decision: 'deny' });
  dispose();
});

test('approver: the title bar answers the request of its own diff', async () => {
  const { approver, dispose } = makeApprover();
  const first = approver.ask(request('one'), never);
  await shows('one');
  const second = approver.ask(request('two'), never);
  await shows('two');
  approver.answerPreview(previewUri(key('one'), 'after', '/repo/a.txt', 'one'), 'allow_once');
  assert.deepEqual(await first, { decision: 'allow_once' });
  assert.deepEqual(
    approver.pending.map(({ id }) => id),
    ['two'],
  );
  // From the keyboard there is no address: the diff in front is meant.
  approver.answerPreview(undefined, 'deny');
  assert.deepEqual(await second, { decision: 'deny' });
  await shows(undefined);
  dispose();
});

test('approver: a cancelled run is denied and its diff closed', async () => {
  const { approver, dispose } = makeApprover();
  const run = new AbortController();
  const answer = approver.ask(request('one'), run.signal);
  await shows('one');
  run.abort();
  assert.equal((await answer).decision, 'deny');
  await shows(undefined);
  assert.deepEqual(approver.pending, []);
  assert.equal((await approver.ask(request('late'), run.signal)).decision, 'deny');
  dispose();
});

test('approver: answered before the diff is open, none stays open', async () => {
  const { approver, dispose } = makeApprover();
  const answer = approver.ask(request('one'), never);
  const open = approver.showPreview(key('one'));
  approver.answer(key('one'), 'allow_once');
  await answer;
  await open;
  await shows(undefined);
  dispose();
});

test('approver: without the setting the diff opens when it is asked for', async () => {
  const { approver, dispose } = makeApprover(false);
  const answer = approver.ask(request('one'), never);
  assert.equal(shownPreviewId(), undefined);
  await approver.showPreview(key('one'));
  await shows('one');
  approver.answer(key('one'), 'allow_once');
  await answer;
  await shows(undefined);
  dispose();
});

test('approver: when the window goes, whatever waits is denied', async () => {
  const { approver, dispose } = makeApprover(false);
  const answers = Promise.all([approver.ask(request('one'), never), approver.ask(request('two'), never)]);
  dispose();
  assert.deepEqual(
    (await answers).map(({ decision }) => decision),
    ['deny', 'deny'],
  );
});

test('approver: two sessions may ask about calls of the same name', async () => {
  const { approver, dispose } = makeApprover();
  const first = approver.ask(request('one'), never);
  await shows('one');
  const second = approver.ask(request('one', 'session-2'), never);
  await eventually('both wait', () => approver.pending.length === 2);
  approver.answer(key('one'), 'allow_once');
  assert.deepEqual(await first, { decision: 'allow_once' });
  assert.deepEqual(
    approver.pending.map(({ session }) => session),
    ['session-2'],
  );
  await eventually('its diff is in front', () => shownPreviewId() === 'session-2/one');
  approver.answer('session-2/one', 'deny');
  assert.deepEqual(await second, { decision: 'deny' });
  await shows(undefined);
  dispose();
});
