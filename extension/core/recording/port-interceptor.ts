import type { SessionTap } from '../session/session-tap.ts';

/** How a value that is no plain data is written down, and made again. */
export interface Coding<Value> {
  toPlain(value: Value): unknown;
  fromPlain(plain: unknown): Value | Promise<Value>;
}

/**
 * Everything that a session asks of the world passes here, under a name and with plain arguments: a recording does it and
 * writes down what came, a playback hands out what was written down. `name` is that of the port and its method.
 */
export interface PortInterceptor extends SessionTap {
  /** `make` may be told of pieces before its result: what `onPiece` is given, in their order. */
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
  /** What is there at once: a clock's time. */
  read<Value>(name: string, make: () => Value): Value;
}

export interface CallOptions<Value> {
  readonly coding?: Coding<Value>;
  /** Gets the pieces. They are plain data. */
  readonly onPiece?: (piece: unknown) => void;
}

/** For what nobody waits for, and what a playback answers in its place. */
export const neverCalled = () => new Promise<never>(() => {});

/** A stream that ends at once. */
export async function* nothing(): AsyncGenerator<never> {}
