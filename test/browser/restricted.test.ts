import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({ trust: false });

test('in Restricted Mode nothing runs and nothing is sent; once the folder is trusted, it works', async () => {
  const { page } = workbench;
  const refused = 'List the files here';
  const banner = panel.find('.banner');
  await banner.getByText('This workspace is not trusted').waitFor();
  await panel.ask(refused);
  const before = await ended(refused);
  expect(before.reason).toBe('error');
  await panel.saying('error', 'Trust it').waitFor();
  expect(before.events.map(({ type }) => type)).not.toContain('tool_call');
  expect(claude.requests).toEqual([]);

  await banner.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await page
    .locator('.workspace-trust-editor')
    .getByRole('button', { name: /^Trust$/ })
    .click();
  await banner.waitFor({ state: 'detached' });
  await runCommand(page, 'View: Close All Editors');

  claude.says(call('bash', { command: 'ls' }), words('There they are.'));
  const allowed = 'List the files now';
  await panel.ask(allowed);
  await panel.answer('allow_once');
  const after = await ended(allowed);
  expect(after.reason).toBe('done');
  const result = after.events.find((event) => event.type === 'tool_result');
  expect(result?.type === 'tool_result' && result.result).toContain('README.md');
});
