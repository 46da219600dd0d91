// The parts that all figures use.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { makeTemporaryFolder } from '../../scripts/lib/vscode/environment.mjs';
import { type Measure, packageExtension } from '../../scripts/lib/vsix.mjs';
import { bundle } from './bundle.ts';
import type { Row } from './report.ts';

export interface Bench {
  /** Temporary; removed when the process ends. */
  readonly folder: string;
  /**
   * A folder with the unpacked extensions that VS Code loads: `harness`, `bare`, and `first`, which does
   * nothing.
   */
  readonly extensions: string;
  /** The sizes of the package. */
  readonly measures: readonly Measure[];
  /** The number of measurements: `full`, or a third of it in a quick run. */
  rounds(full: number): number;
}

export type Figure = (bench: Bench) => Promise<readonly Row[]>;

export async function makeBench(quick: boolean): Promise<Bench> {
  console.log('Packaging the extension …');
  const measures = await packageExtension();
  const folder = await makeTemporaryFolder();
  const extensions = path.join(folder, 'extensions');
  await copyHarness(path.join(extensions, 'harness'));
  await buildBare(path.join(extensions, 'bare'));
  await writeFirst(path.join(extensions, 'first'));
  return {
    folder,
    extensions,
    measures,
    rounds: (full) => (quick ? Math.ceil(full / 3) : full),
  };
}

/** With `dist/cli.js`, so that a rebuild does not affect the bench. */
async function copyHarness(folder: string): Promise<void> {
  for (const part of ['package.json', 'package.nls.json', 'l10n', 'media', 'dist']) {
    await cp(inRepository(part), path.join(folder, part), { recursive: true });
  }
}

async function buildBare(folder: string): Promise<void> {
  const source = inRepository('bench', 'bare-extension');
  await mkdir(folder, { recursive: true });
  await cp(path.join(source, 'package.json'), path.join(folder, 'package.json'));
  await bundle(path.join(source, 'extension.ts'), path.join(folder, 'extension.cjs'), {
    lazy: ['./loop.ts'],
  });
  await bundle(path.join(source, 'loop.ts'), path.join(folder, 'loop.cjs'));
}

/** The extension that activates first pays for what all extensions share. */
async function writeFirst(folder: string): Promise<void> {
  const manifest = { name: 'first', publisher: 'bench', version: '0.0.1', engines: { vscode: '^1.106.0' } };
  await mkdir(folder);
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ ...manifest, main: './extension.cjs', activationEvents: [] }),
  );
  await writeFile(path.join(folder, 'extension.cjs'), "require('vscode');\nexports.activate = () => {};\n");
}
