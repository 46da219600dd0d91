// What a call gives in pieces, as it is written down: without secrets, also those of which no piece has the whole.
import { MaskedBody } from './masked-body.ts';
import { MaskedFile } from './masked-file.ts';
import type { Hiding } from './masked-text.ts';
import { MaskedWords } from './masked-words.ts';

/** A piece that may have a part of a secret. */
export interface HeldPiece {
  /** Nothing that comes later changes it. */
  readonly isSettled: boolean;
  /** The piece without secrets. */
  masked(): unknown;
}

/** The pieces of one call, in their order. */
export interface MaskedPieces {
  /** Undefined for a piece that is to be looked at alone. */
  add(piece: unknown): HeldPiece | undefined;
  /** Nothing comes any more. */
  end(): void;
  /** Does not wait any more: what may be the beginning of a secret is taken for one. */
  cut(): void;
}

/** For the pieces of the port of this name. */
export function maskedPieces(name: string, hiding: Hiding): MaskedPieces {
  if (name === 'wire.body') return new MaskedBody(hiding);
  return name === 'workspace.stream' ? new MaskedFile(hiding) : new MaskedWords(hiding, isOutput(name));
}

/** The port of this name gives what a command says. */
export function isOutput(name: string): boolean {
  return name === 'shell.run';
}
