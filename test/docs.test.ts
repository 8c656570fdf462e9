import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliPage } from '../scripts/docs/cli-page.ts';
import { clientsPage } from '../scripts/docs/clients-page.ts';
import { figuresPage } from '../scripts/docs/figures-page.ts';
import { rubricPage } from '../scripts/docs/rubric-page.ts';
import { accuracyDocument, partedFiles, withAccuracy, withEngines, withParts } from '../scripts/generate-docs.ts';
import { checks } from '../src/audit/core/catalogue.ts';
import { formatConfigSchema } from '../src/cli/config/schema.ts';
import { service } from '../src/capabilities/service.ts';
import { apiProblems } from '../src/problems/codes.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
/** README and the pages for users. */
const guides = ['README.md', ...globSync('docs/{index.md,start/*.md,guides/*.md,operate/*.md}', { cwd: root })];
const guideText = guides.map(read).join('\n');
/** README is the first screen of the product: what does not fit belongs in a page of docs. */
const MAX_README_LINES = 200;
const MAX_README_BYTES = 12 * 1024;
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};

test('README is short', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(MAX_README_BYTES);
});

test('README shows a report in light and dark, as PNG files of this repository', () => {
  const shown = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file = '']) => file);
  expect(shown.map((file) => read(file).slice(1, 4))).toEqual(['PNG', 'PNG']);
});

test('README counts the checks', () => {
  expect(readme).toContain(`**Four scores from ${checks.length} checks**`);
});

test.each(partedFiles)('the generated parts of %s are those of the code (npm run docs)', (file) => {
  expect(withParts(file, read(file))).toBe(read(file));
});

test('the engines of .dev.vars.example are those of the code (npm run docs)', () => {
  expect(withEngines(read('.dev.vars.example'))).toBe(read('.dev.vars.example'));
});

test('the page of the rubric is that of its table (npm run docs)', () => {
  expect(read('docs/project/rubric.md')).toBe(rubricPage());
});

test('the page of figures is that of the last run of the bench (npm run docs)', () => {
  expect(read('docs/project/figures.md')).toBe(figuresPage());
});

test('the page of the clients counts their cases and names their misses (npm run docs)', () => {
  expect(read('docs/platform/clients.md')).toBe(clientsPage());
});

test('what is said of accuracy is what the last run of the bench came to (npm run docs)', () => {
  const module = read('src/audit/core/accuracy-data.ts');
  expect(withAccuracy(module)).toBe(module);
  expect(accuracyDocument()).toBe(read('docs/project/accuracy.md'));
});

test('README and the pages for users name no npm script that does not exist', () => {
  const named = [...guideText.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] ?? '');
  expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test.each(['start', 'test', 'check', 'bench', 'conformance', 'deploy'])(
  'the script %s exists and README says what it is for',
  (name) => {
    expect(manifest.scripts).toHaveProperty(name);
    expect(readme).toMatch(new RegExp(`npm (run )?${name}\\b`));
  },
);

test('every setting of the Workers stands in .dev.vars.example, and nothing else does', () => {
  const files = [
    'src/sales/settings.ts',
    'src/settings/front-settings.ts',
    'src/settings/control-settings.ts',
    'src/management/watch/settings.ts',
    'src/management/log-store/shards/settings.ts',
    'src/models/settings.ts',
    'src/telemetry/otlp-settings.ts',
    'src/management/core/put-rule.ts',
  ];
  const schemas = [...files, 'src/notifications/core/settings.ts'].map(
    (file) =>
      /(?:z\.object\(|(?:watch|engine|otlp|put|entry)Variables = )\{\n([\s\S]*?)\n\}\)?;/.exec(read(file))?.[1] ?? '',
  );
  expect(schemas).not.toContain('');
  const named = [...schemas.join('\n').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1]);
  const settings = [...new Set(named)].toSorted();
  const example = [...read('.dev.vars.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]).toSorted();
  expect(settings.length).toBeGreaterThan(8);
  expect(example).toEqual(settings);
});

test('settings that the pages for users name are settings of a Worker or of the command line', () => {
  const settings = new Set([...read('.dev.vars.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
  const named = new Set([...guideText.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(([, name = '']) => name));
  expect(named.size).toBeGreaterThan(30);
  const others = [...named].filter((name) => !settings.has(name) && !name.startsWith('SIGHTLINE_'));
  const elsewhere = ['CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN', 'CRAWLER_COUNTS', 'PDF_BROWSER', 'WORDS_CHANGED']; // Of wrangler, a binding, a constant.
  expect(others.toSorted((a, b) => a.localeCompare(b))).toEqual(elsewhere);
});

test('problems that the pages for users name exist', () => {
  const named = new Set([...guideText.matchAll(/\b[45]\d\d `([a-z_]+)`/g)].map(([, code = '']) => code));
  expect(named.size).toBeGreaterThan(5);
  const others = [...named].filter((code) => !Object.hasOwn(apiProblems, code));
  expect(others).toEqual(['watch_refused']); // Of the webhook Worker.
});

test('the command line says the version of package.json', () => {
  expect(service.version).toBe(manifest.version);
});

test('CHANGELOG has the version of package.json', () => {
  expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
});

test('the page of the command line is that of its table (npm run docs)', () => {
  expect(read('docs/reference/cli.md')).toBe(cliPage());
  expect(read('docs/reference/sightline.config.schema.json')).toBe(formatConfigSchema());
});

test("the guide's example of a protected route is the one that is tested", () => {
  const shown = /```ts\n([\s\S]*?)```/.exec(read('docs/guides/protect-your-route.md'))?.[1] ?? '';
  const tested = read('test/support/stack/own-route.ts').split('\n').slice(1).join('\n');
  expect(shown).toContain('createProtectedResource');
  expect(tested).toBe(`${shown.replaceAll("'./routes/", "'../../../routes/")}\nexport { app };\n`);
});
