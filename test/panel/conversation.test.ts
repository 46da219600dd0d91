import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { ask, call, request, requestEnd, text } from '../support/panel-events.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const prompt: EventDraft = { type: 'user', content: 'Do it' };
const begin: EventDraft[] = [prompt, { type: 'turn_started', turn: 1 }, request(1)];
const words = (content: string): Delta => ({ type: 'text_delta', session: 'session-1', text: content });

test('every kind of part is found under its name, the header first', async () => {
  const panel = await open({
    state: { header: ' __\n|  |\n' },
    events: [
      ...begin,
      { type: 'reasoning', content: 'Hm.' },
      text('Hello'),
      call('c1', 'bash', { command: 'ls' }),
      { type: 'plan', steps: [{ title: 'Read', status: 'pending' }] },
      { type: 'notice', message: 'Note' },
      { type: 'error', message: 'Failed', code: 'server', retryable: false },
      ask('c1'),
    ],
  });
  const log = panel.page.locator('[role="log"][aria-label="Conversation"]');
  const kinds = await log
    .locator('[data-part]')
    .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-part')));
  expect(kinds).toEqual([
    'header',
    'user',
    'reasoning',
    'text',
    'tool',
    'plan',
    'notice',
    'error',
    'permission',
  ]);
  const ids = await log
    .locator('[data-part]')
    .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-part-id')));
  expect(ids.every((id) => id !== null && id !== '')).toBe(true);
  expect(await panel.part('header').locator('pre').textContent()).toBe(' __\n|  |\n');
  expect(await panel.part('tool').getAttribute('data-tool')).toBe('bash');
  expect(await panel.part('tool').getAttribute('data-state')).toBe('pending');
});

test('a header that is missing or empty is left out', async () => {
  for (const header of [null, '', ' \n']) {
    const panel = await open({ state: { header }, events: begin });
    await panel.part('user').waitFor();
    expect(await panel.part('header').count()).toBe(0);
  }
});

test('words appear as they come; a finished block stays the same element', async () => {
  const panel = await open({ events: begin });
  await panel.stream(words('First para'), words('graph.\n\nSecond'));
  const paragraphs = panel.part('text').locator('p');
  expect(await paragraphs.allTextContents()).toEqual(['First paragraph.', 'Second']);
  await panel.stream(words(' one.\n'));
  await paragraphs.first().evaluate((element) => element.setAttribute('data-mark', ''));
  await panel.stream(words('\nThird'));
  await panel.emit(text('First paragraph.\n\nSecond one.\n\nThird one.'.replace('Third one.', 'Third')));
  expect(await paragraphs.allTextContents()).toEqual(['First paragraph.', 'Second one.', 'Third']);
  expect(await panel.page.locator('[data-mark]').count()).toBe(1);
});

test('code grows without being drawn again, and is copied whole', async () => {
  const panel = await open({ events: begin });
  await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.stream(words('```ts\nconst a = 1;\n'));
  const code = panel.part('text').locator('figure.code');
  await code.evaluate((element) => element.setAttribute('data-mark', ''));
  await panel.stream(words('const b'), words(' = 2;\n``'));
  expect(await code.locator('code').textContent()).toBe('const a = 1;\nconst b = 2;\n');
  await panel.stream(words('`\n\nDone.'));
  expect(await panel.page.locator('figure[data-mark]').count()).toBe(1);
  expect(await code.locator('figcaption').textContent()).toContain('ts');
  await code.getByRole('button', { name: 'Copy Code' }).click();
  await code.getByText('Copied').waitFor();
  expect(await panel.page.evaluate(() => navigator.clipboard.readText())).toBe(
    'const a = 1;\nconst b = 2;\n',
  );
});

test('a reply that is thrown away disappears', async () => {
  const panel = await open({ events: begin });
  await panel.stream(words('Half an ans'));
  await panel.part('text').waitFor();
  await panel.emit(requestEnd(1, 'discarded'));
  expect(await panel.part('text').count()).toBe(0);
});

test('a link tells its address and is opened by the host, by mouse and by keyboard', async () => {
  const panel = await open({
    events: [...begin, text('[docs](https://example.com/a) and [bad](javascript:alert(1))')],
  });
  const link = panel.page.getByRole('link', { name: 'docs' });
  expect(await link.getAttribute('title')).toBe('https://example.com/a');
  await link.click();
  await link.focus();
  await panel.page.keyboard.press('Enter');
  expect((await panel.messages('link/open')).map(({ href }) => href)).toEqual([
    'https://example.com/a',
    'https://example.com/a',
  ]);
  expect(await panel.page.getByRole('link').count()).toBe(1);
});

test('thinking is one line with its time, and opens', async () => {
  const panel = await open({ events: [...begin, { type: 'reasoning', content: 'Because of **that**.' }] });
  expect(await panel.part('reasoning').textContent()).not.toContain('Because');
  await panel.part('reasoning').getByRole('button', { name: 'Thought briefly' }).click();
  expect(await panel.part('reasoning').locator('strong').textContent()).toBe('that');
});

test('thinking tells its tokens where the provider reports them', async () => {
  const counted = { inputTokens: 1, outputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const panel = await open({ events: [...begin, { type: 'reasoning', content: 'Hm.' }] });
  expect(await panel.part('reasoning').textContent()).not.toContain('token');
  await panel.emit({ type: 'usage', ...counted, reasoningTokens: 800 });
  await panel.part('reasoning').getByText('800 tokens').waitFor();
});

test('a retry counts down and offers three ways on, until the next request begins', async () => {
  const panel = await open({ events: begin });
  await panel.emit({
    type: 'retry',
    attempt: 1,
    delayMs: 30_000,
    code: 'overloaded',
    message: 'Claude is overloaded.',
  });
  const notice = panel.part('notice');
  expect(await panel.page.locator('[role="status"]').textContent()).toContain('Waiting to try again');
  expect(await notice.textContent()).toMatch(/Claude is overloaded\. Trying again in [123]?\d\ss\./);
  await notice.getByRole('button', { name: 'Retry Now' }).click();
  await notice.getByRole('button', { name: 'Switch Model' }).click();
  await notice.getByRole('button', { name: 'Stop' }).click();
  expect((await panel.posted()).slice(1)).toEqual([
    { type: 'retry/now', session: 'session-1' },
    { type: 'command', command: 'harness.selectModel' },
    { type: 'run/cancel', session: 'session-1' },
  ]);
  await panel.emit(request(2));
  expect(await notice.count()).toBe(0);
});

const ended: EventDraft = { type: 'turn_ended', turn: 1, reason: 'error' };

test.each([
  ['server', true, ['Retry', 'Select Model']],
  ['timeout', true, ['Retry', 'Select Model']],
  ['network', true, ['Retry']],
  ['auth', false, ['Set API Key', 'Try the Demo', 'Retry']],
  ['no_key', true, ['Set API Key', 'Try the Demo', 'Retry']],
  ['not_found', false, ['Select Model']],
  ['overloaded', true, ['Retry', 'Select Model']],
  ['tools_unsupported', false, ['Select Model']],
  ['invalid_request', false, []],
])('an error of kind %s (retryable: %s) offers %j', async (code, retryable, offers) => {
  const panel = await open({
    events: [...begin, { type: 'error', message: 'It failed.', code, retryable }, ended],
  });
  expect(await panel.part('error').textContent()).toContain('It failed.');
  expect(await panel.part('error').locator('vscode-button').allTextContents()).toEqual(offers);
  for (const offer of offers) await panel.part('error').getByRole('button', { name: offer }).click();
  expect(await panel.posted()).toHaveLength(1 + offers.length);
});

test('an error offers nothing any more when the run goes on', async () => {
  const panel = await open({
    events: [...begin, { type: 'error', message: 'It failed.', code: 'server', retryable: true }, ended],
  });
  await panel.part('error').getByRole('button', { name: 'Retry' }).click();
  expect(await panel.messages('run/continue')).toHaveLength(1);
  await panel.emit({ type: 'turn_started', turn: 2 });
  expect(await panel.part('error').getByRole('button').count()).toBe(0);
});

test('at the limit of turns, the run can be continued', async () => {
  const panel = await open({ events: [...begin, { type: 'turn_ended', turn: 1, reason: 'max_turns' }] });
  await panel.part('notice').getByRole('button', { name: 'Continue' }).click();
  expect(await panel.messages('run/continue')).toEqual([{ type: 'run/continue', session: 'session-1' }]);
});

test('a run that ended at a limit of requests or tokens goes on in one click, also after a reload', async () => {
  const limits: EventDraft[][] = [
    [{ type: 'turn_ended', turn: 1, reason: 'max_turns', toModel: 'The run ended.' }],
    [
      { type: 'error', message: 'Cut off.', code: 'max_tokens', retryable: true },
      { type: 'turn_ended', turn: 1, reason: 'error', toModel: 'Cut off.' },
    ],
  ];
  for (const end of limits) {
    const panel = await open({ events: [...begin, ...end] });
    await panel.reload();
    await panel.page.getByRole('button', { name: 'Continue' }).click();
    expect(await panel.messages('run/continue')).toHaveLength(1);
  }
});

test('the status says what is waited for, and stops the run', async () => {
  const panel = await open({ events: [prompt] });
  const status = (state: string) => panel.page.locator(`[role="status"][data-state="${state}"]`);
  await status('idle').waitFor({ state: 'attached' });
  expect(await panel.page.locator('[aria-label="Stop"]').count()).toBe(0);
  await panel.emit(
    { type: 'turn_started', turn: 1 },
    { type: 'status', state: 'running_tool', message: 'Running: bash make' },
  );
  expect(await status('running_tool').textContent()).toContain('Running: bash make');
  await panel.page.locator('[aria-label="Stop"]').click();
  expect(await panel.messages('run/cancel')).toEqual([{ type: 'run/cancel', session: 'session-1' }]);
  await panel.emit(
    { type: 'status', state: 'idle', message: '' },
    { type: 'turn_ended', turn: 1, reason: 'cancelled' },
  );
  await status('idle').waitFor({ state: 'attached' });
  expect(await panel.page.locator('[aria-label="Stop"]').count()).toBe(0);
});

test('an empty session says what to do; an example goes into the input', async () => {
  const panel = await open({ state: { ready: false, suggestions: ['Explain a.ts', 'b', 'c', 'd'] } });
  await panel.page.getByRole('button', { name: 'Set API Key' }).click();
  await panel.page.getByRole('button', { name: 'Try the Demo' }).click();
  expect((await panel.messages('command')).map(({ command }) => command)).toEqual([
    'harness.setApiKey',
    'harness.useDemo',
  ]);
  expect(await panel.page.locator('.suggestion').count()).toBe(3);
  await panel.page.getByRole('button', { name: 'Explain a.ts' }).click();
  expect(await panel.input.inputValue()).toBe('Explain a.ts');
  await panel.emit(prompt);
  expect(await panel.page.locator('.suggestion').count()).toBe(0);
});

test('what is true of the whole panel stands above it', async () => {
  const panel = await open({ state: { demo: true, readOnly: true, trusted: false } });
  await panel.page.getByText('Demo model - scripted, not a real AI', { exact: true }).waitFor();
  await panel.page.getByText('This session is open in another window.').waitFor();
  await panel.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await panel.page.getByRole('button', { name: 'Fork from Here' }).click();
  expect(await panel.messages('command')).toEqual([
    { type: 'command', command: 'harness.manageTrust' },
    { type: 'command', command: 'harness.forkSession' },
  ]);
  await panel.setState({ demo: false, readOnly: false, trusted: true });
  expect(await panel.page.locator('.banner').count()).toBe(0);
});
