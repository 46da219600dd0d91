import { ToolError } from '../base/tool-error.ts';
import { runPrompt } from '../loop/agent-loop.ts';
import type { Run } from '../loop/run.ts';
import { type Action, hashAction } from '../permission/action.ts';
import type { StopReason, ToolSpec } from '../ports/model.ts';
import type { PreparedCall, Tool } from '../tools/common/tool.ts';
import { TurnCollector, type TurnResult } from './collect.ts';
import type { HarnessEvent } from './events.ts';
import { createRun, type Workbench } from './harness-run.ts';
import { UPDATE_PLAN } from './plan.ts';

/** Runs the tools, and decides whether a call may run at all. */
export interface ToolHandler {
  /** Tools offered in addition to those of the turn. */
  available(): readonly ToolSpec[];
  /** Handles one call at a time. What it throws becomes an error that the model reads. */
  handle(call: HandledCall, signal: AbortSignal): Promise<HandledResult>;
}

export interface HandledCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface HandledResult {
  readonly content: string;
  readonly isError?: boolean;
}

export interface LoopOptions {
  readonly signal: AbortSignal;
  /** Requests; 25 if absent. */
  readonly maxSteps?: number;
  /** Gets every event as it happens. */
  readonly onEvent?: (event: HarnessEvent) => void;
}

const MAX_STEPS = 25;

/**
 * Requests replies and runs their tools until the model asks for no more. It uses the session's own loop, so
 * it retries, and the first failed call skips the rest of its reply. Every call gets a result, even after an
 * abort. Never rejects.
 */
export async function runToolLoop(
  workbench: Workbench,
  handler: ToolHandler,
  { signal, maxSteps = MAX_STEPS, onEvent = () => {} }: LoopOptions,
): Promise<TurnResult> {
  const collector = new TurnCollector(onEvent);
  const calls = new HandledCalls(handler);
  const tools = toolsOf(workbench.request.tools, handler).map((spec) => calls.toTool(spec));
  const run = createRun(workbench, {
    tools,
    gate: calls,
    maxTurns: maxSteps,
    signal,
    onEvent: collector.add,
  });
  const reason = await runPrompt(run);
  await run.writer.flush();
  const { clock } = workbench;
  // The loop ended with a reply, whose stop reason the writer has.
  if (reason === 'done') collector.done(clock.now(), run.writer.stop as StopReason);
  if (reason === 'max_turns') collector.done(clock.now(), 'max_steps');
  return collector.result(run.writer.messages());
}

/** Each name once; the handler's own tools come first and win. */
function toolsOf(given: readonly ToolSpec[], handler: ToolHandler): readonly ToolSpec[] {
  const own = handler.available();
  return [...own, ...given.filter(({ name }) => !own.some((tool) => tool.name === name))];
}

/** Passes each call that the loop lets through to the handler. */
class HandledCalls implements Pick<Run['gate'], 'authorize' | 'askUser'> {
  readonly #handler: ToolHandler;
  /** The id of the running call. Only one runs at a time. */
  #id = '';

  constructor(handler: ToolHandler) {
    this.#handler = handler;
  }

  authorize: Run['gate']['authorize'] = async ({ id, action }) => {
    this.#id = id;
    return { allowed: true, asked: false, reason: '', hash: hashAction(action) };
  };

  askUser: Run['gate']['askUser'] = async () => ({ reason: 'no user can be asked' });

  toTool(spec: ToolSpec): Tool {
    return { ...spec, prepare: async (input) => this.#prepare(spec.name, input) };
  }

  #prepare(name: string, input: unknown): PreparedCall {
    return { action: actionOf(name), execute: (signal) => this.#execute(name, input, signal) };
  }

  async #execute(name: string, input: unknown, signal: AbortSignal): ReturnType<PreparedCall['execute']> {
    // The loop passes on the arguments of a call, which are an object.
    const call = { id: this.#id, name, input: input as HandledCall['input'] };
    const { content, isError } = await this.#answer(call, signal);
    if (isError) throw new ToolError(content, { code: 'internal' });
    return { result: { content } };
  }

  async #answer(call: HandledCall, signal: AbortSignal): Promise<HandledResult> {
    const isHandled = this.#handler.available().some(({ name }) => name === call.name);
    if (!isHandled && call.name === UPDATE_PLAN) return { content: 'Plan updated' };
    try {
      return await this.#handler.handle(call, signal);
    } catch (error) {
      throw new ToolError(error instanceof Error ? error.message : String(error), { code: 'internal' });
    }
  }
}

/** Only the handler knows what it will do. */
function actionOf(name: string): Action {
  return { kind: 'run', tool: name, command: name, cwd: '', targets: [] };
}
