import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from '../core/create-folder.ts';
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
  let real: string;
  try {
    const handle = openSync(file, 'r');
    const { mode, size } = fstatSync(handle);
    const isOpen = process.platform !== 'win32' && (mode & OTHERS) !== 0;
    text = isOpen || size > MAX_SECRETS_BYTES ? '' : readFileSync(handle, 'utf8');
    closeSync(handle);
    real = realpathSync(file);
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
  const tracked = [file, real].map(askWhetherTracked);
  if (tracked.includes('unknown'))
    return refuseDeploy(
      'secrets_file_unusable',
      `${file} is in a repository of which git says nothing, so it may be under version control.`,
      'Give a file outside of it, or let git read it: git status says why it does not.',
    );
  if (tracked.includes('yes'))
    return refuseDeploy(
      'secrets_file_tracked',
      `${file} is under version control.`,
      `git rm --cached ${file}, add it to .gitignore, and change every secret in it: others may have read them.`,
    );
  return parseSecretsFile(text);
}

type GitSays = 'yes' | 'no' | 'unknown';

/**
 * Asks git with its exit status. Where there is no repository the answer is no. Where there is one, and git is missing or
 * refuses to read it (as another user's), the answer is not known.
 */
function askGit(words: readonly string[], cwd: string): GitSays {
  // Variables such as GIT_DIR would name another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { status } = spawnSync('git', words, { cwd, env, stdio: 'ignore' });
  if (status === 0) return 'yes';
  return status === 1 || !hasRepository(cwd) ? 'no' : 'unknown';
}

function hasRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && hasRepository(parent));
}

function askWhetherTracked(file: string): GitSays {
  const path = resolve(file);
  return askGit(['ls-files', '--error-unmatch', path], dirname(path));
}

/** Whether a new file would come into a repository, as far as is known: it is inside of one, and not ignored. */
function isInRepository(path: string): boolean {
  const cwd = dirname(path);
  const inside = askGit(['rev-parse', '--is-inside-work-tree'], cwd);
  return inside === 'yes' ? askGit(['check-ignore', '-q', path], cwd) !== 'yes' : inside === 'unknown';
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

const formatOwner = ({ env, accountId }: MadeSecretsOf): string => `# Of ${env} in the account ${accountId}.`;
const OWNER = /^# Of .{1,200}\.$/m;

/** What an earlier run of the same deployment wrote down. Secrets of another one are none of its own. */
export function readMadeSecrets(
  file: string,
  of: MadeSecretsOf,
): { ok: true; values: ReadonlyMap<string, string> } | DeployRefusal {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return { ok: true, values: new Map() };
    const [owner] = OWNER.exec(readFileSync(file, 'utf8')) ?? [];
    if (owner !== undefined && owner !== formatOwner(of))
      return refuseDeploy(
        'secrets_file_unusable',
        `${file} has the secrets of another deployment: ${owner.slice(2)}`,
        'Give --save-secrets a file of its own for each deployment.',
      );
  } catch {
    return refuseDeploy('secrets_file_missing', `${file} cannot be read.`, 'Give another file as --save-secrets.');
  }
  return readSecretsFile(file);
}

/** Writes the secrets that are made, for this user alone and outside git; an interruption leaves the old file or the new one. */
export function writeMadeSecrets(
  file: string,
  of: MadeSecretsOf,
  values: ReadonlyMap<string, string>,
): { ok: true; file: string } | DeployRefusal {
  try {
    createFolder(dirname(file), 0o700);
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
      `# Made by sightline deploy. Move these into your password manager, then delete this file.\n${formatOwner(of)}\n${lines.join('')}`,
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
