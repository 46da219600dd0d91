#!/usr/bin/env node
// What runs as `harness`. It imports nothing at its top, so that an older Node reads as far as its message.
export {};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`Harness needs Node 22.13 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv[2] === '--version') {
  const { PRODUCT } = await import('./product.ts');
  process.stdout.write(`${PRODUCT}\n`);
} else {
  await import('./main.ts');
}
