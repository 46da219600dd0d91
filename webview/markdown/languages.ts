// The languages that code is coloured in, by the names that fences give them.
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
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { MoreLanguage } from './more-languages.ts';

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
  markdown,
  python,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
type Language = keyof typeof definitions;

/** TypeScript's rules hold for JavaScript, and C++'s for C. */
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
  markdown: 'markdown md',
  python: 'python py',
  rust: 'rust rs',
  shell: 'shell console shellsession',
  sql: 'sql',
  typescript: 'typescript ts tsx mts cts javascript js jsx mjs cjs',
  xml: 'xml html xhtml svg vue',
  yaml: 'yaml yml',
};

const moreNames: Record<MoreLanguage, string> = {
  cmake: 'cmake',
  css: 'css',
  dart: 'dart',
  elixir: 'elixir ex exs',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'haskell hs',
  kotlin: 'kotlin kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'makefile make mk',
  nginx: 'nginx',
  objectivec: 'objectivec objc objective-c',
  perl: 'perl pl',
  php: 'php',
  powershell: 'powershell ps1 pwsh ps',
  protobuf: 'protobuf proto',
  r: 'r',
  ruby: 'ruby rb',
  scala: 'scala',
  scss: 'scss sass',
  swift: 'swift',
};

const languages = byName(names);
const moreLanguages = byName(moreNames);
/** Set once it is loaded. */
let more: typeof import('./more-languages.ts').moreDefinitions | undefined;

function byName<Key extends string>(given: Record<Key, string>): ReadonlyMap<string, Key> {
  // The keys of `given` are languages.
  const entries = Object.entries(given) as [Key, string][];
  return new Map(
    entries.flatMap(([language, all]) => all.split(' ').map((name): [string, Key] => [name, language])),
  );
}

/** Whether the rules of a language have to be loaded first. */
export function isMissing(name: string): boolean {
  return more === undefined && moreLanguages.has(name.toLowerCase());
}

/** Loads what `isMissing`. */
export async function loadLanguages(): Promise<void> {
  more = (await import('./more-languages.ts')).moreDefinitions;
}

/** HTML with classes for `code`, whose text is `code`; undefined where the language is unknown. */
export function colour(code: string, name: string): string | undefined {
  const language = registered(name.toLowerCase());
  if (language === undefined) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

/** The language that goes by this name, ready to be used. */
function registered(name: string): string | undefined {
  const own = languages.get(name);
  const loaded = moreLanguages.get(name);
  const definition = own ? definitions[own] : loaded && more?.[loaded];
  const language = own ?? loaded;
  if (language === undefined || definition === undefined) return undefined;
  if (!highlighter.getLanguage(language)) highlighter.registerLanguage(language, definition);
  return language;
}
