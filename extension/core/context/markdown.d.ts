// `import text from './x.md' with { type: 'text' }` gives the file as it is.
declare module '*.md' {
  const text: string;
  export default text;
}
