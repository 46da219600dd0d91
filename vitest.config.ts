import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { vscode: fileURLToPath(new URL('test/support/vscode-api.ts', import.meta.url)) } },
  test: {
    include: ['test/{arch,unit,scenario,webview,contract}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
