import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Aim, atMost, round } from '../aims.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = join(ROOT, 'public', 'docs');
const BUILD_S = 60;
const SECOND_MS = 1_000;
const MIB = 1024 * 1024;

/** What building the documentation takes with the generator installed, and what it comes to. */
export function measureDocsSite(print: (line: string) => void): { aims: readonly Aim[]; site: object } {
  build([]); // Installs the generator where that is due, which is not measured.
  const startedMs = performance.now();
  build(['--force']);
  const seconds = (performance.now() - startedMs) / SECOND_MS;
  const files = readdirSync(SITE, { recursive: true })
    .map((name) => join(SITE, String(name)))
    .filter((file) => statSync(file).isFile());
  const pages = files.filter((file) => file.endsWith('.html'));
  const site = {
    pages: pages.length,
    files: files.length,
    mib: round(files.reduce((sum, file) => sum + statSync(file).size, 0) / MIB),
    largestPageGzipKb: round(Math.max(...pages.map((file) => gzipSync(readFileSync(file)).byteLength)) / 1000),
  };
  print(
    `documentation: ${site.pages} pages built in ${round(seconds)} s; ${site.files} files, ${site.mib} MiB, largest page ${site.largestPageGzipKb} kB gzip`,
  );
  return { aims: [atMost('documentation site, build', seconds, BUILD_S, 's')], site };
}

function build(options: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-docs.js'), ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the documentation could not be built: ${stderr}`);
}
