// A start that fails, since a file stands where Harness's own folder is to be, and the next attempts.
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { HarnessPanel } from '../support/vscode/harness-panel.ts';
import { useClaude, words } from '../support/vscode/use-claude.ts';
import { API_KEY } from '../support/vscode/use-harness.ts';
import { useWorkbench } from '../support/vscode/use-workbench.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'harness-test-'));
const home = path.join(folder, 'home');
const claude = await useClaude();
const workbench = useWorkbench({
  env: { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: API_KEY, HARNESS_HOME: home },
});
const panel = new HarnessPanel(() => workbench.panel);
const told = () => workbench.page.locator('.notification-toast', { hasText: 'Harness could not start' });
afterAll(() => rm(folder, { recursive: true, force: true }));

const attempts: [string, () => Promise<unknown>][] = [
  [
    'the view is shown again',
    async () => {
      await runCommand(workbench.page, 'View: Show Explorer');
      await panel.input.waitFor({ state: 'detached' });
      await runCommand(workbench.page, 'View: Show Harness');
    },
  ],
  ['a command is run', () => runCommand(workbench.page, 'Harness: New Session')],
  ['it is asked for where the failure is told', () => told().getByRole('button', { name: 'Retry' }).click()],
];

test.each(attempts)('after a start that failed, Harness starts when %s', async (when, again) => {
  await panel.input.waitFor();
  await rm(home, { recursive: true, force: true });
  await writeFile(home, '');
  await workbench.page.reload();
  await told().getByText(`Harness cannot store its files in ${home}`).waitFor();
  expect(await told().count(), 'it is told once').toBe(1);

  await rm(home);
  await again();
  claude.says(words('Here I am.'));
  await panel.ask(`Answer as soon as ${when}`);
  await panel.saying('text', 'Here I am.').waitFor();
});
