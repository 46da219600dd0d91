import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Result {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds in the frame's page that is a serious or critical obstacle. */
export async function seriousObstacles(frame: Frame): Promise<string[]> {
  await frame.evaluate(await axe);
  const results: Result[] = await frame.evaluate(async () => {
    const { violations } = await Reflect.get(window, 'axe').run({ resultTypes: ['violations'] });
    return violations;
  });
  return results
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
