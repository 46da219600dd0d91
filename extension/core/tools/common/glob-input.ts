import { compileGlob, GlobError } from '../../base/text/glob.ts';
import { ToolError } from '../../base/tool-error.ts';

/** Throws `ToolError` that names the field if the glob is not valid. */
export function requireGlob(tool: string, field: string, glob: string): void {
  try {
    compileGlob(glob);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const message = `invalid input for ${tool}: ${field}: ${error.message}; a right form is "src/**/*.ts"`;
    throw new ToolError(message, { code: 'invalid_input', cause: error });
  }
}
