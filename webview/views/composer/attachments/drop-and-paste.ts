// Receives images and files that the user pastes into the input or drops onto the panel.
import { onCleanup } from 'solid-js';

interface Receiver {
  files(files: readonly File[]): void;
  /** URIs of files that VS Code knows. */
  uris(uris: readonly string[]): void;
}

/** The most URIs that the host accepts in one message. */
const MAX_URIS = 100;

export function receivePastes(input: HTMLTextAreaElement, receiver: Receiver): void {
  input.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // A text copied from a word processor also contains a picture of it.
    const uris = event.clipboardData ? urisIn(event.clipboardData) : [];
    if (event.clipboardData?.types.includes('text/plain') || files.length + uris.length === 0) return;
    event.preventDefault();
    if (files.length > 0) receiver.files(files);
    else receiver.uris(uris);
  });
}

/** Accepts drops in the whole page. Otherwise a file dropped beside the input would replace the page. */
export function receiveDrops(receiver: Receiver): void {
  const onDrag = (event: DragEvent) => {
    if (!isWanted(event.dataTransfer)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  };
  const onDrop = (event: DragEvent) => {
    const transfer = event.dataTransfer;
    if (!transfer || !isWanted(transfer)) return;
    event.preventDefault();
    const uris = urisIn(transfer);
    if (uris.length > 0) receiver.uris(uris);
    else receiver.files([...transfer.files]);
  };
  document.addEventListener('dragover', onDrag);
  document.addEventListener('drop', onDrop);
  onCleanup(() => {
    document.removeEventListener('dragover', onDrag);
    document.removeEventListener('drop', onDrop);
  });
}

const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

function isWanted(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => type === 'Files' || uriTypes.includes(type)) ?? false;
}

/** A line that begins with `#` is a comment (RFC 2483). */
function urisIn(transfer: DataTransfer): string[] {
  const lines = uriTypes.map((type) => transfer.getData(type)).find((list) => list !== '') ?? '';
  return lines
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_URIS);
}
