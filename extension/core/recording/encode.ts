// Values of ports as JSON: bytes, errors and long texts have a form of their own, an object whose only field begins with `$`.
import { createHash } from 'node:crypto';
import { versionOf } from '../base/content-hash.ts';
import { refilled } from '../secrets/masks.ts';
import { maskBytes } from '../secrets/secrets-in-bytes.ts';
import { decodeError, type ErrorClasses, encodeError } from './encode-errors.ts';
import type { Plain } from './entry.ts';

/** A longer text, and as many bytes, become a blob. */
const LONGEST_INLINE = 4_096;
/** Bytes in which secrets are not looked for a second time. */
const LARGE = 1_000_000;

export interface Encoding {
  /** Puts a blob away under its SHA-256. */
  readonly keep: (hash: string, bytes: Uint8Array) => void;
  /** Takes secrets out of a text, and leaves its length as it is. */
  readonly mask: (text: string) => string;
  readonly errors: ErrorClasses;
  /** Of large bytes, by their hash, that of what was kept of them. */
  readonly kept?: { get(hash: string): string | undefined; set(hash: string, kept: string): void };
}

export interface Decoding {
  /** Rejects where there is no such blob. */
  readonly fetch: (hash: string) => Promise<Uint8Array>;
  readonly errors: ErrorClasses;
}

/** Nothing, where there has to be something. */
export const NONE: Plain = { $none: true };

/** Whether that is what was written. */
export function isNone(plain: Plain): boolean {
  return typeof plain === 'object' && plain !== null && '$none' in plain;
}

/** Plain data for a value. */
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

/** The value again. Rejects where one of its blobs is missing. */
export async function decode(plain: Plain, decoding: Decoding): Promise<unknown> {
  if (typeof plain !== 'object' || plain === null) return plain;
  if (Array.isArray(plain)) return Promise.all(plain.map((part: unknown) => decode(part, decoding)));
  const form = formOf(plain);
  return form === undefined ? decodeFields(plain, decoding) : decodeForm(form, decoding);
}

/** The names of the blobs that a value is made of. */
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

/** The one field of an object that stands for something else. */
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

/** Undefined where the bytes are no whole text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    // They are kept as bytes.
    return undefined;
  }
}

const HASHES = /\b[0-9a-f]{64}\b/g;

/** Of the arguments of a call: the first halves of SHA-256, hex. */
export interface Digests {
  /** As they would be written down. */
  readonly strict: string;
  /** The same, whatever hashes are in them. */
  readonly loose: () => string;
}

export function digests(given: readonly unknown[], { mask, errors }: Omit<Encoding, 'keep'>): Digests {
  // What a model has said in JSON within JSON has masks of the same length, but without what fills them.
  const level = (text: string) => refilled(mask(text), '~');
  const text = JSON.stringify(encode(given, { keep: () => {}, mask: level, errors }));
  return { strict: halfHash(text), loose: () => halfHash(withoutHashes(text)) };
}

/** What two texts have in common that differ in hashes alone. */
export function withoutHashes(text: string): string {
  return text.replace(HASHES, '#');
}

function halfHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
