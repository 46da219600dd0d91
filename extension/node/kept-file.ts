import { readFile, rename } from 'node:fs/promises';

/**
 * What the JSON file at `path` holds, as `parse` understands it; undefined where there is none. One that cannot be understood
 * is set aside as `PATH.damaged`, and the error says so: `what` is what it was to hold.
 */
export async function readKept<Value>(
  path: string,
  what: string,
  parse: (value: unknown) => Value,
): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch(missing);
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch (error) {
    await rename(path, `${path}.damaged`);
    throw new Error(`${what} could not be read; the file is kept as ${path}.damaged.`, { cause: error });
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
