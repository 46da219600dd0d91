import { beforeAll, expect, test } from 'vitest';
import { allTools } from '../../extension/core/tools/all-tools.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli } from '../support/cli.ts';
import { place, server } from '../support/cli-place.ts';

beforeAll(buildCliIfStale);

test('the built product tells a model the same schemas of its tools as the sources do', async () => {
  const { env, fake } = await server(() => ({ blocks: [{ type: 'text', text: 'Hello.' }] }));
  await cli(['exec', 'Hi'], { ...(await place()), env });
  const told = JSON.parse(fake.requests[0]?.raw ?? '{}').tools as { name: string; input_schema: unknown }[];
  const known = allTools.filter(({ onDemand }) => !onDemand);
  expect(told.map(({ name, input_schema }) => [name, input_schema])).toEqual(
    known.map(({ name, inputSchema }) => [name, inputSchema]),
  );
});
