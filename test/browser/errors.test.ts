import { expect, test } from 'vitest';
import type { ScriptedReply } from '../../scripts/lib/claude/anthropic-script.ts';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { typeIntoList } from '../support/vscode/keyboard.ts';
import { words } from '../support/vscode/use-claude.ts';
import { API_KEY, useHarness } from '../support/vscode/use-harness.ts';

const model = { id: 'claude-sonnet-5-5', display_name: 'Claude Sonnet 5.5', type: 'model' };
const { claude, workbench, panel, ended } = await useHarness({
  claude: { apiKey: API_KEY, models: [model] },
  env: { ANTHROPIC_API_KEY: '' },
});

const refusal = (status: number, type: string, message: string, headers = {}): ScriptedReply => ({
  status,
  headers,
  body: { type: 'error', error: { type, message } },
});

/** Asks, and gives back what the one error part says. */
async function errorOf(prompt: string): Promise<string> {
  await panel.ask(prompt);
  expect((await ended(prompt)).reason).toBe('error');
  await panel.part('error').waitFor();
  await expect.poll(() => panel.part('error').count()).toBe(1);
  return (await panel.part('error').locator('.message').textContent()) ?? '';
}

async function expectUsable(prompt: string): Promise<void> {
  claude.says(words('Here I am.'));
  await panel.ask(prompt);
  expect((await ended(prompt)).reason).toBe('done');
  await panel.saying('text', 'Here I am.').waitFor();
}

/** The provider of the model in use stands first. */
async function pickFirst(provider: string): Promise<void> {
  const { page } = workbench;
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: provider }).waitFor();
  await page.keyboard.press('Enter');
}

async function giveKey(key: string): Promise<void> {
  const { page } = workbench;
  const box = page.locator('.quick-input-widget input[type="password"]');
  await box.fill(key);
  await page.keyboard.press('Enter');
  await box.waitFor({ state: 'hidden' });
}

test('without a key: an error that offers the demo, which then answers', async () => {
  expect(await errorOf('Is anybody there?')).toMatch(/API key/);
  const actions = panel.part('error').locator('.actions');
  await actions.getByRole('button', { name: 'Set API Key' }).waitFor();
  await actions.getByRole('button', { name: 'Try the Demo' }).click();
  await panel.saying('text', 'demo model').waitFor();
  await panel.find('.banner.demo').waitFor();
  await panel.stop.click();
  await panel.rests();
});

test('a model is chosen among those that the key may use', async () => {
  const { page } = workbench;
  await runCommand(page, 'Harness: Set API Key');
  await pickFirst('Anthropic');
  await giveKey(API_KEY);
  await runCommand(page, 'Harness: Select Model');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: model.display_name }).click();
  await panel.button(`Model: ${model.id}. Select another`).waitFor();
  await expectUsable('Is a real model there?');
});

test('a model that no list has is chosen by a row of its own, one of the list by a part of its name', async () => {
  const { page } = workbench;
  const open = async () => {
    await runCommand(page, 'Harness: Select Model');
    // Whether the list has come decides what is in front.
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: model.display_name })
      .first()
      .waitFor();
  };
  await typeIntoList(page, open, 'anthropic/claude-of-tomorrow', 1);
  await panel.button('Model: claude-of-tomorrow. Select another').waitFor();
  await expectUsable('Is it tomorrow?');
  // It has been used, is in the list, and has a short name.
  await typeIntoList(page, open, 'claude-son', 3);
  await panel.button(`Model: ${model.id}. Select another`).waitFor();
});

test('a wrong key: one error, and another key mends it', async () => {
  await runCommand(workbench.page, 'Harness: Set API Key');
  await pickFirst('Anthropic');
  await giveKey('sk-ant-wrong');
  const error = await errorOf('Do you know me?');
  expect(error).toContain('rejected the API key');
  expect(error).not.toContain('sk-ant-wrong');
  await panel.part('error').getByRole('button', { name: 'Set API Key' }).click();
  await giveKey(API_KEY);
  claude.says(words('Now I do.'));
  await panel.part('error').getByRole('button', { name: 'Retry' }).click();
  await panel.saying('text', 'Now I do.').waitFor();
  await panel.rests();
});

test.each([
  [
    'an unknown model',
    refusal(404, 'not_found_error', 'model: claude-sonnet-5-5'),
    /does not know the model/,
  ],
  [
    'a conversation that is too long',
    refusal(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    /too long.*210000 tokens/,
  ],
  ['a request that is refused', refusal(400, 'invalid_request_error', 'no such thing'), /no such thing/],
])('%s: one error that says what to do, and the session goes on', async (what, reply, sentence) => {
  claude.says(reply);
  expect(await errorOf(`Please provoke ${what}`)).toMatch(sentence);
  await expectUsable(`Go on after ${what}`);
});

test('an overloaded model: the wait is counted down and can be cut short', async () => {
  const prompt = 'Are you busy?';
  claude.says(
    refusal(529, 'overloaded_error', 'Overloaded', { 'retry-after': '50' }),
    words('Not any more.'),
  );
  await panel.ask(prompt);
  const notice = panel.saying('notice', 'Claude is overloaded.');
  await notice.getByText(/Trying again in [1-5]?\d\s+s\./).waitFor();
  await notice.getByRole('button', { name: 'Retry Now' }).click();
  expect((await ended(prompt)).reason).toBe('done');
  await panel.saying('text', 'Not any more.').waitFor();
  expect(await notice.count()).toBe(0);
  await expect.poll(() => panel.part('error').count()).toBe(0);
});

test('a network that is down: one error after the last try, and the session goes on', async () => {
  const prompt = 'Can you hear me?';
  await claude.close();
  await panel.ask(prompt);
  await hurryRetries();
  await claude.reopen();
  expect(await panel.part('error').textContent()).toMatch(/connection to 127\.0\.0\.1:\d+ failed/);
  await expect.poll(() => panel.part('error').count()).toBe(1);
  expect((await ended(prompt)).reason).toBe('error');
  await expectUsable('Can you hear me again?');
});

/** Does not wait for the countdowns; a try that begins by itself in the meantime is as good. */
async function hurryRetries(): Promise<void> {
  const retryNow = panel.button('Retry Now');
  while (!(await panel.part('error').isVisible())) {
    await retryNow.or(panel.part('error')).first().waitFor();
    await retryNow.click({ timeout: 500 }).catch(() => undefined);
  }
}
