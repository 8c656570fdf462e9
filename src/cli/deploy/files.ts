import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { configurationFiles, type DeployedWorker } from '../../deploy/configuration.ts';
import { type DeployRefusal, refuseDeploy } from '../../deploy/refusal.ts';
import { parseSecretsFile } from '../../deploy/secrets.ts';

const MAX_SECRETS_BYTES = 256 * 1024;
const OTHERS = 0o077;
const OWNER_ONLY = 0o600;
const HASH_CHARS = 16;

/** Folders that a Worker is made of, without those that only the command line or other packages use. */
const SOURCES = ['src', 'routes', 'durable-objects'];
/** What the pages of a Worker are built from as well. */
const PAGE_SOURCES = ['docs', 'scripts'];
const LEFT_OUT =
  /^(?:src\/(?:cli|client|client-python|deploy)\/|docs\/(?:node_modules|\.vitepress\/(?:dist|cache))\/|scripts\/(?!docs\/|build-(?:web|docs)))/;

/** A hash over the sources of a Worker and its configuration. */
export function hashWorkerSources(root: string, worker: DeployedWorker): string {
  const hasPages = worker === 'api' || worker === 'control';
  const files = [...SOURCES, ...(hasPages ? PAGE_SOURCES : [])]
    .flatMap((folder) => listFiles(root, folder))
    .filter((file) => !LEFT_OUT.test(file));
  const sum = createHash('sha256');
  for (const file of [...files.toSorted(), configurationFiles[worker], 'package-lock.json'])
    sum
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return sum.digest('hex').slice(0, HASH_CHARS);
}

const listFiles = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.test(`${path}/`) ? [] : listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });

/** Reads a file of secrets: of this user alone, and not under version control. */
export function readSecretsFile(file: string): { ok: true; values: ReadonlyMap<string, string> } | DeployRefusal {
  let text: string;
  try {
    const handle = openSync(file, 'r');
    const { mode, size } = fstatSync(handle);
    const isOpen = process.platform !== 'win32' && (mode & OTHERS) !== 0;
    text = isOpen || size > MAX_SECRETS_BYTES ? '' : readFileSync(handle, 'utf8');
    closeSync(handle);
    if (isOpen)
      return refuseDeploy(
        'secrets_file_open',
        `${file} can be read by others (mode ${(mode & 0o777).toString(8)}).`,
        `chmod 600 ${file}`,
      );
    if (size > MAX_SECRETS_BYTES)
      return refuseDeploy(
        'secrets_file_unusable',
        `${file} is larger than ${MAX_SECRETS_BYTES} bytes.`,
        'Give a file with one NAME=value a line.',
      );
  } catch {
    return refuseDeploy('secrets_file_missing', `${file} cannot be read.`, 'Check the name of the file.');
  }
  if (isTracked(file))
    return refuseDeploy(
      'secrets_file_tracked',
      `${file} is under version control.`,
      `git rm --cached ${file}, add it to .gitignore, and change every secret in it: others may have read them.`,
    );
  return parseSecretsFile(text);
}

/** Whether git knows a file. Where there is no git, or no repository, nothing is tracked. */
function isTracked(file: string): boolean {
  const path = resolve(file);
  const { status } = spawnSync('git', ['ls-files', '--error-unmatch', path], { cwd: dirname(path), stdio: 'ignore' });
  return status === 0;
}

/** Whether a new file would come into a repository: it is inside of one, and not ignored. */
function isInRepository(path: string): boolean {
  const cwd = dirname(path);
  const inside = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd, stdio: 'ignore' }).status === 0;
  return inside && spawnSync('git', ['check-ignore', '-q', path], { cwd, stdio: 'ignore' }).status !== 0;
}

export type MadeSecretsOf = { env: string; accountId: string };

/** Where secrets that a deployment makes are handed to the operator. */
export function getMadeSecretsFile(
  given: string | undefined,
  { env, accountId }: MadeSecretsOf,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (given !== undefined) return resolve(given);
  const configured = environment['XDG_CONFIG_HOME'];
  const folder = configured === undefined || configured === '' ? join(homedir(), '.config') : configured;
  return join(folder, 'sightline', 'deployments', `${env}-${accountId}.env`);
}

/** What an earlier run wrote down. */
export function readMadeSecrets(file: string): { ok: true; values: ReadonlyMap<string, string> } | DeployRefusal {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return { ok: true, values: new Map() };
  return readSecretsFile(file);
}

/** Writes the secrets that are made, for this user alone and outside git; an interruption leaves the old file or the new one. */
export function writeMadeSecrets(
  file: string,
  values: ReadonlyMap<string, string>,
): { ok: true; file: string } | DeployRefusal {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (isInRepository(file))
      return refuseDeploy(
        'secrets_file_tracked',
        `${file} would be under version control.`,
        'Give --save-secrets a file outside the repository.',
      );
    const next = `${file}.${randomBytes(4).toString('hex')}`;
    const handle = openSync(next, 'wx', OWNER_ONLY);
    fchmodSync(handle, OWNER_ONLY);
    const lines = [...values].map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(
      handle,
      `# Made by sightline deploy. Move these into your password manager, then delete this file.\n${lines.join('')}`,
    );
    closeSync(handle);
    renameSync(next, file);
    return { ok: true, file };
  } catch {
    return refuseDeploy(
      'secrets_file_unwritable',
      `${file} cannot be written, and the secrets that are made would be lost.`,
      'Give another file as --save-secrets.',
    );
  }
}
