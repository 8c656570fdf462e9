/** What a builder is sent of a folder: every file that `.dockerignore` does not leave out. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Rule = { matches: RegExp; isException: boolean; text: string };

/**
 * Files and empty folders at or below a path, relative to the folder; none where nothing is there, or nothing of it is sent.
 * @throws Error for a pattern that this does not know
 */
export function listSent(folder: string, path: string): readonly string[] {
  const rules = readRules(folder);
  const sent: string[] = [];
  const visit = (at: string): void => {
    const isLeftOut = isIgnored(at, rules);
    const isFolder = lstatSync(join(folder, at)).isDirectory();
    if (isLeftOut && !(isFolder && mayHaveException(at, rules))) return;
    const names = isFolder ? readdirSync(join(folder, at)) : [];
    if (!isLeftOut && names.length === 0) sent.push(at);
    for (const name of names) visit(at === '' ? name : `${at}/${name}`);
  };
  if (lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined) visit(path);
  return sent;
}

/** As Docker reads it: the last rule that names a path or a folder above it decides. */
function isIgnored(path: string, rules: readonly Rule[]): boolean {
  const names = path.split('/');
  const paths = names.map((_name, index) => names.slice(0, index + 1).join('/'));
  return rules.findLast(({ matches }) => paths.some((one) => matches.test(one)))?.isException === false;
}

const mayHaveException = (folder: string, rules: readonly Rule[]): boolean =>
  rules.some(({ isException, text }) => isException && (/[*?]/.test(text) || text.startsWith(`${folder}/`)));

function readRules(folder: string): readonly Rule[] {
  const file = join(folder, '.dockerignore');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines
    .map((line) => line.trim())
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [toRule(line)]));
}

function toRule(line: string): Rule {
  const text = line.replace(/^!/, '').trim().replace(/^\//, '').replace(/\/$/, '');
  if (/[[\\]/.test(text)) throw new Error(`.dockerignore: ${line} is not known`);
  const source = text.replaceAll(/\*\*\/|\*\*|[*?]|[.+^$(){}|]/g, (part) => GLOBS[part] ?? `\\${part}`);
  return { matches: new RegExp(`^${source}$`), isException: line.startsWith('!'), text };
}

const GLOBS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
