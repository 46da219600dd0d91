import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { textImports } from './test/support/text-imports.mjs';

/** Files that take longest. They come first, so that no worker is left with one of them at the end. */
const SLOW =
  /(failing-(steps|files)|damaged-log|interrupted-restore|every-byte|checkpoints\/undo|cut-recording|anthropic\/(split|cut))\.test\.ts$/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  plugins: [textImports],
  resolve: { alias: { vscode: fileURLToPath(new URL('test/support/vscode-api.ts', import.meta.url)) } },
  test: {
    include: ['test/{arch,unit,scenario,webview,contract,live}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/support/fixed-seed.ts'],
    sequence: { sequencer: SlowFirst },
    // Vitest leaves a core to itself, which on two cores is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A busy machine is no failure; a test that hangs ends all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
