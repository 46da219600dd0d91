// Encodes values of ports as JSON. JSON cannot hold bytes, errors or long texts as they are. Each of them
// becomes an object with one field, whose name begins with `$`.
import { createHash } from 'node:crypto';
import { versionOf } from '../base/content-hash.ts';
import { refilled } from '../secrets/masks.ts';
import { maskBytes } from '../secrets/secrets-in-bytes.ts';
import { decodeError, type ErrorClasses, encodeError } from './encode-errors.ts';
import type { Plain } from './entry.ts';

/** A text with more characters, or an array with more bytes, becomes a blob. */
const LONGEST_INLINE = 4_096;
/** From this size in bytes on, Harness remembers the masked result and searches equal bytes only once. */
const LARGE = 1_000_000;

export interface Encoding {
  /** Stores a blob under its SHA-256. */
  readonly keep: (hash: string, bytes: Uint8Array) => void;
  /** Replaces secrets with masks. Must keep the length of the text. */
  readonly mask: (text: string) => string;
  readonly errors: ErrorClasses;
  /** For large bytes, maps the hash of the original to the hash of the stored, masked bytes. */
  readonly kept?: { get(hash: string): string | undefined; set(hash: string, kept: string): void };
}

export interface Decoding {
  /** Rejects if the blob is missing. */
  readonly fetch: (hash: string) => Promise<Uint8Array>;
  readonly errors: ErrorClasses;
}

/** Encodes `undefined` where JSON needs a value, such as in an array. */
export const NONE: Plain = { $none: true };

/** Whether `plain` is an encoded `undefined`. */
export function isNone(plain: Plain): boolean {
  return typeof plain === 'object' && plain !== null && '$none' in plain;
}

/** Encodes a value as plain data. Drops functions and undefined fields. */
export function encode(value: unknown, encoding: Encoding): Plain {
  const inner = (part: unknown): Plain => encode(part, encoding);
  if (typeof value === 'string') return plainText(encoding.mask(value), encoding);
  if (value instanceof Uint8Array) return plainBytes(value, encoding);
  if (value instanceof Error) return { $error: inner(encodeError(value, encoding.errors)) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return { $map: [...value].map(inner) };
  if (Array.isArray(value)) return value.map((part) => (part === undefined ? NONE : inner(part)));
  const fields = Object.entries(value).filter(
    ([, field]) => field !== undefined && typeof field !== 'function',
  );
  const plain = Object.fromEntries(fields.map(([name, field]) => [encoding.mask(name), inner(field)]));
  return formOf(plain) === undefined ? plain : { $plain: plain };
}

/** Decodes what `encode` returned. Rejects if a blob of the value is missing. */
export async function decode(plain: Plain, decoding: Decoding): Promise<unknown> {
  if (typeof plain !== 'object' || plain === null) return plain;
  if (Array.isArray(plain)) return Promise.all(plain.map((part: unknown) => decode(part, decoding)));
  const form = formOf(plain);
  return form === undefined ? decodeFields(plain, decoding) : decodeForm(form, decoding);
}

/** Yields the hashes of the blobs that a value needs. */
export function* blobsIn(plain: Plain): Generator<string> {
  if (typeof plain !== 'object' || plain === null) return;
  const [form, content] = formOf(plain) ?? [];
  if (form === '$text' || form === '$blob') yield String(content);
  else for (const part of Object.values(form === '$plain' ? Object(content) : plain)) yield* blobsIn(part);
}

async function decodeFields(plain: object, decoding: Decoding): Promise<object> {
  const fields = Object.entries(plain).map(async ([name, field]) => [name, await decode(field, decoding)]);
  return Object.fromEntries(await Promise.all(fields)) as object;
}

async function decodeForm([form, content]: readonly [string, unknown], decoding: Decoding): Promise<unknown> {
  const text = String(content);
  switch (form) {
    case '$none':
      return undefined;
    case '$number':
      return Number(text);
    case '$text':
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await decoding.fetch(text));
    case '$utf8':
      return new TextEncoder().encode(text);
    case '$bytes':
      return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    case '$blob':
      return decoding.fetch(text);
    case '$map':
      return new Map((await decode(content, decoding)) as [unknown, unknown][]);
    case '$error':
      return decodeError(await decode(content, decoding), decoding.errors);
    default:
      return decodeFields(content as object, decoding);
  }
}

/** The only field of an object whose name begins with `$`. Undefined for an object without a special form. */
function formOf(plain: object): readonly [string, unknown] | undefined {
  const [field, ...others] = Object.entries(plain);
  return field?.[0].startsWith('$') && others.length === 0 ? field : undefined;
}

function plainText(text: string, encoding: Encoding): Plain {
  if (text.length <= LONGEST_INLINE || !text.isWellFormed()) return text;
  return { $text: keep(new TextEncoder().encode(text), encoding) };
}

function plainBytes(given: Uint8Array, encoding: Encoding): Plain {
  const { kept } = encoding;
  if (!kept || given.length < LARGE) return maskedBytes(given, encoding);
  const version = versionOf(given);
  const known = kept.get(version);
  if (known !== undefined) return { $blob: known };
  const plain = maskedBytes(given, encoding);
  const [form, hash] = formOf(plain as object) ?? [];
  if (form === '$blob') kept.set(version, String(hash));
  return plain;
}

function maskedBytes(given: Uint8Array, encoding: Encoding): Plain {
  const bytes = maskBytes(given, encoding.mask);
  if (bytes.length > LONGEST_INLINE) return { $blob: keep(bytes, encoding) };
  const text = textOf(bytes);
  return text === undefined ? { $bytes: btoa(String.fromCharCode(...bytes)) } : { $utf8: text };
}

function keep(bytes: Uint8Array, encoding: Encoding): string {
  const hash = versionOf(bytes);
  encoding.keep(hash, bytes);
  return hash;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined if the bytes are no valid UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    // The caller stores them as bytes.
    return undefined;
  }
}

const HASHES = /\b[0-9a-f]{64}\b/g;

/** Digests of a call's arguments: the first half of a SHA-256, in hex. */
export interface Digests {
  /** The digest of the arguments as the recording would encode them. */
  readonly strict: string;
  /** The same digest, computed without the hashes in the arguments. */
  readonly loose: () => string;
}

export function digests(given: readonly unknown[], { mask, errors }: Omit<Encoding, 'keep'>): Digests {
  // In what a model wrote in JSON within JSON, a replayed mask is as long as the recorded one, but has no
  // fill characters. So digests use `~` for the fill in both.
  const level = (text: string) => refilled(mask(text), '~');
  const text = JSON.stringify(encode(given, { keep: () => {}, mask: level, errors }));
  return { strict: halfHash(text), loose: () => halfHash(withoutHashes(text)) };
}

/** Replaces each SHA-256 in a text with `#`. Two texts that differ only in hashes become equal. */
export function withoutHashes(text: string): string {
  return text.replace(HASHES, '#');
}

function halfHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
