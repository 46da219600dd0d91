import { beforeEach, expect } from 'vitest';
import type { EndReason, SessionEvent } from '../../../extension/protocol/events.ts';
import type { FakeOptions } from '../../../scripts/lib/claude/fake-anthropic.ts';
import { runCommand } from '../../../scripts/lib/vscode/browser.mjs';
import { HarnessPanel } from './harness-panel.ts';
import { outlineOfEvents, outlineOfParts } from './outline.ts';
import { storedRun, storedSession } from './stored-session.ts';
import { type Claude, useClaude } from './use-claude.ts';
import { useWorkbench, type WorkbenchUnderTest } from './use-workbench.mjs';

export interface HarnessUnderTest {
  readonly claude: Claude;
  readonly workbench: WorkbenchUnderTest;
  readonly panel: HarnessPanel;
  /** The log of the session in which `prompt` was asked. */
  log(prompt: string): Promise<readonly SessionEvent[]>;
  /** Resolves when the run of `prompt` has ended in the log, and the panel shows its calls as they ended. */
  ended(prompt: string): Promise<{ readonly reason: EndReason; readonly events: readonly SessionEvent[] }>;
}

type WorkbenchOptions = NonNullable<Parameters<typeof useWorkbench>[0]>;

/** Any, since the one behind it is not the real Claude. */
export const API_KEY = 'sk-ant-a-key-of-this-test';

/** Called once at the top of a vitest file: the packaged extension in a real workbench, a new session for each test. */
export async function useHarness({
  claude: fakeOptions = {},
  env,
  ...options
}: WorkbenchOptions & { readonly claude?: FakeOptions } = {}): Promise<HarnessUnderTest> {
  const claude = await useClaude(fakeOptions);
  const workbench = useWorkbench({
    ...options,
    // Else the terminal's text is a picture.
    settings: { 'terminal.integrated.gpuAcceleration': 'off', ...options.settings },
    env: { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: API_KEY, ...env },
  });
  const panel = new HarnessPanel(() => workbench.panel);
  beforeEach(async () => {
    await runCommand(workbench.page, 'Harness: New Session');
    await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await panel.part('user').first().waitFor({ state: 'detached' });
    await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  });
  return {
    claude,
    workbench,
    panel,
    log: (prompt) => storedSession(workbench.vscode.harnessHome, prompt),
    async ended(prompt) {
      const events = await storedRun(workbench.vscode.harnessHome, prompt);
      await panel.rests();
      const told = outlineOfEvents(events).filter((line) => !line.startsWith('text'));
      await expect
        .poll(async () => outlineOfParts(await panel.parts()))
        .toEqual(expect.arrayContaining(told));
      const end = events.at(-1);
      return { events, reason: end?.type === 'turn_ended' ? end.reason : 'error' };
    },
  };
}
