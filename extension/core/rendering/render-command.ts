// Renderings of what commands printed.
import { type ResultFields, textField, withNote } from './rendering.ts';

/** The output as a terminal shows it. The exit code and the streams are named where they say something. */
export function renderCommand(fields: ResultFields): string {
  if (typeof fields.id === 'string') return renderStarted(fields);
  const { exitCode } = fields;
  if (typeof exitCode !== 'number') throw new TypeError('exitCode is no number');
  const code = exitCode === 0 ? [] : [`exit code ${exitCode}`];
  return withNote([...code, ...streamsIn(fields)].join('\n'), fields);
}

function streamsIn(fields: ResultFields): string[] {
  const [stdout, stderr] = [textField(fields, 'stdout'), textField(fields, 'stderr')];
  return [
    ...(stdout.trim() === '' ? [] : [stdout.trimEnd()]),
    ...(stderr.trim() === '' ? [] : ['stderr:', stderr.trimEnd()]),
    ...(stdout.trim() === '' && stderr.trim() === '' ? ['(no output)'] : []),
  ];
}

/** A command that runs on. It has streams if it ran in the foreground before. */
function renderStarted(fields: ResultFields): string {
  const [id, file] = [textField(fields, 'id'), textField(fields, 'file')];
  const where = `Its output goes to ${file}; bash_output shows what is new.`;
  if (typeof fields.stdout !== 'string') return `Started in the background as ${id}. ${where}`;
  const moved = `The user moved the command to the background, where it runs on as ${id} until the window reloads. ${where}`;
  return [moved, 'Its output so far:', ...streamsIn(fields)].join('\n');
}

/** New output of a background command, and its state. */
export function renderOutput(fields: ResultFields): string {
  const output = textField(fields, 'output').trimEnd();
  const { running, exitCode } = fields;
  const ended = typeof exitCode === 'number' ? `exit code ${exitCode}` : 'its exit code is unknown';
  const state = running === true ? 'still runs' : `has ended: ${ended}`;
  return withNote(
    `${textField(fields, 'id')} ${state}\n${output === '' ? '(no new output)' : output}`,
    fields,
  );
}
