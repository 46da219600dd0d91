import { expect, test } from 'vitest';
import { type ArrivedList, modelItems } from '../../../../extension/vscode/models/model-items.ts';

const NOTHING = { current: 'anthropic/claude-x', recent: [], aliases: {}, arrived: [] };

const claude: ArrivedList = {
  entry: { name: 'anthropic', label: 'Anthropic' },
  models: [
    {
      id: 'claude-x',
      name: 'Claude X',
      contextWindow: 200_000,
      price: { input: 3, output: 15 },
    },
    { id: 'claude-y', name: 'Claude Y', tools: false },
  ],
};
const ollama: ArrivedList = {
  entry: { name: 'ollama', label: 'Ollama' },
  models: [],
  error: new Error('Ollama is not running at 127.0.0.1:11434. Start it.'),
};

const lines = (items: ReturnType<typeof modelItems>) =>
  items.map(({ kind, label, description, detail }) =>
    kind === -1 ? `--- ${label}` : [label, description, detail].filter((text) => text).join(' | '),
  );

test('before any list has come there is the model in use, and where to set a key', () => {
  expect(lines(modelItems(NOTHING))).toEqual([
    '--- recently used',
    '$(check) anthropic/claude-x',
    '--- ',
    '$(key) Set API Key for Another Provider…',
  ]);
});

test('models stand below their provider with what is known of them, recent ones on top, the current one marked', () => {
  const items = modelItems({
    ...NOTHING,
    recent: ['codex/gpt-5', 'anthropic/claude-x', 'anthropic/claude-y'],
    aliases: { x: 'anthropic/claude-x', gpt: 'codex/gpt-5' },
    arrived: [claude, ollama],
  });
  expect(lines(items)).toEqual([
    '--- recently used',
    '$(check) Claude X | anthropic/claude-x · 200k context · US$ 3 input, 15 output per million tokens',
    'codex/gpt-5',
    'Claude Y | anthropic/claude-y · cannot use tools',
    '--- Anthropic',
    'Claude X | anthropic/claude-x · 200k context · US$ 3 input, 15 output per million tokens',
    'Claude Y | anthropic/claude-y · cannot use tools',
    '--- Ollama',
    '$(warning) Could not load models | Ollama is not running at 127.0.0.1:11434. Start it.',
    '--- short names',
    'x | anthropic/claude-x',
    '--- ',
    '$(key) Set API Key for Another Provider…',
  ]);
});

test('what is chosen is what the setting gets: the model, or its short name', () => {
  const items = modelItems({ ...NOTHING, aliases: { x: 'anthropic/claude-x' }, arrived: [claude, ollama] });
  const named = (label: string) => items.findLast((item) => item.label === label);
  expect(named('Claude Y')).toMatchObject({ reference: 'anthropic/claude-y' });
  expect(named('x')).toMatchObject({ reference: 'x' });
  expect(named('$(warning) Could not load models')).not.toHaveProperty('reference');
  expect(named('$(key) Set API Key for Another Provider…')).toMatchObject({
    command: 'harness.setApiKey',
  });
});

test('a provider without a model says so, and the demo what it is', () => {
  const items = modelItems({
    ...NOTHING,
    arrived: [
      { ...ollama, error: undefined },
      { entry: { name: 'demo', label: 'Demo' }, models: [{ id: 'demo', name: 'Demo (scripted, no AI)' }] },
    ],
  });
  expect(lines(items).slice(2, 6)).toEqual([
    '--- Ollama',
    'No models available',
    '--- Demo',
    'Demo | scripted, not a real AI, no API key needed',
  ]);
});
