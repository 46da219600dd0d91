import '../../base/zod-messages.ts';
import * as z from 'zod/mini';
import { ToolError } from '../../base/tool-error.ts';

/** Only describes the limit. `checkOperations` enforces it, with its own words. */
const line = (minimum: number) => z.int().check(z.meta({ minimum, maximum: undefined }));
const content = z.array(z.string()).check(z.describe('The new lines, without line ends'));
const range = { startLine: line(1), endLine: line(1) };

const editOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('replace'), ...range, content }),
  z.strictObject({
    op: z.literal('insert'),
    afterLine: line(0).check(z.describe('0: at the top')),
    content,
  }),
  z.strictObject({ op: z.literal('delete'), ...range }),
]);

/** What a model reads of an operation. One form for all three, because a union costs 200 tokens more. */
export const describedOperation = z.object({
  op: z.enum(['replace', 'insert', 'delete']),
  startLine: z.optional(line(1)),
  endLine: z.optional(line(1)),
  afterLine: z.optional(line(0).check(z.describe('For insert; 0: at the top'))),
  content: z.optional(content),
});

export type EditOperation = z.infer<typeof editOperation>;

const NAMES: readonly unknown[] = ['replace', 'insert', 'delete'];

/** Throws `ToolError` for an empty list, an unknown operation, and wrong fields. */
export function parseOperations(values: readonly unknown[]): EditOperation[] {
  if (values.length === 0) throw new ToolError('no operations provided', { code: 'invalid_input' });
  return values.map(parseOperation);
}

function parseOperation(value: unknown, index: number): EditOperation {
  const parsed = editOperation.safeParse(value);
  if (parsed.success) return parsed.data;
  const op = nameOf(value);
  if (op !== undefined && !NAMES.includes(op)) {
    throw new ToolError(`unknown operation: ${op}`, { code: 'invalid_input' });
  }
  const problems = parsed.error.issues.map(
    (issue) => `${['operations', index, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new ToolError(`invalid input for edit: ${problems.join('; ')}`, { code: 'invalid_input' });
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('op' in value)) return undefined;
  return typeof value.op === 'string' ? value.op : JSON.stringify(value.op);
}
