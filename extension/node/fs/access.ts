import { access } from 'node:fs/promises';

/**
 * Whether the path exists and this process has the access `mode`: F_OK, R_OK, W_OK or X_OK of `access(2)`.
 */
export async function allows(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
}
