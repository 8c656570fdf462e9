import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseJson } from '../../lib/json.ts';
import { suggestWord } from '../commands/suggest.ts';
import { type CommandFailure, refuseCommand } from '../core/failure.ts';
import { listNamedFiles, refuseReplacing } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { CONFIG_FILE, configSchema, type ProjectConfig } from './schema.ts';

/** Folders above the working folder that are looked through. */
const MAX_LEVELS = 40;
const MAX_CONFIG_BYTES = 256 * 1024;
/** Faults of a file that are shown. */
const MAX_FAULTS = 5;

/** A configuration and the file that holds it. */
export type FoundConfig = { file: string; folder: string; config: ProjectConfig };

type Wanted = { config?: string | undefined; 'no-config'?: boolean | undefined };
/** What the command writes to. */
type Written = { output?: string | undefined; snapshot?: string | undefined };

/**
 * The configuration of the working folder or of one above it, or the named one; undefined where there is none. A command that
 * would write its result over it is refused.
 */
export function readConfig(wanted: Wanted & Written, workingFolder: string): FoundConfig | undefined | CommandFailure {
  const file = findConfigFile(wanted, workingFolder);
  if (file === undefined) return undefined;
  const { output, snapshot } = wanted;
  return (
    refuseReplacing({
      read: [{ by: 'the configuration', path: file }],
      written: listNamedFiles({ '--output': output, '--snapshot': snapshot }),
    }) ?? readFile(file)
  );
}

/** The file that `readConfig` reads. */
export function findConfigFile(wanted: Wanted, workingFolder: string): string | undefined {
  if (wanted['no-config'] === true) return undefined;
  return wanted.config === undefined ? findConfig(workingFolder) : resolve(workingFolder, wanted.config);
}

function findConfig(from: string): string | undefined {
  let folder = from;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const file = join(folder, CONFIG_FILE);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

function readFile(file: string): FoundConfig | CommandFailure {
  const refuse = (message: string, detail: readonly string[] = []): CommandFailure => ({
    ...refuseCommand('config_unusable', `${file} ${message}`, EXIT.usage, 'Correct the file, or use --no-config.'),
    detail,
  });
  let text: string;
  try {
    if (statSync(file).size > MAX_CONFIG_BYTES) return refuse(`is larger than ${MAX_CONFIG_BYTES} bytes.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(`cannot be read${error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''}.`);
  }
  const json = parseJson(text.replace(/^\uFEFF/, ''));
  if (json === undefined) return refuse('is not valid JSON.');
  const read = configSchema.safeParse(json);
  if (read.success) return { file, folder: dirname(file), config: read.data };
  return refuse(
    'is not a valid configuration:',
    read.error.issues.flatMap(chooseIssues).slice(0, MAX_FAULTS).map(describeIssue),
  );
}

/** Of the forms that an entry could have, the one that fits best is explained. */
function chooseIssues(issue: ConfigIssue): readonly ConfigIssue[] {
  const [best, ...others] = issue.path[0] === 'watch' ? (issue.errors ?? []) : [];
  if (best === undefined) return [issue];
  const nearest = others.reduce((near, one) => (one.length < near.length ? one : near), best);
  return nearest.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

function describeIssue(issue: ConfigIssue): string {
  const path = issue.path.map(String).join('.') || '(the whole file)';
  // Words of zod for a member that is not there.
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return formatSafeLine(`${path}: it is missing.`);
  if (issue.code !== 'unrecognized_keys') return formatSafeLine(`${path}: ${issue.message}`);
  const [key = ''] = issue.keys ?? [];
  const near = issue.path.length === 0 ? suggestWord(key, Object.keys(configSchema.shape)) : undefined;
  return formatSafeLine(`${path}: unknown setting ${key}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
}

type ConfigIssue = {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
  /** Of a union: the faults of each of its forms. */
  errors?: readonly (readonly ConfigIssue[])[];
};
