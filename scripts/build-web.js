// Bundles what browsers load: style sheets and islands, into `public/`, which the Workers serve as static assets. Plain
// JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const OUT = 'public/web';
/** Scripts of the pages, each by itself: no page loads code of another. */
const islands = readdirSync('src/web/islands')
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => `src/web/islands/${name}`);
/** Sheets that pages name; the others are parts of them. */
const styles = ['site', 'report', 'audit', 'console', 'gallery'].map((name) => `src/web/styles/${name}.css`);

mkdirSync(OUT, { recursive: true });
const shared = {
  bundle: true,
  minify: true,
  logLevel: 'warning',
  target: ['es2022', 'chrome120', 'firefox121', 'safari17'],
};
await build({
  ...shared,
  entryPoints: islands,
  outdir: OUT,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx/dom',
});
await build({ ...shared, entryPoints: styles, outdir: OUT });
// Titles of checks that scripts show in another language than English: tables that no script carries.
const titles = await build({
  bundle: true,
  write: false,
  format: 'esm',
  logLevel: 'warning',
  entryPoints: ['src/web/language/check-titles.ts'],
});
const [module] = titles.outputFiles;
const { checkTitles } = await import(`data:text/javascript;base64,${Buffer.from(module.contents).toString('base64')}`);
for (const [language, table] of Object.entries(checkTitles))
  writeFileSync(`${OUT}/checks-${language}.json`, JSON.stringify(table));
cpSync('src/web/static', OUT, { recursive: true });
cpSync('src/web/_headers', 'public/_headers');
