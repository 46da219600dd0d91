import type { ProtocolName } from '../providers/catalog.ts';
import coding from './templates/coding.md' with { type: 'text' };
import context from './templates/context.md' with { type: 'text' };
import identity from './templates/identity.md' with { type: 'text' };
import claude from './templates/providers/claude.md' with { type: 'text' };
import codex from './templates/providers/codex.md' with { type: 'text' };
import local from './templates/providers/local.md' with { type: 'text' };
import openaiCompatible from './templates/providers/openai-compatible.md' with { type: 'text' };

/** What the models behind a protocol need to be told beside what all are told. */
const OWN: Readonly<Record<ProtocolName, string>> = {
  anthropic: claude,
  responses: codex,
  chat: openaiCompatible,
  ollama: local,
  lmstudio: local,
  vscode: openaiCompatible,
  demo: '',
};

/**
 * The system prompt of a session with a model behind this protocol; `instructions` are the user's own and may be empty. It
 * must not change while the session lives: prompt caches and signed thinking are bound to it. So there is no clock in it,
 * and nothing of the workspace: what can change is told by `context` events.
 */
export function systemPrompt(protocol: ProtocolName, instructions: string): string {
  return [identity, coding, context, OWN[protocol], instructions.trim()]
    .filter((part) => part !== '')
    .map((part) => part.trimEnd())
    .join('\n\n');
}

/**
 * A template with a value in the place of each `{name}`, and without the line feed at its end. What a value holds is not
 * filled again. Throws where a placeholder has no value: a template that went out with a hole would be read as it is.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.trimEnd().replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template has no value for “${name}”.`);
    return value;
  });
}
