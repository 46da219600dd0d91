/** Harness among those who bring models to VS Code, as package.json declares it. */
export const VENDOR = 'harness';
