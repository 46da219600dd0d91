import { expect, test } from 'vitest';
import { updatePlan } from '../../../extension/core/tools/update-plan.ts';
import { RUNNING_CALL } from '../../support/running-call.ts';
import { bench, diskWorkspace } from './call-tool.ts';

const { context } = bench(diskWorkspace('/'));
const signal = new AbortController().signal;

const step = (name: string, status: string) => ({ step: name, status });

test('the plan is what the user is shown, and nothing else happens', async () => {
  const plan = [step('Read', 'completed'), step('Fix', 'in_progress'), step('Test', 'pending')];
  const prepared = await updatePlan.prepare({ explanation: 'start', plan }, context, signal);
  expect(prepared.action).toEqual({ kind: 'read', tool: 'update_plan', targets: [] });
  expect(await prepared.execute(signal, () => undefined, RUNNING_CALL)).toEqual({
    result: { content: 'Plan updated' },
    plan: [
      { title: 'Read', status: 'completed' },
      { title: 'Fix', status: 'in_progress' },
      { title: 'Test', status: 'pending' },
    ],
  });
});

test('a plan in the form that all models get', async () => {
  const steps = [{ title: 'Read', status: 'pending' }];
  const prepared = await updatePlan.prepare({ steps }, context, signal);
  expect(await prepared.execute(signal, () => undefined, RUNNING_CALL)).toMatchObject({ plan: steps });
  expect(updatePlan.inputSchema).toMatchObject({ required: ['steps'] });
  expect(updatePlan.trainedSchema).toMatchObject({ required: ['plan'] });
});

test.each([
  ['two steps at once', { plan: [step('a', 'in_progress'), step('b', 'in_progress')] }, 'at most one step'],
  ['an unknown status', { plan: [step('a', 'done')] }, 'invalid input for update_plan: plan.0.status'],
  ['no plan', {}, 'give either steps or plan'],
  ['two plans', { plan: [], steps: [] }, 'give either steps or plan'],
  ['a step of another form', { steps: [step('a', 'pending')] }, 'invalid input for update_plan: steps.0'],
])('%s is told', async (_what, input, words) => {
  await expect(updatePlan.prepare(input, context, signal)).rejects.toThrow(words);
});
