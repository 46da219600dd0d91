import { defineConfig } from 'vitest/config';
import { inRepository, repository } from '../../scripts/lib/paths.mjs';
import { slowFirst } from '../support/slow-first.mjs';
import { textImports } from '../support/text-imports.mjs';

// The built panel in headless Chromium, without VS Code around it.
export default defineConfig({
  root: repository,
  plugins: [textImports],
  // Where a panel's host runs beside its page.
  resolve: { alias: { vscode: inRepository('test', 'support', 'host', 'vscode-bridge.ts') } },
  test: {
    include: ['test/panel/**/*.test.ts'],
    globalSetup: ['test/panel/build.mjs'],
    environment: 'node',
    maxWorkers: 2,
    sequence: { sequencer: slowFirst(/(recovery|scrolling|streaming)\.test\.ts$/) },
    // A busy machine is no failure; a test that hangs ends all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
