import type { ContextText } from '../ports/context-source.ts';
import { fillTemplate } from './system-prompt.ts';
import limits from './templates/limits.md' with { type: 'text' };

/** The limits of a run that a model can plan with. */
export interface RunLimits {
  readonly maxTurns: number;
  readonly maxToolCallsPerTurn: number;
  /** For one command, in milliseconds. */
  readonly timeoutMs: number;
}

export function limitsContext({ maxTurns, maxToolCallsPerTurn, timeoutMs }: RunLimits): ContextText {
  const text = fillTemplate(limits, {
    turns: String(maxTurns),
    calls: String(maxToolCallsPerTurn),
    seconds: String(timeoutMs / 1000),
  });
  return { kind: 'limits', text };
}
