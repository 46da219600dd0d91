// Loaded into a process before its program: at the end it writes into the file that `PEAK_FILE` names what memory that has taken.
import { writeFileSync } from 'node:fs';
import { peakMemory } from './peak-memory.ts';

const { PEAK_FILE } = process.env;
if (PEAK_FILE) process.on('exit', () => writeFileSync(PEAK_FILE, String(peakMemory())));
