// Installs the packages that only judge (test/conformance/package.json) where its lock file has changed since the last time.
// `npm test` and the scripts that read those packages call it. Plain JavaScript: any Node that the machine has runs it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../test/conformance/', import.meta.url));
/** The lock file that the installed packages are of, by its hash. `npm ci` deletes it with the folder. */
const MARK = join(FOLDER, 'node_modules', '.lock-hash');

const OF_ANOTHER_PACKAGE = /^npm_(?:package|lifecycle|config_local_prefix)/i;

/** @param {string} folder */
function hashLock(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

/**
 * Makes sure that the judges are those of their lock file.
 * @returns {boolean} false when they could not be installed; npm has said why
 */
export function needJudges(folder = FOLDER, mark = MARK, run = runNpm) {
  const wanted = hashLock(folder);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true;
  console.log('+ npm ci --prefix test/conformance');
  // `npm ci` empties what a link leads to, which is another checkout's.
  const modules = join(folder, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(modules);
  rmSync(mark, { force: true });
  if (!run(folder)) {
    console.error('The packages that judge the service could not be installed: npm ci --prefix test/conformance');
    return false;
  }
  writeFileSync(mark, wanted);
  return true;
}

/** @param {string} folder */
function runNpm(folder) {
  // Under `npm test` npm says in variables which package it runs for: this one is another.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_PACKAGE.test(name)));
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', env });
  return status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !needJudges()) process.exitCode = 1;
