// Our own drawings, on a grid of 16, in the color of the text beside them.
import type { JSX } from 'solid-js';

const paths = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  dot: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  ring: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Z',
  half: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Zm0 0v10M9.5 4v8M11 5v6M12.3 6.5v3',
  ban: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3ZM4.5 11.5l7-7',
  skip: 'M4 4l5 4-5 4ZM12 4v8',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  stop: 'M4.5 4.5h7v7h-7Z',
  up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  pencil: 'M3 13l.7-3.2L10.5 3 13 5.5 6.2 12.3 3 13ZM9 4.5 11.5 7',
  warning: 'M8 2.5 14 13H2ZM8 6.5v3M8 11.2v.3',
  command: 'M10 2.5 6 13.5',
  file: 'M4 2.5h5l3 3v8H4ZM9 2.5v3h3',
  folder: 'M2 3.5h4l1.5 2H14v7.5H2Z',
  symbol:
    'M6.5 3C4.5 3 5 4.5 5 6s-.5 2-2 2c1.5 0 2 .5 2 2s-.5 3 1.5 3M9.5 3c2 0 1.5 1.5 1.5 3s.5 2 2 2c-1.5 0-2 .5-2 2s.5 3-1.5 3',
  selection: 'M3 3.5h10M3 8h6M3 12.5h10M11.5 6v4M10.5 6h2M10.5 10h2',
  terminal: 'M2.5 3h11v10h-11ZM5 6l2 2-2 2M8.5 10.5H11',
  git: 'M5 6v4M5 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM5 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM11 4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM11 7c0 2-6 1-6 3',
  history: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3.3l2 1.2',
  at: 'M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM10.5 5.5V9a1.5 1.5 0 0 0 3 0V8A5.5 5.5 0 1 0 11 12.6',
  attach: 'M11 5.5 6.5 10a1.4 1.4 0 0 0 2 2l5-5a2.8 2.8 0 0 0-4-4l-5 5a4.2 4.2 0 0 0 6 6',
  image: 'M2.5 3.5h11v9h-11ZM2.5 11.5 6 8l3 3 1.5-1.5 3 3',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 7.5v3.5M8 5v.3',
} as const;

export type IconName = keyof typeof paths;

/** `busy` pulses, if the user allows motion. */
export type Tone = 'plain' | 'good' | 'bad' | 'active' | 'busy' | 'faint';

/** Decorative: the text beside it says the same. */
export function Icon(props: { name: IconName; tone?: Tone; class?: string }): JSX.Element {
  return (
    <svg class={`icon ${props.tone ?? 'plain'} ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[props.name]} />
    </svg>
  );
}
