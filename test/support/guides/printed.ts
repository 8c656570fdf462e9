import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const DOCS = join(import.meta.dirname, '../../../docs');
const TIMEOUT_MS = 90_000;

/** A block of code of a page, as it is printed. */
export type Printed = { language: string; code: string };

export const readPage = (name: string): string => readFileSync(join(DOCS, name), 'utf8');

/** Every block of code of a page, in its order. */
export const listPrinted = (page: string): readonly Printed[] =>
  [...page.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(([, , language = '', code = '']) => ({ language, code }));

export const listCode = (page: string, language: string): readonly string[] =>
  listPrinted(page).flatMap((block) => (block.language === language ? [block.code] : []));

/** What a page prints for addresses, keys and files that a reader has, and what they are here. */
export type Meant = Readonly<Record<string, string>>;

export const fillIn = (text: string, meant: Meant): string =>
  Object.entries(meant).reduce((filling, [printed, real]) => filling.replaceAll(printed, real), text);

/** Runs commands as a shell does that the reader has typed them into. @throws as `execFile` when they fail */
export async function runPrinted(
  text: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const PATH = [env['PATH'], dirname(process.execPath), process.env['PATH']].filter(Boolean).join(':');
  const options = { cwd, env: { ...process.env, ...env, PATH }, timeout: TIMEOUT_MS };
  return (await promisify(execFile)('sh', ['-ec', text], options)).stdout;
}

/** Puts `sightline` into a folder for `PATH`, as an installed package has it. */
export function putCommand(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(DOCS, '../dist/cli.js');
  writeFileSync(join(folder, 'sightline'), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, { mode: 0o755 });
}
