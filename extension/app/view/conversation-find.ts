import type { Translate } from '../../core/view/call-outcome.ts';
import { type Span, spansOf } from '../../core/view/find.ts';
import { findInLog } from '../../core/view/find-in-log.ts';
import type { ReadLog } from '../../core/view/log-window.ts';
import {
  type FindMatch,
  type FindResults,
  type FindStart,
  MAX_MATCHES,
} from '../../protocol/find-messages.ts';
import { findPattern } from '../../protocol/find-pattern.ts';

/** Characters that are searched between two pauses: a few milliseconds. */
const BATCH_CHARACTERS = 60_000;
/** Matches per message. The first message goes out earlier, because the user waits for it. */
const TOGETHER = 1_000;

/** Finds the matches in a text. Undefined if that takes too long. */
type FindInText = (text: string) => readonly Span[] | undefined;

interface Search {
  readonly message: FindStart;
  readonly find: FindInText;
  readonly batch: number;
  /** The number of matches in each section. */
  readonly totals: number[];
  isRunning: boolean;
  /** The log has events that were not searched yet. */
  isBehind: boolean;
}

/** Searches the conversation of a page. Runs one search at a time, and continues as the log grows. */
export class ConversationFind {
  readonly #log: () => ReadLog;
  readonly #send: (results: FindResults) => void;
  readonly #translate: Translate;
  readonly #timedSearch: (pattern: RegExp) => FindInText;
  #search: Search | undefined;

  /** `timedSearch` gives up on a pattern that takes too long, as a user's regular expression may. */
  constructor(
    log: () => ReadLog,
    send: (results: FindResults) => void,
    translate: Translate,
    timedSearch: (pattern: RegExp) => FindInText,
  ) {
    this.#log = log;
    this.#send = send;
    this.#translate = translate;
    this.#timedSearch = timedSearch;
  }

  /** Starts a search and ends the previous one. */
  start(message: FindStart): void {
    const pattern = findPattern(message.query, message.options);
    if (pattern === undefined) this.#fail(message, 'invalid');
    else this.#begin(message, pattern);
  }

  stop(): void {
    this.#search = undefined;
  }

  /** Call after the log has grown. Searches its last section again, and the new sections. */
  advance(): void {
    const search = this.#search;
    if (search?.isRunning) search.isBehind = true;
    else if (search) void this.#run(search, Math.max(0, search.totals.length - 1));
  }

  #begin(message: FindStart, pattern: RegExp): void {
    const isTimed = message.options.regex;
    this.#search = {
      message,
      // A search for literal text takes no longer than reading the text.
      find: isTimed ? this.#timedSearch(pattern) : (text) => spansOf(pattern, text),
      batch: isTimed ? 1 : BATCH_CHARACTERS,
      totals: [],
      isRunning: false,
      isBehind: false,
    };
    void this.#run(this.#search, 0);
  }

  async #run(search: Search, from: number): Promise<void> {
    search.isRunning = true;
    search.isBehind = false;
    const report = new Report(search, from, this.#send);
    const end = await findInLog(this.#log(), from, {
      search: search.find,
      batch: search.batch,
      translate: this.#translate,
      pause: () => this.#pause(search),
      onSection: (section, matches) => report.add(section, matches),
    });
    search.isRunning = false;
    if (this.#search !== search) return;
    if (end === 'slow') this.#fail(search.message, 'slow');
    else report.finish();
    if (search.isBehind) this.advance();
  }

  #pause(search: Search): Promise<boolean> {
    return new Promise((resolve) => setImmediate(() => resolve(this.#search === search)));
  }

  #fail({ session, request }: FindStart, error: 'invalid' | 'slow'): void {
    this.#search = undefined;
    this.#send({
      type: 'find/results',
      session,
      request,
      from: 0,
      total: 0,
      isComplete: true,
      matches: [],
      error,
    });
  }
}

/** Sends the page the matches from a section on. */
class Report {
  readonly #search: Search;
  readonly #send: (results: FindResults) => void;
  #from: number;
  #matches: FindMatch[] = [];
  /** The number of matches in all sections. */
  #total: number;

  constructor(search: Search, from: number, send: (results: FindResults) => void) {
    this.#search = search;
    this.#send = send;
    this.#from = from;
    search.totals.length = from;
    this.#total = search.totals.reduce((sum, count) => sum + count, 0);
  }

  add(section: number, matches: readonly FindMatch[]): void {
    const room = MAX_MATCHES - this.#total;
    const isFirst = this.#total === 0 && matches.length > 0;
    if (room > 0) this.#matches.push(...matches.slice(0, room));
    this.#search.totals[section] = matches.length;
    this.#total += matches.length;
    if (isFirst || this.#matches.length >= TOGETHER) this.#flush(false);
  }

  finish(): void {
    this.#flush(true);
  }

  #flush(isComplete: boolean): void {
    const { session, request } = this.#search.message;
    this.#send({
      type: 'find/results',
      session,
      request,
      from: this.#from,
      total: this.#total,
      isComplete,
      matches: this.#matches,
    });
    this.#from = this.#search.totals.length;
    this.#matches = [];
  }
}
