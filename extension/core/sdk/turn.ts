import type { PermissionMode } from '../../protocol/messages.ts';
import { type Environment, toEnvironmentContext } from '../context/environment.ts';
import type { InstructionFile } from '../context/instruction-files.ts';
import { instructionsContext } from '../context/instructions.ts';
import { missingContext } from '../context/missing-context.ts';
import { collaborationContext, permissionsContext } from '../context/permissions.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { ContextBlock, Effort, Message, ToolSpec, Turn, UserBlock } from '../ports/model.ts';

/** What a harness is asked. It keeps no history: give it back the `messages` of its last result, with the new prompt behind them. */
export interface HarnessTurn {
  /** An id, an alias, or `provider/model` of this harness. */
  readonly model: string;
  /** Added to the harness's own. */
  readonly instructions?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[] | undefined;
  /** Where the agent works. */
  readonly environment?: Environment | undefined;
  /** What it may do, as it is told; to hold it to that is up to who runs the tools. */
  readonly permissions?: { readonly mode: PermissionMode; readonly trusted: boolean } | undefined;
  readonly effort?: Effort | undefined;
  /** What AGENTS.md and its like say. */
  readonly userContext?: readonly InstructionFile[] | undefined;
  /** Of one reply; 32,000 where it is left out. */
  readonly maxTokens?: number | undefined;
  /** `session` tells what belongs together in the provider's cache. The rest is for those who read logs. */
  readonly metadata?: ({ readonly session?: string } & Readonly<Record<string, unknown>>) | undefined;
}

const MAX_TOKENS = 32_000;

/** The request for a turn. What its messages tell of the surroundings already is not told again. */
export function toTurn(turn: HarnessTurn, model: string, system: string): Turn {
  const { messages, tools = [], maxTokens = MAX_TOKENS, effort, metadata } = turn;
  const untold = missingContext(messages, contextOf(turn)).filter((draft) => draft.type === 'context');
  const blocks = untold.map(({ type, kind, text }): ContextBlock => ({ type, kind, text }));
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

/** Context stands before the newest words of the user, behind results and earlier context. */
function withContext(messages: readonly Message[], blocks: readonly ContextBlock[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: blocks }];
  const isBefore = ({ type }: UserBlock) => type === 'tool_result' || type === 'context';
  const place = last.content.findLastIndex(isBefore) + 1;
  return [...messages.slice(0, -1), { role: 'user', content: last.content.toSpliced(place, 0, ...blocks) }];
}
