import { readFileSync } from 'node:fs';

/**
 * Megabytes of memory that this process has taken at its largest, buffers with them. On Linux the system's usual answer begins
 * with what the parent had.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** What makes a Node process report its peak in the file at `path`. */
export function reportingPeak(path: string): { readonly NODE_OPTIONS: string; readonly PEAK_FILE: string } {
  return { NODE_OPTIONS: `--import=${import.meta.resolve('./report-peak.ts')}`, PEAK_FILE: path };
}

/** The peak that an ended process reported there. */
export function reportedPeak(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}
