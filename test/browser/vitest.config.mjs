import { defineConfig } from 'vitest/config';
import { repository } from '../../scripts/lib/paths.mjs';
import { textImports } from '../support/text-imports.mjs';

/** What is run once more; else all. @type {string[] | null} */
const files = JSON.parse(process.env.HARNESS_TEST_FILES ?? 'null');

// Each file has a VS Code and a browser of its own, with a port, data and logs of their own. Most of the time these wait for
// each other, so two files share two cores. HARNESS_BROWSER_WORKERS=1 runs one file at a time.
export default defineConfig({
  root: repository,
  plugins: [textImports],
  test: {
    include: (files ?? ['**/*.test.ts']).map((file) => `test/browser/${file}`),
    environment: 'node',
    pool: 'forks',
    maxWorkers: Number(process.env.HARNESS_BROWSER_WORKERS ?? 2),
    // A busy machine is no failure; a test that hangs ends all the same.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Playwright stumbles within itself over a page of which a part has crashed, which crash.test.ts has by intention.
    onUnhandledError: ({ message, stack = '' }) =>
      !(message === 'Frame has been detached.' && stack.includes('playwright-core')),
  },
});
