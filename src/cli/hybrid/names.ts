import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { STDIN } from './input.ts';

/** What standard input is called where a name is needed. */
const STDIN_NAME = 'overrides.yaml';

/** The name of the file in commands to copy, where one that begins with a hyphen would be a flag. */
export const namedFile = (file: string): string => (file === STDIN ? STDIN_NAME : asFile(file));

/** A path that is no flag. */
export const asFile = (path: string): string => (path.startsWith('-') ? `./${path}` : path);

/** A name that `patch -p0` takes: it refuses paths that are absolute or climb. */
export function diffNameOf(file: string): string {
  const name = namedFile(file);
  return isAbsolute(name) || name.split('/').includes('..') ? basename(name) : name;
}

/** `overrides-1.3.yaml` for `overrides.yaml`, in the same folder. */
export function newNameOf(file: string): string {
  const name = namedFile(file);
  const extension = extname(name);
  const own = `${basename(name, extension)}-1.3${extension}`;
  return dirname(name) === '.' ? asFile(own) : join(dirname(name), own);
}
