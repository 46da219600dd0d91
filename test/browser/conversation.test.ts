import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { makeGate } from '../support/gate.ts';
import type { ShownPart } from '../support/vscode/harness-panel.ts';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);

test('a whole conversation, with the keyboard alone', async () => {
  const { page } = workbench;
  const prompt = 'Let pad() pad with blanks';
  const rest = makeGate();
  claude.says(
    {
      ...call('read', { path: 'src/util.js' }, 'First I look at the code that pads numbers.'),
      chunkSize: 20,
      hold: { after: 1, until: rest.opened },
    },
    call('edit', {
      path: 'src/util.js',
      operations: [
        {
          op: 'replace',
          startLine: 3,
          endLine: 3,
          content: ["  return String(number).padStart(length, ' ');"],
        },
      ],
    }),
    call('bash', { command: 'echo one; until [ -e go ]; do sleep 0.05; done; echo two' }),
    words(
      '## All is done\n\n- `pad` pads with **blanks**\n\n| file | lines |\n| --- | --- |\n| util.js | 1 |',
    ),
  );

  await runCommandByKeys(page, 'Harness: New Session');
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  await page.keyboard.type(prompt);
  await page.keyboard.press('Enter');

  await panel.saying('text', /^\s*First I look at the\s*$/).waitFor();
  expect(await panel.stop.isVisible()).toBe(true);
  rest.open();

  const allowOnce = panel.card.getByRole('button', { name: 'Allow once' });
  await page.locator('.tab.active', { hasText: 'not applied yet' }).waitFor();
  await page.locator('.monaco-diff-editor').waitFor();
  await expect.poll(() => panel.hasFocus(allowOnce)).toBe(true);
  expect(await readFile(inWorkspace('src/util.js'), 'utf8')).toContain("'0'");
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'not applied yet' }).waitFor({ state: 'detached' });

  const deny = panel.card.getByRole('button', { name: 'Deny' });
  await expect.poll(() => panel.hasFocus(deny)).toBe(true);
  for (const _ of ['Always allow', 'Allow in this session', 'Allow once'])
    await page.keyboard.press('Shift+Tab');
  expect(await panel.hasFocus(allowOnce)).toBe(true);
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  await page.keyboard.press('Enter');

  await page.locator('.terminal-outer-container .xterm-rows', { hasText: /^one$/m }).waitFor();
  await page.locator('.single-terminal-tab, .terminal-tabs-entry', { hasText: 'Harness' }).first().waitFor();
  await panel.tool('bash').locator('.live-output', { hasText: 'one' }).waitFor();
  await writeFile(inWorkspace('go'), '');

  const { reason, events } = await ended(prompt);
  expect(reason).toBe('done');
  expect(await readFile(inWorkspace('src/util.js'), 'utf8')).toContain("padStart(length, ' ')");
  await panel.find('[data-part="text"] h2').waitFor();
  expect(outlineOfParts(await panel.parts())).toEqual(outlineOfEvents(events));
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
});

function outlineOfParts(parts: readonly ShownPart[]): string[] {
  return parts
    .filter(({ kind }) => kind !== 'header')
    .map(({ kind, tool, state, text }) => `${kind} ${tool ? `${tool} ${state}` : lettersOf(text)}`);
}
function outlineOfEvents(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'user' || event.type === 'text') return [`${event.type} ${lettersOf(event.content)}`];
    return event.type === 'tool_call' ? [`tool ${event.name} ${stateOf(event.id, events)}`] : [];
  });
}
function stateOf(id: string, events: readonly SessionEvent[]): string {
  const result = events.find((event) => event.type === 'tool_result' && event.id === id);
  if (result?.type !== 'tool_result') return 'running';
  return result.end ?? (result.isError ? 'error' : 'done');
}

/** Without marks and spaces, which markdown shows in its own way. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
