// Escapes text for HTML, so that it is shown and never interpreted.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters and direction marks. They are shown as their code points. */
const HIDDEN = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

export function escapeHtml(text: string): string {
  return entities(text)
    .replace(/\r\n?/g, '\n')
    .replace(HIDDEN, (character) => `<span class="odd">U+${hex(character)}</span>`);
}

/** For a place without elements, such as an attribute or a title. */
export function escapeLabel(text: string): string {
  return entities(text.replace(HIDDEN, ''));
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Text with significant spaces and line breaks. It can take the focus, so that a keyboard can scroll a long
 * text.
 */
export function preformatted(text: string, label: string): string {
  const name = escapeLabel(label);
  return `<pre tabindex="0" role="region" aria-label="${name}"><code>${escapeHtml(text.replace(/\n$/, ''))}</code></pre>`;
}
