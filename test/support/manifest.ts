import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A file of the repository whose JSON is an object. */
export async function readJson(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, name), 'utf8')) as Record<string, unknown>;
}

/** package.json as VS Code reads it in English: each `%key%` is the text of package.nls.json. */
export async function readManifest(): Promise<unknown> {
  const texts = await readJson('package.nls.json');
  return JSON.parse(JSON.stringify(await readJson('package.json')), (_, value: unknown) => {
    const key = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
    return key === undefined ? value : texts[key];
  });
}
