import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `import text from './x.md' with { type: 'text' }`, as Node and esbuild read it. */
const textImports = {
  name: 'text-imports',
  transform: (code: string, id: string) =>
    id.endsWith('.md') ? `export default ${JSON.stringify(code)};` : undefined,
};

export default defineConfig({
  plugins: [textImports],
  resolve: { alias: { vscode: fileURLToPath(new URL('test/support/vscode-api.ts', import.meta.url)) } },
  test: {
    include: ['test/{arch,unit,scenario,webview,contract,live}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/support/fixed-seed.ts'],
    // A busy machine is no failure; a test that hangs ends all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
