import { expect, test } from 'vitest';
import { loadMarkdown } from '../../webview/markdown/render.ts';
import { type Announcement, joinAnnouncements, shortened } from '../../webview/state/announce.ts';
import { applyDelta } from '../../webview/state/apply-delta.ts';
import { applyEvent } from '../../webview/state/apply-event.ts';
import { createNarrator } from '../../webview/state/narrator.ts';
import { emptySection } from '../../webview/state/parts.ts';
import { request, requestEnd, storedEvents, text } from '../support/panel-events.ts';

await loadMarkdown();

/** A section that is listened to. */
function listener() {
  const section = emptySection();
  const narrator = createNarrator();
  return {
    stream(more: string, isPast = false) {
      applyDelta(section, { type: 'text_delta', session: 'session-1', text: more });
      return texts(narrator.listen(section.open, isPast));
    },
    emit(...drafts: Parameters<typeof storedEvents>[0]) {
      for (const event of storedEvents(drafts)) {
        applyEvent(section, event);
        narrator.add(event);
      }
      return narrator.listen(section.open, false);
    },
  };
}

const texts = (said: readonly Announcement[]) => said.map((one) => one.text);
const heardOf = (content: string) => texts(listener().emit(request(1), text(content))).join('\n');

test('the answer is heard, also where the run ends in the same moment', () => {
  const heard = listener().emit(text('The tests pass.'), { type: 'turn_ended', turn: 1, reason: 'done' });
  expect(joinAnnouncements(heard)).toEqual({ text: 'The tests pass.', urgent: false });
});

test('a question makes what came with it urgent', () => {
  const heard = listener().emit(text('I run it.'), {
    type: 'error',
    message: 'Overloaded.',
    code: 'overloaded',
    retryable: true,
  });
  expect(joinAnnouncements(heard)).toEqual({ text: 'I run it.\nOverloaded.', urgent: true });
});

test('a growing answer is heard block by block, each once', () => {
  const { stream, emit } = listener();
  emit(request(1));
  expect(stream('One ')).toEqual([]);
  expect(stream('paragraph.\n\n')).toEqual([]);
  expect(stream('T')).toEqual(['One paragraph.']);
  expect(stream('wo.\n\n```ts\nconst a = 1;\n')).toEqual(['Two.']);
  expect(stream('```\nEnd')).toEqual(['Code block, 1 line\nconst a = 1;']);
  const whole = 'One paragraph.\n\nTwo.\n\n```ts\nconst a = 1;\n```\nEnd';
  expect(texts(emit(text(whole), requestEnd(1)))).toEqual(['End']);
});

test('two answers of a run are heard, also where nothing of the second was seen growing', () => {
  const { stream, emit } = listener();
  emit(request(1));
  expect(stream('First.\n\nand\n')).toEqual(['First.']);
  const said = emit(text('First.\n\nand\nmore'), requestEnd(1), request(2), text('Second.'));
  expect(texts(said)).toEqual(['and more', 'Second.']);
});

test('a reply that is thrown away does not keep the next one silent', () => {
  const { stream, emit } = listener();
  emit(request(1));
  expect(stream('Same.\n\nx\n')).toEqual(['Same.']);
  const said = emit(requestEnd(1, 'discarded'), request(2), text('Same.\n\nx'));
  expect(texts(said)).toEqual(['Same.', 'x']);
});

test('what had been said before the page was loaded is not heard, what comes after is', () => {
  const { stream } = listener();
  expect(stream('Old.\n\nOld too.\n\nHalf\n', true)).toEqual([]);
  expect(stream('a block.\n\nNew\n')).toEqual(['Half a block.']);
});

test('Markdown is read as words', () => {
  expect(heardOf('# A *big* `thing`')).toBe('A big thing');
  expect(heardOf('See [y](src/a.ts:3) and **bold**\nwords.')).toBe('See y and bold words.');
  expect(heardOf('See [the docs][1], [these][] and `a[i][j]`, or x[i][j].')).toBe(
    'See the docs, these and a[i][j], or x[i][j].',
  );
  expect(heardOf('- one\n- [x] two\n\n1. three\n2. four')).toBe('one\n☑ two\n1. three\n2. four');
  expect(heardOf('| a | **b** |\n|---|---|\n| 1 | `2` |')).toBe('Table, 1 row\na, b\n1, 2');
});

test('of long code and long tables is said how long they are', () => {
  expect(heardOf(`\`\`\`ts\n${'a();\n'.repeat(40)}\`\`\``)).toBe('Code block, 40 lines');
  expect(heardOf(`- x\n\n  \`\`\`\n${'  a();\n'.repeat(40)}  \`\`\``)).toBe('x\nCode block, 40 lines');
  expect(heardOf(`| a |\n|---|\n${'| 1 |\n'.repeat(9)}`)).toBe('Table, 9 rows');
});

test('what is too long to be said says how much is left out', () => {
  const { text: said } = shortened({ text: `${'x'.repeat(7_000)}\n${'y'.repeat(7_000)}`, urgent: false });
  expect(said).toBe(`${'x'.repeat(7_000)}\n… (7001 more characters)`);
  expect(shortened({ text: 'short', urgent: true })).toEqual({ text: 'short', urgent: true });
});
