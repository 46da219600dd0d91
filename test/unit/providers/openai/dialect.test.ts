import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EFFORTS } from '../../../../extension/core/ports/model.ts';
import { catalog } from '../../../../extension/core/providers/catalog.ts';
import {
  COMMON,
  type Dialect,
  type DialectRule,
  dialectOf,
  RULES,
} from '../../../../extension/core/providers/openai/dialect.ts';

test.each([
  [
    'a known provider behind a proxy',
    'deepseek',
    'https://proxy.example.com/v1',
    { echo: 'reasoning_content' },
  ],
  [
    'an endpoint of the user’s at a known address',
    'work',
    'https://openrouter.ai/api/v1',
    { efforts: { high: { reasoning: { effort: 'high' } } } },
  ],
  ['OpenAI itself', 'openai', 'https://api.openai.com/v1', { tokenField: 'max_completion_tokens' }],
  ['any server in the place of OpenAI', 'openai', 'http://127.0.0.1:8080/v1', COMMON],
  ['an endpoint that nobody knows', 'work', 'not a valid address', COMMON],
])('%s', (_, provider, baseUrl, expected) => {
  expect(dialectOf(provider, baseUrl, 'a-model')).toMatchObject(expected);
});

test('a model that thinks in its text does so wherever it runs', () => {
  expect(
    dialectOf('work', 'http://127.0.0.1:8000', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B').thinkTags,
  ).toBe(true);
  expect(dialectOf('work', 'http://127.0.0.1:8000', 'llama-3.3-70b').thinkTags).toBe(false);
});

test('every provider of the catalogue that a rule names is there', () => {
  const names = catalog.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(RULES.flatMap(({ providers = [] }) => providers)));
});

const HEADER = `# Dialects of Chat Completions

What Harness sends to a server of Chat Completions, and what it takes back, differs in these points. A rule that stands
further down comes before one above it; an empty cell leaves what was there. The table is made from
\`extension/core/providers/openai/dialect.ts\` by \`test/unit/providers/openai/dialect.test.ts\` (\`vitest run --update=all\`
writes it anew); what the columns mean is said there.

Every server gets back what it sent with a reply or a call of the same model: \`reasoning_details\`, \`extra_content\`,
\`provider_specific_fields\`, and fields with a signature in their name. The column “gets” names what it gets beside that.

What a server refuses all the same, a field, a limit on its reply or an image, is left out of the next attempt, and
from then on (\`extension/core/providers/openai/request-repair.ts\`).
`;

const COLUMNS: readonly (readonly [string, (rule: Partial<Dialect>) => string])[] = [
  ['system prompt', ({ systemRole }) => code(systemRole)],
  ['limit', ({ tokenField }) => code(tokenField)],
  [
    'content beside calls',
    ({ emptyContent }) => code(emptyContent === undefined ? undefined : JSON.stringify(emptyContent)),
  ],
  ['gets', ({ echo }) => (echo === 'none' ? 'nothing more' : code(echo))],
  ['ids', ({ ids }) => (ids === 'nine' ? 'nine characters' : ids ? 'up to 40' : '')],
  ['`stream_options`', ({ streamOptions }) => yes(streamOptions)],
  ['`<think>` in text', ({ thinkTags }) => yes(thinkTags)],
  ['`prompt_cache_key`', ({ cacheKey }) => yes(cacheKey)],
  ['images', ({ images }) => yes(images)],
  ['always sent', ({ extra }) => (extra && Object.keys(extra).length > 0 ? code(JSON.stringify(extra)) : '')],
];

const common: DialectRule = {
  ...COMMON,
  of: 'Any server',
  source: 'platform.openai.com/docs/api-reference/chat',
};

test('the page of dialects says what is sent', async () => {
  const all = [common, ...RULES];
  const fields = table(
    ['of', ...COLUMNS.map(([title]) => title), 'source'],
    all.map((rule) => [nameOf(rule), ...COLUMNS.map(([, cell]) => cell(rule)), rule.source]),
  );
  const efforts = table(
    ['of', ...EFFORTS],
    all
      .filter((rule) => rule.efforts)
      .map((rule) => [nameOf(rule), ...EFFORTS.map((effort) => code(wordOf(rule.efforts?.[effort])))]),
  );
  const page = `${HEADER}\n## Fields\n\n${fields}\n## Effort\n\nWhat is sent where the user has chosen how much to think; nothing where the cell is empty.\n\n${efforts}`;
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../../../docs/dialects.md'));
});

/** As the formatter has it: cells are as wide as the widest of their column. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...rows].map((row) => row[column]?.length ?? 0), 3),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

function nameOf({ of, models }: DialectRule): string {
  return models ? `${of} (${code(String(models).replaceAll('|', '\\|'))})` : of;
}

function wordOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return fields && JSON.stringify(fields).slice(1, -1);
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}

function yes(value: boolean | undefined): string {
  return value === undefined ? '' : value ? 'yes' : 'no';
}
