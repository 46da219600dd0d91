import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const GENERAL = [
  'Explain how this project is organised',
  'Find and mend a small bug',
  'Write a test for something that has none',
];

/** Three prompts that would make sense in the folder. */
export async function suggestPrompts(folder: string | undefined): Promise<string[]> {
  if (!folder) return [];
  const found: string[] = [];
  if (await hasTestScript(folder)) found.push('Run the tests and mend what fails');
  if (await exists(join(folder, 'README.md')))
    found.push(`Summarise what ${basename(folder)} does, from its README and its code`);
  return [...found, ...GENERAL].slice(0, 3);
}

async function hasTestScript(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      scripts?: { test?: unknown };
    };
    return typeof manifest.scripts?.test === 'string';
  } catch {
    // No manifest, or not one that we can read: nothing to suggest from it.
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
