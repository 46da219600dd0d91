import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a VS Code support a language without a download. VS Code's own texts stay English; extensions bring
 * their translations. Writes the files that VS Code writes when a language pack is installed.
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
