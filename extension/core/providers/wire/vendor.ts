import { say } from '../../../protocol/say.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelError, ModelErrorKind } from '../../ports/model.ts';
import type { WireHooks } from '../../ports/wire-hooks.ts';

/** The server's identity in error messages. */
export interface Vendor {
  /** For people: "Anthropic". */
  readonly name: string;
  /** The name of its API: "Claude API". */
  readonly api: string;
  /** The vendor's default address. */
  readonly baseUrl: string;
  /** The setting for another address. */
  readonly setting: string;
  readonly needsKey: boolean;
  /** More specific sentences than the common ones, for some kinds. */
  readonly sentences?: Partial<Readonly<Record<ModelErrorKind, OwnSentence>>>;
  /** Additional error kinds: by the `type` or `code` of an error, and by its text. */
  readonly kinds?: readonly (readonly [words: RegExp, kind: ModelErrorKind])[];
}

/** How to reach a provider. */
export interface WireOptions {
  /** Empty if the provider needs no key. */
  readonly apiKey: string;
  /** In the form that the vendor's own SDK expects. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  /** Milliseconds without a byte after which a request is given up; 0 means no limit. */
  readonly idleTimeoutMs?: number | undefined;
  /** The global `fetch` if absent. Harness looks it up for each request, because VS Code replaces it. */
  readonly fetch?: typeof fetch | undefined;
  readonly hooks?: WireHooks | undefined;
}

/** What the error messages of a request need. */
export interface RequestContext {
  readonly vendor: Vendor;
  readonly model: string;
  readonly baseUrl: string;
  /** Removed from every message. */
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The same options, with `hooks` for one turn. */
export function watchedBy<Options extends WireOptions>(
  options: Options,
  hooks: WireHooks | undefined,
): Options {
  return hooks ? { ...options, hooks } : options;
}

/** The server's address, without a slash at its end. */
export function baseUrlOf({ baseUrl }: WireOptions, vendor: Vendor): string {
  return (baseUrl || vendor.baseUrl).replace(/\/+$/, '');
}

/** The key without white space, which may be pasted with it. */
export function apiKeyOf({ apiKey }: WireOptions): string {
  return apiKey.trim();
}

export function contextOf(options: WireOptions, vendor: Vendor, model: string): RequestContext {
  const { clock } = options;
  return { vendor, model, baseUrl: baseUrlOf(options, vendor), apiKey: apiKeyOf(options), now: clock.now() };
}

const EXAMPLE = 'http://127.0.0.1:8000/v1';

/** Why no request can be sent with these options; undefined if one can. */
export function problemWith(options: WireOptions, vendor: Vendor): ModelError | undefined {
  const key = apiKeyOf(options);
  if (key === '' && vendor.needsKey)
    return noRequest(
      'auth',
      say('There is no API key for {0}. Set one with “Harness: Set API Key”.', vendor.name),
    );
  if (!/^[\x21-\x7e]*$/.test(key)) {
    return noRequest(
      'auth',
      say(
        'The API key for {0} contains invalid characters. Set it again with “Harness: Set API Key”.',
        vendor.name,
      ),
    );
  }
  if (!isAddress(baseUrlOf(options, vendor))) {
    return noRequest(
      'invalid_request',
      say(
        'The setting “{0}” is not a valid address. Enter one like {1}, without user name and password.',
        vendor.setting,
        // The address of the user's own endpoint may be the invalid one.
        isAddress(vendor.baseUrl) ? vendor.baseUrl : EXAMPLE,
      ),
    );
  }
  return undefined;
}

function noRequest(kind: ModelErrorKind, message: string): ModelError {
  return { kind, message, retryable: false };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Loopback and private networks (RFC 1918, RFC 6762). */
const LOCAL =
  /^(localhost|\[::1\]|(127|10)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|.*\.local)$/;

/** A server of the user's own, which may take minutes to load a model and minutes more to read a prompt. */
export function isLocalAddress(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOCAL.test(new URL(baseUrl).hostname);
}

/** Facts about a failure in addition to its kind. */
export interface ErrorFacts {
  /** The server's message, or an error code of the system. */
  readonly text?: string | undefined;
  readonly status?: number | undefined;
  /** The answer was not a reply. */
  readonly isNoReply?: boolean | undefined;
  /** Milliseconds for which the server was silent. */
  readonly silentMs?: number | undefined;
}

/** Undefined if the common sentence is as good. */
export type OwnSentence = (about: RequestContext & ErrorFacts) => string | undefined;
