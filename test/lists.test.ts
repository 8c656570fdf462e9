import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capabilityNames } from '../src/capabilities/capability-name.ts';
import { catalog } from '../src/capabilities/catalog.ts';
import { formatCommandHelp } from '../src/cli/commands/help.ts';
import { PRODUCT } from '../src/lib/product.ts';
import { engineKinds, howToConfigure, howToConfigureChats } from '../src/models/port.ts';
import { localAnswers, localChats, localEmbedders } from '../src/models/registry-local.ts';
import { productionAnswers, productionChats } from '../src/models/registry.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { formatReportPath, listReportForms, reportForms } from '../src/web/report/forms.ts';

/** Each list exists once in the code; these tests name the place that does not follow it. */
const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('each renderer of a report is a format of the command line', () => {
  const renderers = globSync('src/report/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/^export function (\w+)\(report: Reportable\b[^)]*\): string \{/gm)].map(
      ([, name = '']) => name,
    ),
  );
  // The HTML of src/report is a rendering inside a bought full report; the command line writes that of the web.
  const table = ['formats.ts', 'documents.ts'].map((name) => read(`src/cli/audit/${name}`)).join('') + 'reportHtml(';
  expect(renderers.length).toBeGreaterThan(3);
  expect(renderers.filter((name) => !table.includes(`${name}(`))).toEqual([]);
});

test('each form of a report has its path in the OpenAPI document', () => {
  const { paths } = openApiDocument('https://sightline.test', true);
  const documented = Object.keys(paths as object);
  expect(reportForms.filter((form) => !documented.includes(formatReportPath('{id}', form)))).toEqual([]);
});

test('a report is SARIF exactly where its result has checks of one site', () => {
  const withSarif = capabilityNames.filter((name) => listReportForms(name).includes('sarif'));
  const withChecks = catalog
    .filter(({ result }) => ['checks', 'scores', 'fixes'].some((member) => member in result.shape))
    .map(({ name }) => name)
    .filter((name) => name !== 'compare' && !name.startsWith('visibility'));
  expect(withSarif.toSorted()).toEqual(withChecks.toSorted());
});

test('a report is a ZIP file exactly where its result has files', () => {
  const withZip = capabilityNames.filter((name) => listReportForms(name).includes('zip'));
  expect(withZip).toEqual(['generate_llms_txt', 'generate_mcp_json', 'generate_skill', 'full_report']);
  expect(catalog.filter(({ result }) => 'files' in result.shape).map(({ name }) => name)).toEqual(withZip);
});

describe('answer engines', () => {
  const names = Object.keys(localAnswers.factories).toSorted();

  test('results and registries know the same', () => {
    expect(engineKinds.toSorted()).toEqual(names);
  });

  test('each kind has its adapter, and each adapter is a kind', () => {
    const adapters = globSync('src/models/adapters/{*/,*.ts}', { cwd: root }).map((path) => basename(path, '.ts'));
    expect(adapters.toSorted()).toEqual(engineKinds.toSorted());
  });

  test('those of chats and embeddings are kinds as well', () => {
    const others = [...Object.keys(localChats.factories), ...Object.keys(localEmbedders.factories)];
    expect(others.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('those of a deployment are in its instructions', () => {
    const unnamed = (factories: object, text: string) => Object.keys(factories).filter((name) => !text.includes(name));
    expect(unnamed(productionAnswers.factories, howToConfigure.join('\n'))).toEqual([]);
    expect(unnamed(productionChats.factories, howToConfigureChats)).toEqual([]);
  });

  test('those that need no binding are in the help of their command', () => {
    const local = Object.keys(localAnswers.factories).filter((name) => name !== 'workers-ai');
    const help = formatCommandHelp('visibility').replaceAll(/\s+/g, ' ');
    expect(help).toContain(
      local.toSorted((a, b) => engineKinds.indexOf(a as never) - engineKinds.indexOf(b as never)).join(', '),
    );
  });
});

describe('sinks of notifications', () => {
  const makers = globSync('src/notifications/sinks/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/^export function (\w+)\([^]*?\): Sink \{/gm)].map(([, name = '']) => ({ file, name })),
  );

  test('each module that makes one is in the list of the index', () => {
    expect(makers.length).toBeGreaterThan(3);
    const index = read('src/notifications/sinks/index.ts');
    expect(makers.filter(({ name }) => !new RegExp(`\\b${name}\\(`).test(index))).toEqual([]);
  });

  test('each has a test of its own', () => {
    const tests = globSync('test/notifications/sinks/*.test.ts', { cwd: root }).map((file) => basename(file));
    expect(makers.filter(({ file }) => !tests.includes(basename(file).replace('.ts', '.test.ts')))).toEqual([]);
  });
});

test('the name of the product is written once', () => {
  // Names of packages and of what they export stay when the product is renamed: src/client, and programs that import them.
  const naming = globSync(['src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}', 'durable-objects/**/*.ts', 'local/*.ts'], {
    cwd: root,
  }).filter(
    (file) =>
      !file.startsWith('src/client/') &&
      file !== 'src/web/start/calls.ts' &&
      new RegExp(PRODUCT).test(read(file).replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')),
  );
  expect(naming).toEqual(['src/lib/product.ts']);
});
