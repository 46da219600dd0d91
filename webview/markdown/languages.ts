// The languages of code coloring, with the names that fences use for them.
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const definitions = {
  bash,
  cpp,
  csharp,
  diff,
  dockerfile,
  go,
  ini,
  java,
  json,
  python,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
type Language = keyof typeof definitions;

/** JavaScript uses TypeScript's rules, and C uses C++'s. */
const names: Record<Language, string> = {
  bash: 'bash sh zsh shellscript',
  cpp: 'cpp c++ cc cxx h hpp c',
  csharp: 'csharp cs c#',
  diff: 'diff patch',
  dockerfile: 'dockerfile docker',
  go: 'go golang',
  ini: 'ini toml properties',
  java: 'java',
  json: 'json jsonc json5 jsonl',
  python: 'python py',
  rust: 'rust rs',
  shell: 'shell console shellsession',
  sql: 'sql',
  typescript: 'typescript ts tsx mts cts javascript js jsx mjs cjs',
  xml: 'xml html xhtml svg vue',
  yaml: 'yaml yml',
};

const languages = new Map(
  Object.entries(names).flatMap(([language, given]) => given.split(' ').map((name) => [name, language])),
) as ReadonlyMap<string, Language>; // The keys of `names` are languages.

/** Returns HTML with classes for `code`, without changing its text. Undefined if the language is unknown. */
export function color(code: string, name: string): string | undefined {
  const language = languages.get(name.toLowerCase());
  if (language === undefined) return undefined;
  if (!highlighter.getLanguage(language)) highlighter.registerLanguage(language, definitions[language]);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
