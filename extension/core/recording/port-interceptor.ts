import type { SessionTap } from '../session/session-tap.ts';

/** Converts a value that is not plain data to plain data and back. */
export interface Coding<Value> {
  toPlain(value: Value): unknown;
  fromPlain(plain: unknown): Value | Promise<Value>;
}

/**
 * Intercepts everything that a session asks of its ports. A recording makes the call and writes the result. A
 * replay returns the recorded result. `name` is the name of the port and the method; `given` is plain data.
 */
export interface PortInterceptor extends SessionTap {
  /** `make` may report pieces before its result. `onPiece` in the options gets them, in order. */
  call<Value>(
    name: string,
    given: readonly unknown[],
    make: (onPiece: (piece: unknown) => void) => Promise<Value>,
    options?: CallOptions<Value>,
  ): Promise<Value>;
  stream<Piece>(
    name: string,
    given: readonly unknown[],
    make: () => AsyncIterable<Piece>,
  ): AsyncIterable<Piece>;
  /** A synchronous read, such as the time of a clock. */
  read<Value>(name: string, make: () => Value): Value;
}

export interface CallOptions<Value> {
  readonly coding?: Coding<Value>;
  /** Gets the pieces, which are plain data. */
  readonly onPiece?: (piece: unknown) => void;
}

/** Never resolves. Stands for a method that is never called, or that a replay answers. */
export const neverCalled = () => new Promise<never>(() => {});

/** A stream without items. */
export async function* nothing(): AsyncGenerator<never> {}
