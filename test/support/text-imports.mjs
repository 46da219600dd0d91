/**
 * `import text from './x.md' with { type: 'text' }`, as Node and esbuild read it: a plugin for Vitest.
 * @type {import('vite').Plugin}
 */
export const textImports = {
  name: 'text-imports',
  transform: (code, id) => (id.endsWith('.md') ? `export default ${JSON.stringify(code)};` : undefined),
};
