// Finding in the whole conversation: the host searches the log, the page shows what was found.
import * as z from 'zod/mini';

const count = z.int().check(z.nonnegative());
const session = z.string();

const findOptions = z.object({ matchCase: z.boolean(), wholeWord: z.boolean(), regex: z.boolean() });
export type FindOptions = z.infer<typeof findOptions>;

/** Which of a part's texts: what was said or written, or a call's name, input, outcome in a few words, or result. */
const findField = z.enum(['text', 'name', 'input', 'outcome', 'result']);
export type FindField = z.infer<typeof findField>;

const findMatch = z.object({
  /** Index of the section. */
  section: count,
  /** Of the event that made the part. */
  seq: z.int().check(z.positive()),
  /** The part's id, as the page has it. */
  part: z.string(),
  field: findField,
  /** Where in that text, in UTF-16 units; in markdown, of its source. */
  offset: count,
  length: count,
});
export type FindMatch = z.infer<typeof findMatch>;

/** Matches that the page is sent; there may be more. */
export const MAX_MATCHES = 10_000;
/** Characters of a query. */
const LONGEST_QUERY = 1_000;

/** Begins a search, and ends the one before. Answered by `find/results`, again whenever there is more. */
export const findStart = z.object({
  type: z.literal('find/start'),
  session,
  /** Comes back with the results. */
  request: z.int(),
  query: z.string().check(z.maxLength(LONGEST_QUERY)),
  options: findOptions,
});
export type FindStart = z.infer<typeof findStart>;

export const findStop = z.object({ type: z.literal('find/stop'), session });

/**
 * `matches` take the place of all that were sent before from section `from` on, in the order of the log. `total` counts
 * also those that are not sent. `error`: the expression is none, or takes too long; then nothing more comes.
 */
export const findResults = z.object({
  type: z.literal('find/results'),
  session,
  request: z.int(),
  from: count,
  total: count,
  isComplete: z.boolean(),
  matches: z.array(findMatch),
  error: z.optional(z.enum(['invalid', 'slow'])),
});
export type FindResults = z.infer<typeof findResults>;

/** Shows the find widget, or goes to another prompt: asked for from outside the page. */
export const findOpen = z.object({ type: z.literal('find/open') });
export const promptStep = z.object({ type: z.literal('prompt/step'), direction: z.literal([-1, 1]) });

/** Asks for the nearest prompt before or after a section. */
export const promptSeek = z.object({
  type: z.literal('prompt/seek'),
  session,
  section: count,
  direction: z.literal([-1, 1]),
});
/** The answer; without `place` where there is none. */
export const promptFound = z.object({
  type: z.literal('prompt/found'),
  session,
  direction: z.literal([-1, 1]),
  place: z.optional(z.object({ section: count, part: z.string() })),
});

/** Puts one part into the clipboard, as Markdown. */
export const partCopy = z.object({ type: z.literal('part/copy'), session, section: count, part: z.string() });
