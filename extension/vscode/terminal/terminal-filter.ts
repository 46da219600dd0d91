// Limits what a command may do to the terminal that shows it: colors, and moves within its line. Anything
// else could forge the screen, reach the clipboard, or make the terminal type an answer.

type State = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape';

const ESCAPE = '\x1b';
/** CSI as one character, and the introducers of OSC, DCS, SOS, PM and APC. */
const SEQUENCE_START = '\x9b';
const STRING_STARTS = '\x90\x98\x9d\x9e\x9f';
const STRING_ENDS = '\x07\x18\x1a\x9c';
const ALLOWED_CONTROLS = '\r\n\t\b';
const MAX_PARAMETERS = 64;

/**
 * The allow-list for one stream of a command: text, SGR, CR, LF, TAB and BS. Chunks may split the stream
 * anywhere. A lone LF becomes CR LF, because a terminal needs both. An unterminated string ends at the end of
 * its line.
 */
export class TerminalFilter {
  #state: State = 'text';
  #parameters = '';
  #last = '';

  /** Returns the part of `text` that is safe to show. */
  push(text: string): string {
    let shown = '';
    for (const character of text) shown += this.#step(character);
    return shown;
  }

  #step(character: string): string {
    switch (this.#state) {
      case 'text':
        return this.#text(character);
      case 'escape':
        return this.#escape(character);
      case 'sequence':
        return this.#sequence(character);
      case 'string':
        return this.#string(character);
      case 'string-escape':
        this.#state = 'escape';
        return this.#escape(character);
    }
  }

  #text(character: string): string {
    this.#state = 'text';
    if (character === ESCAPE) return this.#enter('escape');
    if (character === SEQUENCE_START) return this.#enter('sequence');
    if (STRING_STARTS.includes(character)) return this.#enter('string');
    if (isControl(character) && !ALLOWED_CONTROLS.includes(character)) return '';
    const lone = character === '\n' && this.#last !== '\r';
    this.#last = character;
    return lone ? '\r\n' : character;
  }

  #escape(character: string): string {
    if (character === '[') return this.#enter('sequence');
    if (']PX^_'.includes(character)) return this.#enter('string');
    if (isControl(character)) return this.#text(character);
    return character >= ' ' && character <= '/' ? '' : this.#enter('text');
  }

  #sequence(character: string): string {
    if (character >= ' ' && character <= '?') {
      if (this.#parameters.length < MAX_PARAMETERS) this.#parameters += character;
      return '';
    }
    if (character < '@' || character > '~') return this.#text(character);
    const color = character === 'm' && /^[\d:;]*$/.test(this.#parameters);
    const shown = color ? `${ESCAPE}[${this.#parameters}m` : '';
    this.#enter('text');
    return shown;
  }

  #string(character: string): string {
    if (character === '\n') return this.#text(character);
    if (character === ESCAPE) return this.#enter('string-escape');
    return STRING_ENDS.includes(character) ? this.#enter('text') : '';
  }

  #enter(state: State): string {
    this.#state = state;
    this.#parameters = '';
    return '';
  }
}

function isControl(character: string): boolean {
  return character < ' ' || (character >= '\x7f' && character <= '\x9f');
}
