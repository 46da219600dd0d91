import * as z from 'zod/mini';
import { ToolError } from '../base/tool-error.ts';
import { defineTool } from './common/tool.ts';

export const updatePlan = defineTool({
  name: 'update_plan',
  description:
    'Shows the user the steps of your plan and how far you are. Give the whole plan each time; at most one step is ' +
    'in progress at a time. It changes nothing.',
  onDemand: true,
  schema: z.strictObject({
    explanation: z.optional(z.string().check(z.describe('Why the plan changes'))),
    plan: z.array(
      z.strictObject({
        step: z.string().check(z.describe('What is to be done, in a few words')),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
  async prepare({ plan }) {
    if (plan.filter(({ status }) => status === 'in_progress').length > 1) {
      throw new ToolError('at most one step can be in progress; send the whole plan again', {
        code: 'invalid_input',
      });
    }
    const steps = plan.map(({ step, status }) => ({ title: step, status }));
    return {
      action: { kind: 'read', tool: 'update_plan', targets: [] },
      execute: async () => ({ result: { content: 'Plan updated' }, plan: steps }),
    };
  },
});
