// Our own drawings, on a grid of 16, in the colour of the text beside them.
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
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  warning: 'M8 2.5 14 13H2ZM8 6.5v3M8 11.2v.3',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 7.5v3.5M8 5v.3',
} as const;

export type IconName = keyof typeof paths;

/** `busy` pulses, where motion is wanted. */
export type Tone = 'plain' | 'good' | 'bad' | 'active' | 'busy' | 'faint';

/** Decoration: the word beside it says the same. */
export function Icon(props: { name: IconName; tone?: Tone; class?: string }): JSX.Element {
  return (
    <svg class={`icon ${props.tone ?? 'plain'} ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[props.name]} />
    </svg>
  );
}
