import { defineConfig } from 'vitest/config';
import { repository } from '../../scripts/lib/paths.mjs';

// Each file has a VS Code and a browser of its own, so one file at a time.
export default defineConfig({
  root: repository,
  test: {
    include: ['test/browser/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
