import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from './failure.ts';
import { formatSafeJson, formatSafeLine } from './terminal.ts';
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

const isJson = ({ json, format }: OutputValues): boolean => json === true || format === 'json';

/** What a reader of the result should know: a line each, an object beside JSON; none with --quiet. */
export function createNotes(values: OutputValues): SayNote {
  if (values.quiet === true) return () => undefined;
  return (line) => void process.stderr.write(isJson(values) ? `${formatSafeJson({ note: line }, 0)}\n` : `${line}\n`);
}

/** What only a person wants to know, such as which file was written. */
export const createHints = (values: OutputValues): SayNote => (isJson(values) ? () => undefined : createNotes(values));

/** Writes a result to the file of --output, or to standard output; hands on why there is none. */
export function writeResult(text: string | Uint8Array | CommandFailure, values: OutputValues): CommandEnd {
  if (isFailure(text)) return text;
  const { output } = values;
  if (output === undefined) {
    if (isStandardOutputFile()) return writeStandardOutputFile(text);
    process.stdout.write(text);
    return EXIT.done;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    return refuseUnwritable(output, error);
  }
  createHints(values)(`Wrote ${formatSafeLine(output)}.`);
  return EXIT.done;
}

/**
 * The same, and waits until a standard output that is a pipe has taken all of it: what was paid for must not be lost
 * because its reader is gone.
 */
export async function writeWholeResult(
  text: string | Uint8Array | CommandFailure,
  values: OutputValues,
): Promise<CommandEnd> {
  if (isFailure(text) || values.output !== undefined || isStandardOutputFile()) return writeResult(text, values);
  const error = await new Promise<Error | null | undefined>((done) => {
    process.stdout.write(text, done);
  });
  return error ? refuseUnwritable('Standard output', error) : EXIT.done;
}

const STANDARD_OUTPUT = 1;

const isStandardOutputFile = (): boolean => fstatSync(STANDARD_OUTPUT).isFile();

/** The stream of Node takes a part of the text for the whole where a disk gets full, and says nothing. */
function writeStandardOutputFile(text: string | Uint8Array): CommandEnd {
  try {
    writeFileSync(STANDARD_OUTPUT, text);
    return EXIT.done;
  } catch (error) {
    return refuseUnwritable('Standard output', error);
  }
}

/** A file of a command, and what names it: `--output`, `<file>`, a variable. */
export type NamedFile = { by: string; path: string };

/** The files that are given, by what names them. */
export const listNamedFiles = (paths: Readonly<Record<string, string | undefined>>): readonly NamedFile[] =>
  Object.entries(paths).flatMap(([by, path]) => (path === undefined ? [] : [{ by, path }]));

/**
 * The refusal of a command that would write to a file that it reads, or twice to one: a measurement that was paid for would
 * be gone. Other spellings, links and hard links of a file are the same file.
 */
export function refuseReplacing({
  read,
  written,
}: {
  read: readonly NamedFile[];
  written: readonly NamedFile[];
}): CommandFailure | undefined {
  for (const [at, { by, path }] of written.entries()) {
    const id = identifyFile(path);
    if (id === undefined) continue;
    const source = read.find((one) => identifyFile(one.path) === id);
    if (source !== undefined)
      return refuseUsage(
        `${by} would replace ${formatSafeLine(path)}, which is read (${source.by}). Name another file.`,
      );
    const twin = written.slice(0, at).find((one) => one.by !== by && identifyFile(one.path) === id);
    if (twin !== undefined) return refuseUsage(`${twin.by} and ${by} name the same file. Give each its own.`);
  }
  return undefined;
}

/** What is the same for all names of a file; undefined for what nothing is lost of, such as a pipe. */
function identifyFile(path: string): string | undefined {
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (seen !== undefined) return seen.isFile() ? `${seen.dev} ${seen.ino}` : undefined;
    return join(realpathSync(dirname(resolve(path))), basename(path));
  } catch {
    return resolve(path); // Its folder is not there, or closed: who writes it says so.
  }
}

/** Why a file cannot be written, found before the work and its costs; undefined where it can. Leaves no file behind. */
export function refuseUnwritableFile(file: string): CommandFailure | undefined {
  try {
    const seen = statSync(file, { throwIfNoEntry: false });
    if (seen === undefined) {
      closeSync(openSync(file, 'wx'));
      rmSync(file);
    } else if (seen.isFile() || seen.isDirectory()) closeSync(openSync(file, 'a'));
    else accessSync(file, constants.W_OK); // To open a pipe may wait for its reader.
    return undefined;
  } catch (error) {
    return refuseUnwritable(file, error);
  }
}

/** A file that cannot be written, with the word of the system for why. */
export function refuseUnwritable(file: string, error: unknown): CommandFailure {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return refuseCommand('file_unwritable', `${file} cannot be written${code}.`, EXIT.usage);
}

/**
 * A reader of standard output that goes away, as `head` does, is no fault: the command ends with its own status. A full
 * disk is one.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const why = error.code === 'ENOSPC' ? 'no space is left on the device' : String(error.code);
    process.stderr.write(`Standard output cannot be written: ${why}.\n`);
    // Not at once: a command that has more to say, such as where a paid result is, says it first.
    setImmediate(() => process.exit(EXIT.usage));
  });
}
