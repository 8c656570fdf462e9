// Bundles what browsers load: style sheets and islands, into `public/`, which the Workers serve as static assets. Plain
// JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { buildChangelog, listLineDays } from './web/changelog.js';

const OUT = 'public/web';
/** Scripts of the pages, each by itself: no page loads code of another. */
const islands = readdirSync('src/web/islands')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/web/islands/${name}`);
/** Sheets that pages name; the others are parts of them. */
const styles = ['site', 'report', 'audit', 'order', 'console', 'start', 'account', 'gallery'].map(
  (name) => `src/web/styles/${name}.css`,
);

mkdirSync(OUT, { recursive: true });
const shared = {
  bundle: true,
  minify: true,
  logLevel: 'warning',
  target: ['es2022', 'chrome120', 'firefox121', 'safari17'],
};
await build({ ...shared, entryPoints: islands, outdir: OUT, format: 'esm' });
await build({ ...shared, entryPoints: styles, outdir: OUT });
cpSync('src/web/static', OUT, { recursive: true });
cpSync('src/web/_headers', 'public/_headers');
const changes = readFileSync('CHANGELOG.md', 'utf8');
const days = listLineDays('CHANGELOG.md', changes.split('\n').length);
writeFileSync(`${OUT}/changelog.json`, JSON.stringify(buildChangelog(changes, days)));
