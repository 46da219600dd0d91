/** CSS px of a chip's picture; twice as many pixels, for dense screens. */
const SIZE = 64;

/** Milliseconds that an image waits for its thumbnail. */
const PATIENCE = 5_000;

/** A thumbnail of an image as a data: URI; empty if the browser cannot draw it in time. */
export function thumbnailOf(image: Blob): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve(''), PATIENCE));
  return Promise.race([draw(image), late]);
}

async function draw(image: Blob): Promise<string> {
  try {
    const bitmap = await createImageBitmap(image);
    const scale = Math.min(1, SIZE / Math.min(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = SIZE;
    canvas.height = SIZE;
    const [width, height] = [bitmap.width * scale, bitmap.height * scale];
    canvas.getContext('2d')?.drawImage(bitmap, (SIZE - width) / 2, (SIZE - height) / 2, width, height);
    bitmap.close();
    return canvas.toDataURL('image/webp', 0.8);
  } catch {
    // The host checks the bytes and reports the problem.
    return '';
  }
}

/** The bytes in base64. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

export function blobOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]);
}
