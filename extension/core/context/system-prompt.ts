import type { ProtocolName } from '../providers/catalog.ts';
import coding from './templates/coding.md' with { type: 'text' };
import context from './templates/context.md' with { type: 'text' };
import identity from './templates/identity.md' with { type: 'text' };
import claude from './templates/providers/claude.md' with { type: 'text' };
import codex from './templates/providers/codex.md' with { type: 'text' };
import local from './templates/providers/local.md' with { type: 'text' };
import openaiCompatible from './templates/providers/openai-compatible.md' with { type: 'text' };

/** Instructions for the models of one protocol, in addition to those for all models. */
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
 * The system prompt of a session with a model of this protocol. `instructions` are the user's own and may be
 * empty. It must not change during a session, because prompt caches and signed thinking depend on it. So it
 * has no time and nothing about the workspace: `context` events carry what can change.
 */
export function systemPrompt(protocol: ProtocolName, instructions: string): string {
  return [identity, coding, context, OWN[protocol], instructions.trim()]
    .filter((part) => part !== '')
    .map((part) => part.trimEnd())
    .join('\n\n');
}

/**
 * Fills a template: replaces each `{name}` with its value, and drops the final line feed. Does not fill
 * placeholders within values. Throws if a placeholder has no value, because the model would read the
 * placeholder itself.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.trimEnd().replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template has no value for “${name}”.`);
    return value;
  });
}
