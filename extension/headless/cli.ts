#!/usr/bin/env node
// The entry point of `harness`. It must not import anything statically, because an older Node must reach the
// version message.
export {};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`Harness requires Node 22.13 or newer. This is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv[2] === '--version') {
  const { PRODUCT } = await import('./product.ts');
  process.stdout.write(`${PRODUCT}\n`);
} else {
  await import('./main.ts');
}
