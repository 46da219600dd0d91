// npm run package: writes dist/harness.vsix, and prints a table of the sizes and their limits.
import { main } from './lib/main.mjs';
import { packageExtension } from './lib/vsix.mjs';

await main(async () => {
  const measures = await packageExtension();
  const width = Math.max(...measures.map(({ what }) => what.length));
  for (const { what, value, limit, unit } of measures) {
    const shown = unit === 'kB' ? value.toFixed(1) : String(value);
    console.log(
      `${value < limit ? ' ' : '!'} ${what.padEnd(width)}  ${shown.padStart(7)} ${unit}  (below ${limit})`,
    );
  }
  const over = measures.filter(({ value, limit }) => value >= limit).map(({ what }) => what);
  if (over.length > 0)
    throw new Error(
      `Too large: ${over.join(', ')}. Look at what is in the package: \`unzip -l dist/harness.vsix\`.`,
    );
});
