import { expect, test } from 'vitest';
import * as vscode from 'vscode';
import { fromChatMessages } from '../../../../extension/vscode/language-models/from-chat-messages.ts';

const { User } = vscode.LanguageModelChatMessageRole;

function said(...content: vscode.LanguageModelInputPart[]) {
  return fromChatMessages([{ role: User, content, name: undefined }]).messages[0]?.content;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const image = new vscode.LanguageModelDataPart(Uint8Array.of(1, 2), 'image/png');

test('what a tool shows and what it writes as data are not lost', () => {
  const json = new vscode.LanguageModelDataPart(bytes('{"a":1}'), 'application/json');
  const shown = [new vscode.LanguageModelTextPart('A screenshot: '), json, image];
  expect(said(new vscode.LanguageModelToolResultPart('call_1', shown))).toEqual([
    { type: 'tool_result', id: 'call_1', content: 'A screenshot: {"a":1}', isError: false },
    { type: 'image', name: '', mediaType: 'image/png', data: 'AQI=' },
  ]);
});

test('a text that comes as data is one', () => {
  const attached = new vscode.LanguageModelDataPart(bytes('# Notes'), 'text/markdown');
  expect(said(attached, image)).toMatchObject([{ type: 'text', text: '# Notes' }, { type: 'image' }]);
});

test('what its maker alone understands is left out', () => {
  const own = new vscode.LanguageModelDataPart(bytes('x'), 'stateful_marker');
  expect(said(new vscode.LanguageModelTextPart('q'), own)).toEqual([{ type: 'text', text: 'q' }]);
});

test('results that come in messages of their own become one message', () => {
  const results = ['a', 'b'].map((id) => new vscode.LanguageModelToolResultPart(id, [image]));
  const { messages } = fromChatMessages(
    results.map((part) => ({ role: User, content: [part], name: undefined })),
  );
  expect(messages).toHaveLength(1);
  expect(messages[0]?.content.map(({ type }) => type)).toEqual([
    'tool_result',
    'image',
    'tool_result',
    'image',
  ]);
});
