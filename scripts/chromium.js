// Looks for chromium, which the tests of pages drive. Where it is missing and may be installed (apt-get, as root) it is;
// elsewhere this says what to install. Plain JavaScript, because `npm test` runs it with whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names of the program in the distributions, in the order in which they are looked for. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const COMMANDS = [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
];

/**
 * The chromium of this machine: that of the variable CHROMIUM, or the first of `NAMES` on the path.
 * @returns {string | undefined}
 */
export function chromiumPath() {
  const named = process.env.CHROMIUM;
  if (named) return isProgram(named) ? named : undefined;
  return NAMES.map(onPath).find((path) => path !== undefined);
}

/** @param {string} name */
function onPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not ours to run.
  }
}

/**
 * Makes sure that there is a chromium, and says where it is.
 * @returns {string | undefined} undefined when there is none; what to do was said.
 */
export function needChromium() {
  const there = chromiumPath();
  if (there !== undefined) return there;
  if (!process.env.CHROMIUM && process.getuid?.() === 0 && onPath('apt-get') !== undefined) {
    for (const [command, ...options] of COMMANDS) {
      console.log(`chromium is missing: ${[command, ...options].join(' ')}`);
      const { status } = spawnSync(command, options, {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      if (status !== 0) break;
    }
    const installed = chromiumPath();
    if (installed !== undefined) return installed;
  }
  console.error(
    process.env.CHROMIUM
      ? `CHROMIUM names ${process.env.CHROMIUM}, which is no program that can be run here.`
      : 'The tests of pages need chromium: install it (Debian: apt-get install chromium), or name one in the variable CHROMIUM.',
  );
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = needChromium();
  if (path === undefined) process.exitCode = 1;
  else console.log(path);
}
