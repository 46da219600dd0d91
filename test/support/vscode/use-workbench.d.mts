import type { FrameLocator, Page } from 'playwright-core';
import type { RunningVsCode } from '../../../scripts/lib/vscode/server.d.mts';

export interface WorkbenchUnderTest {
  readonly page: Page;
  /** The document of the Harness webview, which is already open. */
  readonly panel: FrameLocator;
  /** With `vscode.workspace`, the folder that is open. */
  readonly vscode: RunningVsCode;
  readonly consoleErrors: readonly string[];
}

/**
 * Called once at the top of a vitest file: one VS Code with the packaged extension for all its tests, with
 * the Harness panel open. When a test fails, a picture of the window is kept and the logs are shown.
 */
export function useWorkbench(options?: {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Contents by path, put into the sample project that is opened. */
  readonly files?: Readonly<Record<string, string>>;
  /** VS Code's display language, which is English else. */
  readonly language?: string;
  readonly width?: number;
  readonly height?: number;
}): WorkbenchUnderTest;
