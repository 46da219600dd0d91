// node undo.main.ts NAME: tries one property as whoever runs it.
import '../../support/fixed-seed.ts';
import { properties } from './undo-properties.ts';

const property = Object.entries(properties).find(([name]) => name === process.argv[2]);
if (!property) throw new Error(`no property ${process.argv[2]}`);
await property[1]();
