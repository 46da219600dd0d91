// Without a library: this is loaded with the panel's host, for which zod would be as much as all of the rest.
type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAny: Check = () => true;

function isList(isPart: Check): Check {
  return (value) => Array.isArray(value) && value.every(isPart);
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value, and how often it was read in a row. */
const isRun: Check = (run) => Array.isArray(run) && run.length === 2 && isCount(run[1]);
const isRead: Check = (value) => isObject(value) && Object.values(value).every(isList(isRun));

const timed = { at: optional(isNumber), read: optional(isRead) };
const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  recording: { version: isNumber, session: isText },
  open: { past: isCount, repairs: isList(isText), home: isText, has: isList(isText), ...timed },
  start: { id: isCount, name: isText, given: isText, loose: optional(isText), ...timed },
  piece: { id: isCount, ...timed },
  end: { id: isCount, ...timed },
  input: { id: isCount, name: isText, given: isList(isAny), told: optional(isCount), ...timed },
  log: { line: isText },
  blob: { hash: isText, bytes: isText },
};
/** What every line of a log has. */
const event = { type: isText, timestamp: isNumber, session: isText, seq: isCount, prev: isText };

/** A line of its kind, as Harness writes them; of kinds that are not known nobody can tell. What ports gave is not looked at. */
export function isWellFormed(line: Fields): boolean {
  return typeof line.kind === 'string' && has(line, shapes[line.kind] ?? {});
}

/** It has what every event has. */
export function looksLikeEvent(value: unknown): boolean {
  return isObject(value) && has(value, event);
}

function has(value: Fields, shape: Readonly<Record<string, Check>>): boolean {
  return Object.entries(shape).every(([name, check]) => check(value[name]));
}
