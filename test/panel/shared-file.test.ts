import { expect, test } from 'vitest';
import type { SharedFile } from '../../extension/protocol/composer-messages.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const FILE: SharedFile = { name: 'a.ts', path: 'src/a.ts', lines: { first: 3, last: 9 } };

const share = (panel: PanelPage, file: SharedFile | null = FILE) => panel.send({ type: 'file/shared', file });
const chip = (panel: PanelPage) => panel.page.getByRole('button', { name: 'Share a.ts:3-9 with the prompt' });

async function submit(panel: PanelPage, text: string) {
  await panel.input.fill(text);
  await panel.input.press('Enter');
  const sent = await panel.messages('prompt/submit');
  return sent.at(-1);
}

test('the chip names the open file and the selection, and changes with them', async () => {
  const panel = await open();
  expect(await chip(panel).count()).toBe(0);
  await share(panel);
  await expect.poll(() => chip(panel).textContent()).toBe('a.ts:3-9');
  expect(await chip(panel).getAttribute('aria-pressed')).toBe('true');
  expect(await chip(panel).getAttribute('title')).toContain('src/a.ts:3-9');
  await share(panel, { name: 'b.ts', path: 'b.ts' });
  await panel.page.getByRole('button', { name: 'Share b.ts with the prompt' }).waitFor();
  await share(panel, { name: 'b.ts', path: 'b.ts', lines: { first: 4, last: 4 } });
  await panel.page.getByRole('button', { name: 'Share b.ts:4 with the prompt' }).waitFor();
  await share(panel, null);
  await expect.poll(() => panel.page.locator('.shared-file').count()).toBe(0);
});

test('one prompt leaves the file out, by keyboard, and the next one shares it again', async () => {
  const panel = await open();
  await share(panel);
  await chip(panel).focus();
  await panel.page.keyboard.press('Space');
  expect(await chip(panel).getAttribute('aria-pressed')).toBe('false');
  expect(await submit(panel, 'One')).toMatchObject({ text: 'One', withoutOpenFile: true });
  expect(await chip(panel).getAttribute('aria-pressed')).toBe('true');
  expect(await submit(panel, 'Two')).not.toHaveProperty('withoutOpenFile');
});

test('the choice outlives the page, and comes back with a prompt that was not sent', async () => {
  const draft = { text: '', attachments: [] };
  const saved = {
    session: 'session-1',
    draft,
    isKept: true,
    reading: null,
    expanded: {},
    withoutOpenFile: true,
  };
  const panel = await open({ saved });
  await share(panel);
  await expect.poll(() => chip(panel).getAttribute('aria-pressed')).toBe('false');
  await submit(panel, 'One');
  const refused = { type: 'prompt/refused', text: 'One', attachments: [], reason: 'No.', canInsist: false };
  await panel.send({ ...refused, withoutOpenFile: true });
  await expect.poll(() => chip(panel).getAttribute('aria-pressed')).toBe('false');
  expect(await submit(panel, 'Two')).toMatchObject({ text: 'Two', withoutOpenFile: true });
});

test('a file that is left out can be left out for good', async () => {
  const panel = await open();
  await share(panel);
  expect(await panel.page.getByRole('button', { name: 'Never Share' }).count()).toBe(0);
  await chip(panel).click();
  await panel.page.getByRole('button', { name: 'Never Share' }).click();
  expect(await panel.messages('file/never')).toHaveLength(1);
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('a session that the panel cannot write shares nothing', async () => {
  const panel = await open({ state: { readOnly: true } });
  await share(panel);
  await panel.send({ type: 'ping' });
  await expect.poll(async () => (await panel.messages('pong')).length).toBeGreaterThan(0);
  expect(await panel.page.locator('.shared-file').count()).toBe(0);
});
