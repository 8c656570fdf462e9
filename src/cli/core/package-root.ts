import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders upwards that are looked through. */
const MAX_LEVELS = 4;

/** The nearest folder upwards that holds a file, such as `package.json`. */
export function findFolderWith(file: string, from: string): string | undefined {
  let folder = from;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    if (existsSync(join(folder, file))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** The Node that a clone installs for its own programs, or the one that runs this. */
export function findCloneNode(root: string): string {
  const bundled = join(root, 'node_modules', '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}
