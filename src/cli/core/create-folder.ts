import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder, and those above it that are missing, one by one: `mkdir` of Node with `recursive` tries forever where a
 * file system refuses a new folder as if the one above it were missing, as `/proc` does.
 * @param mode of those that are created
 * @throws what the system says, also of a file in the place of a folder
 */
export function createFolder(path: string, mode?: number): void {
  const missing = [resolve(path)];
  for (let above = dirname(resolve(path)); !existsSync(above); above = dirname(above)) missing.push(above);
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if (!isFolder(folder)) throw error;
    }
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
