import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a VS Code know a language without a download. Of its own words it translates none; extensions bring theirs along.
 * What is written is what VS Code writes when a language pack is installed.
 * @param {string} userDataDir
 * @param {string} language
 */
export async function writeLanguagePack(userDataDir, language) {
  const words = path.join(userDataDir, 'language-pack.json');
  const pack = {
    hash: 'without-words',
    extensions: [{ extensionIdentifier: { id: 'harness.without-words' }, version: '1.0.0' }],
    translations: { vscode: words },
    label: language,
  };
  await mkdir(userDataDir, { recursive: true });
  await writeFile(words, JSON.stringify({ version: '1.0.0', contents: {} }));
  await writeFile(path.join(userDataDir, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}
