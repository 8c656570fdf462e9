import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliPage } from '../scripts/docs/cli-page.ts';
import { clientsPage } from '../scripts/docs/clients-page.ts';
import { rubricPage } from '../scripts/docs/rubric-page.ts';
import { accuracyDocument, withAccuracy, withEngines, withParts } from '../scripts/generate-docs.ts';
import { formatConfigSchema } from '../src/cli/config/schema.ts';
import { service } from '../src/capabilities/service.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

test('the tables of the README are those of the code (npm run docs)', () => {
  expect(withParts(readme)).toBe(readme);
  expect(withEngines(read('.dev.vars.example'))).toBe(read('.dev.vars.example'));
});

test('the page of the rubric is that of its table (npm run docs)', () => {
  expect(read('docs/project/rubric.md')).toBe(rubricPage());
});

test('the page of the clients counts their cases and names their misses (npm run docs)', () => {
  expect(read('docs/control-plane/clients.md')).toBe(clientsPage());
});

test('what is said of accuracy is what the last run of the bench came to (npm run docs)', () => {
  const module = read('src/audit/core/accuracy-data.ts');
  expect(withAccuracy(module)).toBe(module);
  expect(accuracyDocument()).toBe(read('docs/project/accuracy.md'));
});

test('README names no npm script that does not exist', () => {
  const named = [...readme.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] ?? '');
  expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test.each(['start', 'test', 'check', 'bench', 'conformance', 'deploy'])(
  'the script %s exists and README says what it is for',
  (name) => {
    expect(manifest.scripts).toHaveProperty(name);
    expect(readme).toMatch(new RegExp(`npm (run )?${name}\\b`));
  },
);

test('README says why each dependency is there', () => {
  const named = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  const missing = named.filter(
    (name) => !name.startsWith('@types/') && !name.startsWith('@x402/') && !readme.includes(`\`${name}\``),
  );
  expect(missing.filter((name) => name !== 'oxlint-tsgolint')).toEqual([]);
});

test('every setting of the Workers stands in .dev.vars.example, and nothing else does', () => {
  const files = [
    'src/sales/settings.ts',
    'routes/shared/front.ts',
    'routes/control/bindings/env.ts',
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

test("the README's example of a protected route is the one that is tested", () => {
  const shown = /## Protect your own route\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const tested = read('test/support/stack/own-route.ts').split('\n').slice(1).join('\n');
  expect(shown).toContain('createProtectedResource');
  expect(tested).toBe(`${shown.replaceAll("'./routes/", "'../../../routes/")}\nexport { app };\n`);
});
