import { say } from '../../../protocol/say.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelError, ModelErrorKind } from '../../ports/model.ts';
import type { WireHooks } from '../../ports/wire-hooks.ts';

/** Who answers, as far as its errors are told with it. */
export interface Vendor {
  /** For people: "Anthropic". */
  readonly name: string;
  /** What speaks at its address: "Claude API". */
  readonly api: string;
  /** The vendor's own address. */
  readonly baseUrl: string;
  /** The setting that names another address. */
  readonly setting: string;
  readonly needsKey: boolean;
  /** Sentences that say more than the common ones, where they say something. */
  readonly sentences?: Partial<Readonly<Record<ModelErrorKind, OwnSentence>>>;
  /** Kinds of its own: by the `type` or `code` of an error, and by what it says. */
  readonly kinds?: readonly (readonly [words: RegExp, kind: ModelErrorKind])[];
}

/** How a provider is reached. */
export interface WireOptions {
  /** Empty where none is needed. */
  readonly apiKey: string;
  /** As the vendor's own SDK means it. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  /** A request is given up after so long without a byte, in milliseconds; 0 waits for as long as it takes. */
  readonly idleTimeoutMs?: number | undefined;
  /** The global one where it is left out, looked up for each request, since VS Code puts its own there. */
  readonly fetch?: typeof fetch | undefined;
  readonly hooks?: WireHooks | undefined;
}

/** What the errors of a request are told with. */
export interface RequestContext {
  readonly vendor: Vendor;
  readonly model: string;
  readonly baseUrl: string;
  /** Kept out of every message. */
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The same, for one turn that `hooks` look at. */
export function watchedBy<Options extends WireOptions>(
  options: Options,
  hooks: WireHooks | undefined,
): Options {
  return hooks ? { ...options, hooks } : options;
}

/** The server to ask, without a slash at its end. */
export function baseUrlOf({ baseUrl }: WireOptions, vendor: Vendor): string {
  return (baseUrl || vendor.baseUrl).replace(/\/+$/, '');
}

/** The key without the white space that is pasted with it. */
export function apiKeyOf({ apiKey }: WireOptions): string {
  return apiKey.trim();
}

export function contextOf(options: WireOptions, vendor: Vendor, model: string): RequestContext {
  const { clock } = options;
  return { vendor, model, baseUrl: baseUrlOf(options, vendor), apiKey: apiKeyOf(options), now: clock.now() };
}

const EXAMPLE = 'http://127.0.0.1:8000/v1';

/** Why no request can be made with these options. */
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
        // That of the user's own endpoint may be the one that is wrong.
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

/** Loopback, and the networks that no one routes (RFC 1918, RFC 6762). */
const LOCAL =
  /^(localhost|\[::1\]|(127|10)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|.*\.local)$/;

/** A server of the user's own, which may take minutes to load a model and minutes again to read a prompt. */
export function isLocalAddress(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && LOCAL.test(new URL(baseUrl).hostname);
}

/** What is known of a failure beyond its kind. */
export interface ErrorFacts {
  /** The server's own words, or an error code of the system. */
  readonly text?: string | undefined;
  readonly status?: number | undefined;
  /** The answer was something else than a reply. */
  readonly isNoReply?: boolean | undefined;
  /** The server was silent for so long. */
  readonly silentMs?: number | undefined;
}

/** Undefined where the common one says it as well. */
export type OwnSentence = (about: RequestContext & ErrorFacts) => string | undefined;
