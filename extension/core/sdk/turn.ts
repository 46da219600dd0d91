import type { PermissionMode } from '../../protocol/messages.ts';
import { type Environment, toEnvironmentContext } from '../context/environment.ts';
import type { InstructionFile } from '../context/instruction-files.ts';
import { instructionsContext } from '../context/instructions.ts';
import { missingContext } from '../context/missing-context.ts';
import { collaborationContext, permissionsContext } from '../context/permissions.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { ContextBlock, Effort, Message, ToolSpec, Turn, UserBlock } from '../ports/model.ts';

/**
 * A turn for a harness, which stores no history. The caller passes the `messages` of the last result,
 * followed by the new prompt.
 */
export interface HarnessTurn {
  /** An id, an alias, or `provider/model` of this harness. */
  readonly model: string;
  /** Added to the harness's own instructions. */
  readonly instructions?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[] | undefined;
  /** Where the agent works. */
  readonly environment?: Environment | undefined;
  /** The permissions that the model reads. The caller that runs the tools must enforce them. */
  readonly permissions?: { readonly mode: PermissionMode; readonly trusted: boolean } | undefined;
  readonly effort?: Effort | undefined;
  /** The content of AGENTS.md and similar files. */
  readonly userContext?: readonly InstructionFile[] | undefined;
  /** Tokens of one reply; 32,000 if absent. */
  readonly maxTokens?: number | undefined;
  /** `session` groups requests in the provider's cache. The rest is for readers of logs. */
  readonly metadata?: ({ readonly session?: string } & Readonly<Record<string, unknown>>) | undefined;
}

const MAX_TOKENS = 32_000;

/** The request for a turn. It adds only context that the messages do not contain yet. */
export function toTurn(turn: HarnessTurn, model: string, system: string): Turn {
  const { messages, tools = [], maxTokens = MAX_TOKENS, effort, metadata } = turn;
  const missing = missingContext(messages, contextOf(turn)).filter((draft) => draft.type === 'context');
  const blocks = missing.map(({ type, kind, text }): ContextBlock => ({ type, kind, text }));
  return {
    model,
    system,
    messages: blocks.length === 0 ? messages : withContext(messages, blocks),
    tools,
    maxTokens,
    effort,
    session: metadata?.session,
  };
}

function contextOf({ environment, permissions, userContext }: HarnessTurn): readonly ContextText[] {
  return [
    ...(permissions ? [permissionsContext(permissions.mode, permissions.trusted)] : []),
    ...(permissions ? [collaborationContext(permissions.mode)] : []),
    ...(userContext ? [instructionsContext(userContext)] : []),
    ...(environment ? [toEnvironmentContext(environment)] : []),
  ];
}

/** Puts context before the user's newest text, after results and earlier context. */
function withContext(messages: readonly Message[], blocks: readonly ContextBlock[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: blocks }];
  const isBefore = ({ type }: UserBlock) => type === 'tool_result' || type === 'context';
  const place = last.content.findLastIndex(isBefore) + 1;
  return [...messages.slice(0, -1), { role: 'user', content: last.content.toSpliced(place, 0, ...blocks) }];
}
