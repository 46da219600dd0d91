import { access } from 'node:fs/promises';

/** Whether something is there that this process may use so; `mode` is one of `access(2)`: F_OK, R_OK, W_OK, X_OK. */
export async function allows(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false; // whatever the reason: it cannot be used so
  }
}
