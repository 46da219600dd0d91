import { expect, test } from 'vitest';
import { openFile } from '../../scripts/lib/vscode/browser.mjs';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({ files: { 'shown.ts': 'one\ntwo\n' } });

/** The newest context about the editor that the model has got. */
async function told(prompt: string): Promise<string> {
  claude.says(words('Noted.'));
  await panel.ask(prompt);
  await ended(prompt);
  const raw = claude.requests.at(-1)?.raw ?? '';
  return raw.slice(raw.lastIndexOf('<editor_context>'), raw.lastIndexOf('</editor_context>'));
}

test('the chip follows the editor, and leaves the open file out of one prompt', async () => {
  await openFile(workbench.page, 'shown.ts');
  const chip = workbench.panel.getByRole('button', { name: 'Share shown.ts with the prompt' });
  await chip.waitFor();
  await chip.click();
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false');
  expect(await told('Without it')).not.toContain('shown.ts');
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
  expect(await told('With it')).toContain('In view: shown.ts:1-');
});
