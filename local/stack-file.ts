import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { StackFile } from '../src/cli/buy/wallet.ts';

/** Folder of what a stack leaves on disk, where it was started: ignored by git, readable by its owner only. */
export const LOCAL_FOLDER = resolve('.local');
export const STACK_FILE = join(LOCAL_FOLDER, 'stack.json');
/** The TXT records that prove hosts to the local stack, for a person to edit. */
export const TXT_RECORDS_FILE = join(LOCAL_FOLDER, 'txt-records.txt');
/** The key file of the operator's service account, beside it. */
export const OPERATOR_KEY_FILE = join(LOCAL_FOLDER, 'operator-key.json');

/**
 * Writes the addresses and the demo buyer's key for scripts, with mode 0600 from its first byte on.
 * @returns removes the file again, unless another stack has replaced it meanwhile.
 */
export const writeStackFile = (content: StackFile, path = STACK_FILE): (() => void) => writeOwnFile(content, path);

/** Writes JSON that only its owner may read; see `writeStackFile`. */
export function writeOwnFile(content: object, path: string): () => void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
  return () => {
    if (readIfThere(path) === text) rmSync(path, { force: true });
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
