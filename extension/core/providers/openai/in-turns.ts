import { type Fields, listOf } from '../http/fields.ts';

/** Stands between the results of a run that was stopped and the next prompt. */
const STOPPED = { role: 'assistant', content: '(stopped)' };

/** The same messages for a template that raises an exception where user and model do not take turns. */
export function inTurns(messages: readonly Fields[]): readonly Fields[] {
  const result: Fields[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role !== 'user') result.push(message);
    else if (last?.role === 'user') result[result.length - 1] = joined(last, message);
    else result.push(...(last?.role === 'tool' ? [STOPPED] : []), message);
  }
  return result;
}

function joined(first: Fields, second: Fields): Fields {
  const contents = [first.content, second.content];
  const isText = contents.every((content) => typeof content === 'string');
  return { role: 'user', content: isText ? contents.join('\n\n') : contents.flatMap(partsOf) };
}

function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
