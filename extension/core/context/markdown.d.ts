// `import text from './x.md' with { type: 'text' }` returns the unchanged content of the file.
declare module '*.md' {
  const text: string;
  export default text;
}
