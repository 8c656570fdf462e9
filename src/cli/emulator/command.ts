import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CommandEnd } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';

const PACKAGE = '@sightline/emulator';
/** Folders above this file in which a checkout may begin. */
const MAX_LEVELS = 4;

type EmulatorModule = { runEmulator: (args: readonly string[]) => Promise<number> };

/**
 * Runs the emulator of the checkout around this file, or the one that is installed beside the caller's program or this one.
 * It runs in this process: who ends that ends all of it.
 */
export async function runEmulatorCommand(args: readonly string[]): Promise<CommandEnd> {
  const file = findEmulator(dirname(fileURLToPath(import.meta.url)), process.cwd());
  if (file === undefined)
    return {
      reason: 'emulator_missing',
      message: 'The emulator is a package of its own, and it is not installed here.',
      next: `Install it: npm install --save-dev ${PACKAGE}. In a checkout, build it: node scripts/build-emulator.js`,
      exit: EXIT.usage,
    };
  const { runEmulator } = (await import(pathToFileURL(file).href)) as EmulatorModule; // What the build writes there.
  return runEmulator(args);
}

/** The emulator's module; undefined where there is none. */
export function findEmulator(from: string, workingFolder: string): string | undefined {
  let folder = from;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const built = join(folder, 'dist', 'emulator', 'run.js');
    if (existsSync(built)) return built;
    folder = dirname(folder);
  }
  return [workingFolder, from].map(findInstalled).find((found) => found !== undefined);
}

function findInstalled(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(`${PACKAGE}/run`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
