import * as z from 'zod/mini';
import type { ToolName } from '../../protocol/tool-names.ts';

export interface PlanStep {
  readonly title: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** The tool that models use to show their plan, if they were trained with it. */
export const UPDATE_PLAN = 'update_plan' satisfies ToolName;

const plan = z.object({
  plan: z.array(z.object({ step: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

/** The plan that a call shows; undefined if it shows none. */
export function planSteps(name: string, input: unknown): readonly PlanStep[] | undefined {
  if (name !== UPDATE_PLAN) return undefined;
  return plan.safeParse(input).data?.plan.map(({ step, status }) => ({ title: step, status }));
}
