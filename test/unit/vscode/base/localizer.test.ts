import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { say } from '../../../../extension/protocol/say.ts';
import { createLocalizer, SAID } from '../../../../extension/vscode/base/localizer.ts';

const german: Record<string, string> = JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8'));

const hear = createLocalizer({
  'Read {0}?/say': '{0} lesen?',
  'Move {0} to {1}?/say': '{1} wird {0}?',
  'Stopped./say': 'Angehalten.',
  'Refused{0}. Try again./say': 'Abgelehnt{0}. Noch einmal.',
  'Refused by {0}. Try again./say': '{0} lehnt ab. Noch einmal.',
  'Not done. {0.}/say': 'Nicht getan. {0.}',
  '{0.} Wait {1} minutes./say': '{0.} {1} Minuten warten.',
  '{0} is too large./say': '{0} ist zu groß.',
  '{0} in the way is too large./say': '{0} im Weg ist zu groß.',
  'Kept as {0}./say': '{0} ist aufbewahrt, als {0}.',
  'Never mind': 'Schon gut',
  '{0} in {1}': '{1}, darin {0}',
});

test.each([
  ['a whole sentence', 'Stopped.', 'Angehalten.'],
  ['a value', 'Read a.ts?', 'a.ts lesen?'],
  ['values in another order', 'Move a to b?', 'b wird a?'],
  ['a value that is used twice', 'Kept as x.', 'x ist aufbewahrt, als x.'],
  ['no value at all', 'Refused. Try again.', 'Abgelehnt. Noch einmal.'],
  ['the sentence with the longer beginning', 'Refused by b. Try again.', 'b lehnt ab. Noch einmal.'],
  ['the longer sentence', 'b in the way is too large.', 'b im Weg ist zu groß.'],
  ['a sentence in a sentence', 'Stopped. Wait 3 minutes.', 'Angehalten. 3 Minuten warten.'],
  ['one in one in one', 'Not done. Read a? Wait 2 minutes.', 'Nicht getan. a lesen? 2 Minuten warten.'],
  ['an unknown sentence in a sentence', 'HTTP 529. Wait 3 minutes.', 'HTTP 529. 3 Minuten warten.'],
  ['sentences in lines', 'Stopped.\nRead a?', 'Angehalten.\na lesen?'],
])('%s is heard', (_, sentence, expected) => {
  expect(hear(sentence)).toBe(expected);
});

test.each([
  'Claude is overloaded.',
  'Anthropic had an internal error: Oops.',
  '“vscode/x” failed: Oops. VS Code provides no further details.',
  'The response ended before it was complete.',
])('“%s” is heard with the advice behind it', (happened) => {
  const advice = 'Try again later, or choose another model with “Harness: Select Model”.';
  const translated = createLocalizer(german);
  const told = translated(`${happened} ${advice}`);
  expect(told).toContain(translated(happened));
  expect(told).toContain('Versuchen Sie es später');
  expect(told).not.toContain('Try again');
});

test.each([
  ['a value that is a known sentence', 'Read Stopped.?', 'Stopped. lesen?'],
  ['a value that looks like a place', 'Read {0} and {1.}?', '{0} and {1.} lesen?'],
  ['a value that ends like another sentence', 'Read b is too large.?', 'b is too large. lesen?'],
  ['a value with a replacement pattern', 'Read $& $1?', '$& $1 lesen?'],
  ['a value of several lines', 'Read a\nStopped.?', 'a\nStopped. lesen?'],
])('%s stays as it is', (_, sentence, expected) => {
  expect(hear(sentence)).toBe(expected);
});

test.each([
  ['an unknown sentence', 'Anything else.'],
  ['a known one with something before it', 'So: Read a?'],
  ['lines of which one is not known', 'Stopped.\nreally'],
  ['a beginning and an end that share a character', 'Refused. Try'],
  ['a sentence that nobody says, but the panel writes', 'Never mind'],
  ['a text that a sentence of the panel would match', 'one in two'],
])('%s stays as it is', (_, sentence) => {
  expect(hear(sentence)).toBe(sentence);
});

test('a sentence is known again by its own template, whatever path is in it', () => {
  const hearGerman = createLocalizer(german);
  const path = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `/${text.replaceAll('\n', ' ')}`);
  fc.assert(
    fc.property(path, (given) => {
      expect(hearGerman(say('Read {0}?', given))).toBe(say('{0} lesen?', given));
      expect(hearGerman(say('Outside the workspace: {0}', given))).toBe(
        say('Außerhalb des Arbeitsbereichs: {0}', given),
      );
    }),
  );
});

test('every sentence of the German bundle is heard as itself', () => {
  const hearGerman = createLocalizer(german);
  const said = Object.entries(german).filter(([key]) => key.endsWith(SAID));
  expect(said.length).toBeGreaterThan(100);
  for (const [key, translation] of said) {
    const values = ['first', 'second', 'third', 'fourth'];
    expect(hearGerman(say(key.slice(0, -SAID.length), ...values))).toBe(say(translation, ...values));
  }
});

test('a text of a million characters that almost matches is looked through and left alone', () => {
  const long = `Move ${'to '.repeat(350_000)}`;
  expect(hear(long)).toBe(long);
  expect(hear(`${long}?`)).toHaveLength('?'.length + long.length - 'Move  to '.length + ' wird '.length);
});
