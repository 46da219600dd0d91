import type { ToolName } from '../../protocol/tool-names.ts';
import { plannedSteps } from '../tools/update-plan.ts';

export interface PlanStep {
  readonly title: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** The tool that models use to show their plan, if they were trained with it. */
export const UPDATE_PLAN = 'update_plan' satisfies ToolName;

/** The plan that a call shows; undefined if it shows none. */
export function planSteps(name: string, input: unknown): readonly PlanStep[] | undefined {
  return name === UPDATE_PLAN ? plannedSteps(input) : undefined;
}
