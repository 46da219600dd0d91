// Text as HTML: whatever a text says, it is shown and does nothing.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What turns the order of characters around, or is none that can be seen, is shown as what it is. */
const HIDDEN = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

export function escapeHtml(text: string): string {
  return entities(text)
    .replace(/\r\n?/g, '\n')
    .replace(HIDDEN, (character) => `<span class="odd">U+${hex(character)}</span>`);
}

/** For a place that takes no elements: an attribute, a title. */
export function escapeLabel(text: string): string {
  return entities(text.replace(HIDDEN, ''));
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** A text whose spaces and lines count. One that is long is a place of its own that a keyboard can scroll. */
export function preformatted(text: string, label: string): string {
  const name = escapeLabel(label);
  return `<pre tabindex="0" role="region" aria-label="${name}"><code>${escapeHtml(text.replace(/\n$/, ''))}</code></pre>`;
}
