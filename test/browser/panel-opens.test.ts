import { expect, test } from 'vitest';
import { useWorkbench } from '../support/vscode/use-workbench.mjs';

const workbench = useWorkbench();

test('the panel shows the input', async () => {
  const input = workbench.panel.locator('textarea[aria-label="Ask Harness"]');
  await input.waitFor();
  expect(await input.isEnabled()).toBe(true);
});

test('opening the panel reports no errors', () => {
  expect(workbench.consoleErrors).toEqual([]);
});
