// What VS Code's language models take (https://code.visualstudio.com/api/references/vscode-api#LanguageModelChat), whoever
// stands behind them: two roles, parts of three kinds, and the rules of all who may be asked in the end.
import * as vscode from 'vscode';
import {
  Calls,
  demand,
  demandText,
  demandToolName,
  demandTools,
  demandWellFormed,
  fields,
  violationIn,
} from './rule.ts';

const { User, Assistant } = vscode.LanguageModelChatMessageRole;

export function vscodeViolation(
  messages: readonly vscode.LanguageModelChatMessage[],
  tools: readonly vscode.LanguageModelChatTool[],
): string | undefined {
  return violationIn(() => {
    demandWellFormed(messages, 'messages');
    demandWellFormed(tools, 'tools');
    demandTools(tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema })));
    demand(messages[0]?.role === User, 'the first message is not the user’s');
    demand(messages.at(-1)?.role === User, 'the last word is the model’s own');
    const calls = new Calls(/^[a-zA-Z0-9_-]{1,64}$/);
    messages.forEach(({ role, content }, index) => {
      const at = `messages[${index}]`;
      demand(content.length > 0, `${at} is empty`);
      if (role === Assistant) calls.settled(at);
      for (const part of content) checkPart(part, role, calls, at);
    });
    calls.settled('the end');
  });
}

function checkPart(part: unknown, role: vscode.LanguageModelChatMessageRole, calls: Calls, at: string): void {
  if (part instanceof vscode.LanguageModelTextPart) {
    demandText(part.value, at);
    if (role === User) calls.settled(`${at} says something`);
  } else if (part instanceof vscode.LanguageModelToolCallPart) {
    demand(role === Assistant, `${at} has a call of the user`);
    demandToolName(part.name, at);
    fields(part.input, `${at} input`);
    calls.called({ id: part.callId, kind: 'tool' });
  } else {
    demand(
      part instanceof vscode.LanguageModelToolResultPart && role === User,
      `${at} has a part of no kind`,
    );
    demand(part.content.length > 0, `${at} has an empty result`);
    for (const inner of part.content) {
      demand(inner instanceof vscode.LanguageModelTextPart, `${at} has a result without text`);
      demandText(inner.value, at);
    }
    calls.answered({ id: part.callId, kind: 'tool' });
  }
}
