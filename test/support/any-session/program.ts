// Everything that can happen in a session, as data, for property tests.
import fc from 'fast-check';

/** Half a character, as what was cut in the middle of an emoji ends with it, among others. */
const TEXTS = ['Hello.', 'Cut \ud83d', '\ude00 rest', '😀', ' \n', '', '{"a":1}', '\\ud83d', 'x'.repeat(300)];
const text = fc.constantFrom(...TEXTS);
/** Nobody can say nothing. */
const said = fc.constantFrom(...TEXTS.filter((each) => each.trim() !== ''));

/** What models and servers have called calls. */
const id = fc.constantFrom(
  'call_1',
  'toolu_01AbC',
  '',
  'functions.read:0',
  'ü 1',
  'c'.repeat(80),
  'a1B2c3D4e',
);
const name = fc.constantFrom(
  'list_dir',
  'read',
  'write',
  'apply_patch',
  'update_plan',
  'no such tool',
  '',
  'ä'.repeat(70),
);
const input = fc.constantFrom<Record<string, unknown>>(
  {},
  { path: '.' },
  { path: 'missing\ud83d' },
  { input: '*** Begin Patch\n\ud83d' },
  { plan: [], '\udc00': [{ deep: '\ud83d' }] },
);

const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text, preamble: fc.boolean() }),
  fc.record({ type: fc.constant('thinking' as const), text }),
  fc.record({ type: fc.constant('sealed' as const) }),
  fc.record({ type: fc.constant('call' as const), id, name, input, isInvalid: fc.boolean() }),
  fc.record({ type: fc.constant('call' as const), id, name, input, isInvalid: fc.constant(false) }),
  fc.record({
    type: fc.constant('call' as const),
    id,
    name: fc.constant('write'),
    input: fc.constant({ path: 'a.txt', content: '😀' }),
    isInvalid: fc.constant(false),
  }),
);

const end = fc.constantFrom(
  ...(['end', 'end', 'end', 'end', 'length', 'cut call', 'pause', 'refusal', 'context_exceeded'] as const),
  ...(['overloaded', 'auth', 'cancel', 'throw', 'silence'] as const),
);

const reply = fc.record({
  blocks: fc.array(block, { maxLength: 5 }),
  end,
  /** What the user says while it is written. */
  meanwhile: fc.option(said, { freq: 8, nil: undefined }),
});

const asked = {
  speaker: fc.nat(),
  fallback: fc.option(fc.nat(), { freq: 3, nil: undefined }),
  replies: fc.array(reply, { maxLength: 4 }),
};

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('prompt' as const), text: said, images: fc.nat(2), ...asked }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('prompt' as const),
      text: fc.constant(''),
      images: fc.constant(2),
      ...asked,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('continue' as const), ...asked }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), ...asked }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('note' as const), text: said }) },
  /** The process dies with so much in the log, and the session is opened again. */
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill' as const), kept: fc.nat() }) },
);

export type Block = typeof block extends fc.Arbitrary<infer T> ? T : never;
export type Reply = typeof reply extends fc.Arbitrary<infer T> ? T : never;
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export const programs = fc.array(step, { minLength: 1, maxLength: 7 });
