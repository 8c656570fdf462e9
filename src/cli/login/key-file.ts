import { open } from 'node:fs/promises';
import { MAX_KEY_FILE_BYTES } from './key-token.ts';
import { safeLine } from '../core/safe-text.ts';

/** Permissions of a file for anybody but its owner. */
const OTHERS = 0o077;

/**
 * The text of a service account's key file; a warning goes to stderr where others may read it.
 * @returns why it cannot be read, as a line for a terminal, where `ok` is false
 */
export async function readKeyFile(path: string): Promise<{ ok: true; text: string } | { ok: false; detail: string }> {
  try {
    await using file = await open(path, 'r');
    const { mode, size } = await file.stat();
    if (size > MAX_KEY_FILE_BYTES) return { ok: false, detail: `${safeLine(path)} is larger than a key file can be.` };
    const text = await file.readFile('utf8');
    if ((mode & OTHERS) !== 0) warn(path);
    return { ok: true, text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { ok: false, detail: `${safeLine(path)} cannot be read (${code}).` };
  }
}

const warn = (path: string): boolean =>
  process.stderr.write(`warning: others on this machine may read ${safeLine(path)}; chmod 600 makes it yours alone.\n`);
