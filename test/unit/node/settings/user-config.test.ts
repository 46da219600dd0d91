import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUserConfig } from '../../../../extension/node/settings/user-config.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function fileWith(text: string): Promise<string> {
  const path = join(await tempDir(), 'config.json');
  await writeFile(path, text);
  return path;
}

test('without a file there is nothing of the user’s', async () => {
  expect(await readUserConfig(join(await tempDir(), 'config.json'))).toEqual({ endpoints: [], aliases: {} });
});

test('endpoints, aliases and the fallback are read', async () => {
  const config = {
    endpoints: [{ name: 'box', baseUrl: 'http://10.0.0.2:8000/v1', models: ['llama-*'], keyless: true }],
    aliases: { fast: 'groq/llama-4' },
    fallbackModel: 'sonnet',
  };
  expect(await readUserConfig(await fileWith(JSON.stringify(config)))).toEqual(config);
  expect(await readUserConfig(await fileWith(`\uFEFF${JSON.stringify(config)}`))).toEqual(config);
});

test.each([
  ['{', 'is not valid JSON'],
  ['[]', 'is not valid'],
  ['{"endpoint": []}', 'endpoint'],
  ['{"endpoints": {}}', 'endpoints: '],
  ['{"endpoints": [{"name": "box"}]}', 'endpoints[0].baseUrl: '],
  [
    '{"endpoints": [{"name": "box", "baseUrl": "file:///etc/passwd"}]}',
    'endpoints[0].baseUrl: it must start',
  ],
  [
    '{"endpoints": [{"name": "a/b", "baseUrl": "http://x/"}]}',
    'endpoints[0].name: it can contain only letters',
  ],
  [
    '{"endpoints": [{"name": "anthropic", "baseUrl": "http://x/"}]}',
    'endpoints[0].name: it is the name of a provider',
  ],
  [
    '{"endpoints": [{"name": "a", "baseUrl": "http://x/"}, {"name": "a", "baseUrl": "http://y/"}]}',
    'endpoints: two endpoints',
  ],
  ['{"aliases": {"fast": 1}}', 'aliases.fast: '],
  ['{"fallbackModel": ""}', 'fallbackModel: '],
])('%s is refused with its field', async (text, words) => {
  const path = await fileWith(text);
  await expect(readUserConfig(path)).rejects.toThrow(words);
  await expect(readUserConfig(path)).rejects.toThrow(path);
});

test('what cannot be read is told', async () => {
  const folder = await tempDir();
  await expect(readUserConfig(folder)).rejects.toThrow('Could not read');
});
