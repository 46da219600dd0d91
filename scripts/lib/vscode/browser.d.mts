import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';

export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

export interface Workbench {
  readonly page: Page;
  /** The errors of the page and its frames so far, without VS Code's known noise. */
  readonly consoleErrors: readonly string[];
  close(): Promise<void>;
}

/** A headless Chrome, Chromium or Edge of this machine. It ends with this process. */
export function launchBrowser(moreArguments?: readonly string[]): Promise<Browser>;

/** The same with a profile in `folder`, and thus with one context, which owns the browser. */
export function launchProfile(
  folder: string,
  options: {
    readonly args?: readonly string[];
    readonly bypassCSP?: boolean;
    readonly viewport: { readonly width: number; readonly height: number };
  },
): Promise<BrowserContext>;

/** Opens VS Code in a new browser and waits until its parts are visible. */
export function openWorkbench(
  url: string,
  options?: { readonly width?: number; readonly height?: number },
): Promise<Workbench>;

/** Shows the Harness view if it is hidden, and returns the document of its webview. */
export function openHarnessPanel(page: Page): Promise<FrameLocator>;

/** Runs a command by the title that the palette shows, as in "Harness: New Session". */
export function runCommand(page: Page, title: string): Promise<void>;

/** Opens a file of the workspace in an editor, by its name without folders. */
export function openFile(page: Page, name: string): Promise<void>;

export function setTheme(page: Page, theme: Theme): Promise<void>;

/** Chooses a theme by its name in VS Code's list, and does not wait for it. */
export function chooseTheme(page: Page, label: string): Promise<void>;

/** Drags the side bar's edge. VS Code keeps it at 170 px or more. */
export function resizeSideBar(page: Page, width: number): Promise<void>;

/** Takes a picture of the side bar with the panel. */
export function screenshotPanel(page: Page, file: string): Promise<void>;
