// Permissions mean nothing to root: where this process is root's, what they forbid is tried as the user `nobody`.
export const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;
