import { basename } from 'node:path';
import { say } from '../../protocol/say.ts';

/** Lines that are shown of what may be very many. */
const MOST_LINES = 50;
const MOST_NAMES = 10;

/** The first ones, and how many there are besides. */
export function firstLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), say('And {0} more.', more)] : lines;
}

/** The names of files in a sentence. */
export function firstNames(paths: readonly string[]): string {
  const names = paths
    .slice(0, MOST_NAMES)
    .map((path) => basename(path))
    .join(', ');
  const more = paths.length - MOST_NAMES;
  return more > 0 ? say('{0} and {1} more', names, more) : names;
}
