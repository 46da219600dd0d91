import * as z from 'zod/mini';
import type { EventOf } from '../../protocol/events.ts';
import { ToolError } from '../base/tool-error.ts';
import { defineTool } from './common/tool.ts';

type Steps = EventOf<'plan'>['steps'];

const words = z.string();
const status = z.enum(['pending', 'in_progress', 'completed']);
const steps = z.array(z.strictObject({ title: words, status }));
/** The fields that models of OpenAI know from training. */
const trained = {
  explanation: z.optional(z.string().check(z.describe('Why the plan changes'))),
  plan: z.array(z.strictObject({ step: words, status })),
};
const schema = z.strictObject({
  steps: z.optional(steps),
  explanation: trained.explanation,
  plan: z.optional(trained.plan),
});

export const updatePlan = defineTool({
  name: 'update_plan',
  description:
    'Shows the user your plan. Use it for work of three or more steps: when you begin, and each time a ' +
    'step ends. Give the whole plan each time, with at most one step in progress.',
  schema,
  describedSchema: z.strictObject({ steps }),
  trainedSchema: z.strictObject(trained),
  async prepare(input) {
    const planned = stepsOf(input);
    if (!planned)
      throw new ToolError('give either steps or plan: the whole list of steps', { code: 'invalid_input' });
    if (planned.filter(({ status }) => status === 'in_progress').length > 1) {
      throw new ToolError('at most one step can be in progress; send the whole plan again', {
        code: 'invalid_input',
      });
    }
    return {
      action: { kind: 'read', tool: 'update_plan', targets: [] },
      execute: async () => ({ result: { content: 'Plan updated' }, plan: planned }),
    };
  },
});

/** The plan that an input of `update_plan` has; undefined if it has none. */
export function plannedSteps(input: unknown): Steps | undefined {
  const parsed = schema.safeParse(input);
  return parsed.success ? stepsOf(parsed.data) : undefined;
}

function stepsOf({ steps, plan }: z.infer<typeof schema>): Steps | undefined {
  if (steps && plan) return undefined;
  return steps ?? plan?.map(({ step, status }) => ({ title: step, status }));
}
