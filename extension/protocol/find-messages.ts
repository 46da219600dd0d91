// Search in the whole conversation: the host searches the log, and the page shows the matches.
import * as z from 'zod/mini';

const count = z.int().check(z.nonnegative());
const session = z.string();

const findOptions = z.object({ matchCase: z.boolean(), wholeWord: z.boolean(), regex: z.boolean() });
export type FindOptions = z.infer<typeof findOptions>;

/** Selects one of a part's texts: its words, or a call's name, input, outcome in a few words, or result. */
const findField = z.enum(['text', 'name', 'input', 'outcome', 'result']);
export type FindField = z.infer<typeof findField>;

const findMatch = z.object({
  /** Index of the section. */
  section: count,
  /** Sequence number of the event that made the part. */
  seq: z.int().check(z.positive()),
  /** The part's id on the page. */
  part: z.string(),
  field: findField,
  /** Offset of the match in that text, in UTF-16 units; for Markdown, in its source. */
  offset: count,
  length: count,
});
export type FindMatch = z.infer<typeof findMatch>;

/** The most matches that the host sends; there may be more. */
export const MAX_MATCHES = 10_000;
/** Characters of a query. */
const LONGEST_QUERY = 1_000;

/**
 * Begins a search and ends the previous one. The host answers with `find/results`, again whenever there is
 * more.
 */
export const findStart = z.object({
  type: z.literal('find/start'),
  session,
  /** The results carry the same number. */
  request: z.int(),
  query: z.string().check(z.maxLength(LONGEST_QUERY)),
  options: findOptions,
});
export type FindStart = z.infer<typeof findStart>;

export const findStop = z.object({ type: z.literal('find/stop'), session });

/**
 * `matches` replace all earlier ones from section `from` on, in the order of the log. `total` includes
 * matches that are not sent. `error`: the expression is invalid or takes too long; no results follow.
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

/** Shows the find widget. Sent when the user asks for it outside the page. */
export const findOpen = z.object({ type: z.literal('find/open') });
export const promptStep = z.object({ type: z.literal('prompt/step'), direction: z.literal([-1, 1]) });

/** Requests the nearest prompt before or after a section. */
export const promptSeek = z.object({
  type: z.literal('prompt/seek'),
  session,
  section: count,
  direction: z.literal([-1, 1]),
});
/** The answer; `place` is absent if there is no such prompt. */
export const promptFound = z.object({
  type: z.literal('prompt/found'),
  session,
  direction: z.literal([-1, 1]),
  place: z.optional(z.object({ section: count, part: z.string() })),
});

/** Copies one part to the clipboard, as Markdown. */
export const partCopy = z.object({ type: z.literal('part/copy'), session, section: count, part: z.string() });
