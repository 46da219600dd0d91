// Harness's models in VS Code's own API, and back through it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { OfferedModels } from '../../../extension/vscode/language-models/offered-models.ts';
import { DONE_CACHED, line, startOllama } from '../../support/wire/ollama-server.ts';
import { askChat } from './chat-models.ts';
import { withClaude } from './claude.ts';
import { withUserSetting } from './files.ts';
import { MemorySecrets } from './memory-secrets.ts';
import { eventually, test } from './runner.ts';

const MODELS = {
  models: [
    {
      id: 'claude-opus-5-5',
      display_name: 'Claude Opus 5.5',
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
    },
  ],
};

const ID = 'anthropic/claude-opus-5-5';

const READ = { name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };

function offered(): OfferedModels {
  return new OfferedModels(new MemorySecrets());
}

const never = new vscode.CancellationTokenSource().token;

const { User, Assistant } = vscode.LanguageModelChatMessageRole;

function message(role: vscode.LanguageModelChatMessageRole, ...content: vscode.LanguageModelInputPart[]) {
  return { role, content, name: undefined };
}

const text = (value: string) => new vscode.LanguageModelTextPart(value);

/** The parts of the model's answer. */
async function answer(
  models: OfferedModels,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  token = never,
  onPart: (part: vscode.LanguageModelResponsePart) => void = () => {},
): Promise<vscode.LanguageModelResponsePart[]> {
  const parts: vscode.LanguageModelResponsePart[] = [];
  const progress = {
    report: (part: vscode.LanguageModelResponsePart) => {
      parts.push(part);
      onPart(part);
    },
  };
  const [model] = await models.list(never);
  assert.ok(model);
  const options = { tools: [READ], toolMode: vscode.LanguageModelChatToolMode.Auto };
  await models.answer(model, messages, options, progress, token);
  return parts;
}

test('offered models: those with a key, with what they take', () =>
  withClaude(
    [],
    async () => {
      const models = offered();
      assert.deepEqual(await models.list(never), [
        {
          id: ID,
          name: 'Claude Opus 5.5',
          family: 'claude-opus-5-5',
          version: 'claude-opus-5-5',
          detail: 'Anthropic',
          maxInputTokens: 968_000,
          maxOutputTokens: 128_000,
          capabilities: { toolCalling: true, imageInput: true },
        },
      ]);
      models.dispose();
    },
    MODELS,
  ));

test('offered models: without a key and a local server there are none', () =>
  withUserSetting('harness.ollama.baseUrl', 'http://127.0.0.1:1', () =>
    withUserSetting('harness.lmstudio.baseUrl', 'http://127.0.0.1:1', async () => {
      const models = offered();
      assert.deepEqual(await models.list(never), []);
      models.dispose();
    }),
  ));

test('offered models: those of a local server, and VS Code looks again when its address is set', async () => {
  const ollama = await startOllama(line({ content: 'From Ollama.' }) + line({}, DONE_CACHED));
  try {
    await vscode.lm.selectChatModels({ vendor: 'harness' });
    await withUserSetting('harness.ollama.baseUrl', ollama.url, async () => {
      const chat = await eventually('VS Code has the model', async () => {
        const found = await vscode.lm.selectChatModels({ vendor: 'harness' });
        return found.find(({ family }) => family === 'qwen3:latest');
      });
      const asked = { model: `${chat.vendor}/${chat.family}` };
      const told = (await askChat(chat, asked)).filter(({ type }) => type === 'text' || type === 'done');
      assert.deepEqual(told, [
        { type: 'text', text: 'From Ollama.' },
        { type: 'done', stop: 'end' },
      ]);
    });
  } finally {
    await ollama.close();
  }
});

test('offered models: a conversation with a tool and an image goes out whole, and the reply comes in parts', () =>
  withClaude(
    [
      {
        blocks: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'b' } },
        ],
      },
    ],
    async (claude) => {
      const models = offered();
      const parts = await answer(models, [
        message(User, text('See:'), vscode.LanguageModelDataPart.image(Uint8Array.of(1, 2), 'image/png')),
        message(
          Assistant,
          text('Ok.'),
          new vscode.LanguageModelToolCallPart('toolu_1', 'read', { path: 'a' }),
        ),
        message(User, new vscode.LanguageModelToolResultPart('toolu_1', [text('A')])),
      ]);
      assert.deepEqual(parts, [
        text('I look.'),
        new vscode.LanguageModelToolCallPart('toolu_2', 'read', { path: 'b' }),
      ]);
      assert.deepEqual(claude.violations, []);
      const sent = JSON.stringify(claude.requests[0]?.body.messages);
      for (const piece of ['"See:"', '"AQI="', '"toolu_1"', '"name":"read"'])
        assert.ok(sent.includes(piece), piece);
      models.dispose();
    },
    MODELS,
  ));

test('offered models: a cancellation closes the connection', () =>
  withClaude(
    [{ blocks: [{ type: 'text', text: 'A long answer.' }], close: 'hang' }],
    async (claude) => {
      const models = offered();
      const source = new vscode.CancellationTokenSource();
      const parts = await answer(models, [message(User, text('q'))], source.token, () => source.cancel());
      assert.equal(parts.length, 1);
      await eventually('the connection is closed', () => claude.requests[0]?.disconnected);
      models.dispose();
    },
    MODELS,
  ));

test('offered models: what went wrong is told in VS Code’s words, and a broken call is none', () =>
  withClaude(
    [
      { status: 429, body: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } } },
      { blocks: [{ type: 'tool_use', name: 'read', input: '{"path":' }] },
    ],
    async () => {
      const models = offered();
      const asked = () => answer(models, [message(User, text('q'))]);
      await assert.rejects(
        asked,
        (error) => error instanceof vscode.LanguageModelError && error.code === 'Blocked',
      );
      await assert.rejects(asked, /not valid JSON/);
      models.dispose();
    },
    MODELS,
  ));

test('offered models: a short text has a token for four characters, a long one is counted by its API', () =>
  withClaude(
    [],
    async (claude) => {
      const models = offered();
      const [model] = await models.list(never);
      assert.ok(model);
      const count = (given: string | vscode.LanguageModelChatRequestMessage) =>
        models.countTokens(model, given, never);
      assert.equal(await count('12345678'), 2);
      assert.equal(await count(message(User, text('1234'), text('5'))), 2);
      const long = 'word '.repeat(1000);
      assert.ok((await count(long)) > 1250);
      assert.ok((await count(message(Assistant, text(long)))) > 1250);
      await claude.close();
      assert.equal(await count(long), 1250);
      models.dispose();
    },
    MODELS,
  ));

test('offered models: VS Code finds them, and through VS Code they answer Harness', () =>
  withClaude(
    [
      {
        blocks: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
        ],
      },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    ],
    async (claude) => {
      const chat = await eventually('VS Code has the model', async () => {
        const [found] = await vscode.lm.selectChatModels({ vendor: 'harness' });
        return found;
      });
      assert.equal(chat.name, 'Claude Opus 5.5');
      const model = `${chat.vendor}/${chat.family}`;
      const first = await askChat(chat, { model, tools: [READ] });
      const call = first.find((event) => event.type === 'tool_call');
      assert.deepEqual(call, { type: 'tool_call', id: 'toolu_1', name: 'read', input: { path: 'a' } });
      const usage = first.find((event) => event.type === 'usage');
      assert.equal(usage?.usage.estimated, true);
      const second = await askChat(chat, {
        model,
        tools: [READ],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'q' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
          { role: 'user', content: [{ type: 'tool_result', id: 'toolu_1', content: 'A', isError: false }] },
        ],
      });
      assert.deepEqual(
        second.filter(({ type }) => type === 'text' || type === 'done'),
        [
          { type: 'text', text: 'Done.' },
          { type: 'done', stop: 'end' },
        ],
      );
      assert.deepEqual(claude.violations, []);
    },
    MODELS,
  ));
