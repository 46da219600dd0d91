import { type ResultFields, textField } from './rendering.ts';

/** The output as a terminal shows it. The exit code and the streams are named where they say something. */
export function renderCommand(fields: ResultFields): string {
  const [stdout, stderr] = [textField(fields, 'stdout'), textField(fields, 'stderr')];
  const { exitCode } = fields;
  if (typeof exitCode !== 'number') throw new TypeError('exitCode is no number');
  return [
    ...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
    ...(stdout.trim() === '' ? [] : [stdout.trimEnd()]),
    ...(stderr.trim() === '' ? [] : ['stderr:', stderr.trimEnd()]),
    ...(stdout.trim() === '' && stderr.trim() === '' ? ['(no output)'] : []),
  ].join('\n');
}
