import { writeFileSync } from 'node:fs';
import { type CommandEnd, refuseWith } from './failure.ts';
import { formatSafeLine } from './terminal.ts';
import { EXIT } from './usage.ts';

/** What every command that prints a result takes. */
export type OutputValues = {
  output?: string | undefined;
  quiet?: boolean | undefined;
  json?: boolean | undefined;
  format?: string | undefined;
};

/** Says something beside the result on standard error. */
export type SayNote = (line: string) => void;

/** Notes are for people: with --quiet, and beside JSON, there are none. */
export function createNotes({ quiet, json, format }: OutputValues): SayNote {
  if (quiet === true || json === true || format === 'json') return () => undefined;
  return (line) => void process.stderr.write(`${line}\n`);
}

/** Writes a result to the file of --output, or to standard output. */
export function writeResult(text: string | Uint8Array, values: OutputValues): CommandEnd {
  const { output } = values;
  if (output === undefined) {
    process.stdout.write(text);
    return EXIT.done;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    return refuseUnwritable(output, error);
  }
  createNotes(values)(`Wrote ${formatSafeLine(output)}.`);
  return EXIT.done;
}

/** A file that cannot be written, with the word of the system for why. */
export function refuseUnwritable(file: string, error: unknown): CommandEnd {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return refuseWith('file_unwritable', `${file} cannot be written${code}.`, EXIT.usage);
}
