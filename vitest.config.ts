import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { slowFirst } from './test/support/slow-first.mjs';
import { textImports } from './test/support/text-imports.mjs';

const slow =
  /(failing-(steps|files)|killed|damaged-log|interrupted-restore|every-byte|checkpoints\/undo|sessions-large|cut-recording|anthropic\/(split|cut))\.test\.ts$/;

export default defineConfig({
  plugins: [textImports],
  resolve: { alias: { vscode: fileURLToPath(new URL('test/support/vscode-api.ts', import.meta.url)) } },
  test: {
    include: ['test/{arch,unit,scenario,webview,contract,live}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/support/fixed-seed.ts'],
    sequence: { sequencer: slowFirst(slow) },
    // Vitest leaves a core to itself, which on two cores is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A busy machine is no failure; a test that hangs ends all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
