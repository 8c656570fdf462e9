// `npm run docs:site`: builds the documentation site into `public/docs`, which the api Worker serves. Does nothing while
// its sources are those of the last build. Installs the generator, which has a lock file of its own, where that changed.
// Plain JavaScript, because it runs with whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { finishSite } from './docs/finish-site.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const docs = join(root, 'docs');
const built = join(docs, '.vitepress', 'dist');
const out = join(root, 'public', 'docs');
const STAMP = 'build.json';
const INSTALLED = join(docs, 'node_modules', '.lock-sha256');
/** Files outside `docs` that decide how the site looks. */
const OTHER_SOURCES = ['scripts/build-docs.js', 'scripts/docs/finish-site.js', 'src/lib/product.ts', 'package.json'];
/** Folders in `docs` that are no sources of the site. They are not looked into: a build beside this one changes them. */
const LEFT_OUT = new Set(['node_modules', 'examples', 'dist', 'cache', '.temp']);
const SOURCE = /\.(?:md|png|svg|json|js|css)$/;
/** Longest time that installing or building may take. */
const MAX_MS = 600_000;

const hash = (text) => createHash('sha256').update(text).digest('hex');

/** A hash over all sources of the site. */
export function hashDocs() {
  const sum = createHash('sha256');
  for (const file of [...listSources('docs'), ...OTHER_SOURCES].toSorted((a, b) => (a < b ? -1 : 1)))
    sum
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return sum.digest('hex');
}

/** Sources of the site below a folder, by their path from the root. */
function listSources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : listSources(path);
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
  });
}

/** Whether `public/docs` is of the sources as they are now. */
export function isBuilt(sources = hashDocs()) {
  const stamp = join(out, STAMP);
  return existsSync(stamp) && JSON.parse(readFileSync(stamp, 'utf8')).sources === sources;
}

/**
 * Builds the site where its sources changed.
 * @param {{ force?: boolean }} [options]
 * @returns {boolean} whether it was built
 * @throws Error when installing or building fails; the last build stays
 */
export function buildDocs({ force = false } = {}) {
  const sources = hashDocs();
  if (!force && isBuilt(sources)) return false;
  install();
  rmSync(built, { recursive: true, force: true });
  run(process.execPath, [join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', '.'], docs);
  finishSite({ docs, built });
  writeFileSync(join(built, STAMP), JSON.stringify({ sources }));
  replace();
  return true;
}

function install() {
  const lock = hash(readFileSync(join(docs, 'package-lock.json')));
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lock) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], docs);
  writeFileSync(INSTALLED, lock);
}

/** Runs a program quietly: what it printed is shown only when it fails. */
function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: MAX_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
}

/** The new site in the place of the old one; a reader meets one or the other, and no half. */
function replace() {
  const old = `${out}.old`;
  mkdirSync(dirname(out), { recursive: true });
  rmSync(old, { recursive: true, force: true });
  const next = `${out}.new`;
  rmSync(next, { recursive: true, force: true });
  cpSync(built, next, { recursive: true });
  if (existsSync(out)) renameSync(out, old);
  renameSync(next, out);
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const startedMs = performance.now();
  const isNew = buildDocs({ force: process.argv.includes('--force') });
  console.log(
    isNew
      ? `public/docs is built (${Math.round((performance.now() - startedMs) / 1000)} s)`
      : 'public/docs is up to date',
  );
}
