import { expect, it } from 'vitest';
import type { SeenFile } from '../../../extension/core/log/seen-files.ts';
import { ResultBudget } from '../../../extension/core/loop/result-budget.ts';
import type { ToolRun } from '../../../extension/core/loop/run.ts';
import { failedToolResult } from '../../../extension/core/loop/tool-failure.ts';
import { stageResult } from '../../../extension/core/loop/tool-result.ts';
import { LineView } from '../../../extension/core/rendering/line-view.ts';

it('a refusal whose lines are cut makes none of them known, a whole one does', () => {
  const view = LineView.empty.withShown({ first: 47, last: 86 });
  const seen: Record<string, SeenFile> = { '/a.ts': { version: 'v', inPart: true, view } };
  const linesAfter = (message: string) => {
    let known: Readonly<Record<string, SeenFile>> = {};
    // As much of a run as the result needs.
    const run = {
      cwd: '/',
      remember: (files: typeof known) => {
        known = files;
      },
      writer: { stage: () => {} },
    } as unknown as ToolRun;
    const event = failedToolResult('call_1', message, 'conflict');
    const call = { id: 'call_1', name: 'edit', input: {} };
    stageResult(run, call, { event, seen }, new ResultBudget(8_192, 15));
    return known['/a.ts']?.view.toNumbers();
  };
  expect(linesAfter('you have not seen line 60')).toEqual([47, 47, 40]);
  expect(linesAfter('a line of the file\n'.repeat(100))).toBeUndefined();
});
