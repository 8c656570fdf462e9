import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The files that every interface has, as far as there is something to hold. */
const NAMES = ['index.ts', 'handlers.ts', 'rows.ts', 'schemas.ts', 'refusals.ts'];

const root = join(import.meta.dirname, '../../../src/management/interfaces');
const files = globSync('*/**/*.{ts,md}', { cwd: root }).toSorted();
const sources = files.filter((file) => file.endsWith('.ts'));
const isRoot = (folder: string): boolean => !folder.includes('/');

/** The code of a file, without comments. */
const readCode = (file: string): string => withoutComments(readFileSync(join(root, file), 'utf8'));
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$| \/\/ .*$/gm, '');

/** What only the files of one name hold. */
const rules = [
  { what: 'zod', pattern: /from 'zod'/, name: 'schemas.ts' },
  { what: 'handlers', pattern: /\bHandlers?\b/, name: 'handlers.ts' },
  {
    what: 'definitions of collections',
    pattern:
      /: (?:Pick<CollectionDefinition, [^>]*>|CollectionDefinition) (?:=|\{)|satisfies (?:Pick<)?CollectionDefinition\b/,
    name: 'rows.ts',
  },
  {
    what: 'functions that make a refusal',
    pattern:
      /^(?:export )?(?:function|const) refuse|^(?:(?:export )?(?:function|const) .*)?\): Refusal(?:Data)? (?:=>|\{)/m,
    name: 'refusals.ts',
  },
] as const;

test('there are interfaces to judge', () => {
  expect(new Set(files.map((file) => file.split('/')[0])).size).toBeGreaterThan(6);
});

test('the root of an interface has the five names, tables, README and folders', () => {
  const strange = files.filter(
    (file) => isRoot(dirname(file)) && !file.endsWith('-data.ts') && ![...NAMES, 'README.md'].includes(basename(file)),
  );
  expect(strange).toEqual([]);
});

test('a folder of a resource has handlers.ts and no index.ts; that of an algorithm has none of the five', () => {
  const folders = Map.groupBy(
    sources.filter((file) => !isRoot(dirname(file))),
    (file) => dirname(file),
  );
  const strange = [...folders].filter(([, inside]) => {
    const names = inside.map((file) => basename(file)).filter((name) => NAMES.includes(name));
    return names.includes('index.ts') || (names.length > 0 && !names.includes('handlers.ts'));
  });
  expect(strange.map(([folder]) => folder)).toEqual([]);
});

/** Whether a module exports interfaces only, and has no functions. */
const isIndex = (code: string): boolean =>
  !/^export (?!const \w+: Interface = )|^(?:async )?function |^const .*=>/m.test(code);

test('index.ts has the interface and nothing else', () => {
  expect([
    isIndex('export const tags: Interface = {\n  handlers,\n};'),
    isIndex('export const TAGS = {};'),
    isIndex('function wrap(handlers: Handlers): Handlers {}'),
    isIndex('const getAbout = () => ({});'),
  ]).toEqual([true, false, false, false]);
  const strange = sources.filter((file) => basename(file) === 'index.ts' && !isIndex(readCode(file)));
  expect(strange).toEqual([]);
});

describe.each(rules)('$what', ({ pattern, name }) => {
  test(`are in ${name} only`, () => {
    expect(sources.filter((file) => basename(file) !== name && pattern.test(readCode(file)))).toEqual([]);
  });
});

test.each([
  ['zod', "import * as z from 'zod';"],
  ['handlers', 'const list: Handler = () => ({});'],
  ['handlers', 'export function define(): Handlers {'],
  ['definitions of collections', 'export const sinks: CollectionDefinition = {'],
  ['definitions of collections', "const sinks: Pick<CollectionDefinition, 'name' | 'items'> = {"],
  ['definitions of collections', 'function define(name: string): CollectionDefinition {'],
  ['functions that make a refusal', 'const refuseTooMany = () => refuseFilter(TOO_MANY);'],
  ['functions that make a refusal', 'export const missing = (name: string): Refusal => make(name);'],
  ['functions that make a refusal', 'function missing(\n  name: string,\n): RefusalData {'],
] as const)('the rule for %s sees %j', (what, planted) => {
  expect(rules.find((rule) => rule.what === what)?.pattern.test(withoutComments(planted))).toBe(true);
});

test.each([
  'export const handlers = define();',
  '/** Handlers of a refusal. */',
  'const id = 1; // Handler',
  'function view({ schema }: CollectionDefinition, sent: JsonObject): JsonObject {',
  'export type Tags = CollectionDefinition & { schema: string };',
  'type Listed = { collection: CollectionDefinition };',
  'function insert(\n  collection: CollectionDefinition,\n  { parent }: Place,',
  'throw refuseFilter(TOO_MANY);',
  'const wrong = (why: string) => refuseField(where, why);',
])('and none sees %j', (innocent) => {
  expect(rules.filter(({ pattern }) => pattern.test(withoutComments(innocent)))).toEqual([]);
});
