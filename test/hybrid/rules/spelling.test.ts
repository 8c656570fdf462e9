import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOverrides } from '../../../src/hybrid/core/migrate.ts';
import { MARKS } from '../../../src/hybrid/core/keys-data.ts';
import { REFERENCE_KEYS } from '../../../src/hybrid/core/reference-data.ts';

const findNested = (text: string): readonly string[] =>
  checkOverrides(`org: shop\n${text}`)
    .problems.filter(({ code }) => code.startsWith('nested-key'))
    .map(({ code, message }) => `${code}: ${message}`);

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

describe('a slip names the right spelling', () => {
  test.each([
    [lines('cassandra:', '  storage:', '    storageClass: fast'), 'cassandra.storage.storageclass'],
    [lines('cassandra:', '  replica_count: 3'), 'cassandra.replicaCount'],
    [lines('cassandra:', '  storage:', '    capcity: 10Gi'), 'cassandra.storage.capacity'],
    [lines('mart:', '  serviceAcountPath: ./a.json'), 'mart.serviceAccountPath'],
    [lines('envs:', '  - name: test', '    httpproxy:', '      host: a'), 'envs[].httpProxy'],
    [lines('envs:', '  - serviceAccountPaths:', '      Udca: a'), 'envs[].serviceAccountPaths.udca'],
    [lines('virtualhosts:', '  - routingRules:', '      - path: [/]'), 'virtualhosts[].routingRules[].paths'],
  ])('%j: %s', (text, right) => {
    expect(findNested(text)).toEqual([expect.stringMatching(/^nested-key-spelling: /)]);
    expect(findNested(text)[0]).toContain(`; \`${right}\` is.`);
  });

  test.each([
    [lines('runtime:', '  resources:', '    cpu: 500m'), 'runtime.resources.requests.cpu'],
    [lines('cassandra:', '  storageclass: fast'), 'cassandra.storage.storageclass'],
    [lines('cassandra:', '  memory: 1Gi'), 'cassandra.resources.requests.memory'],
  ])('%j: %s', (text, right) => {
    expect(findNested(text)).toEqual([expect.stringMatching(/^nested-key-misplaced: /)]);
    expect(findNested(text)[0]).toContain(`; \`${right}\` is.`);
  });
});

describe('let be', () => {
  test.each([
    ['a key of which nothing is known', lines('runtime:', '  quux: 1')],
    ['what an operator names', lines('virtualhosts:', '  - selector:', '      apps: ingress')],
    ['a key beside the one that is near', lines('runtime:', '  replicaCountMin: 1', '  replicaCountMi: 2')],
    ['a word of its own', lines('cassandra:', '  restore:', '    serial: 1')],
    ['a value in place of a mapping', lines('cassandra:', '  storage: fast')],
    ['a name that every object has', lines('cassandra:', '  constructor: 1', '  __proto__: 2')],
    ['a block of another maker', lines('x-common:', '  storageClass: fast')],
  ])('%s', (_what, text) => expect(findNested(text)).toEqual([]));

  test('every key of the given files', () => {
    const folder = join(import.meta.dirname, '../data');
    const files = globSync('*/*.yaml', { cwd: folder });
    expect(files.length).toBeGreaterThan(8);
    for (const file of files)
      expect([file, findNested(readFileSync(join(folder, file), 'utf8').replace(/^org:.*$/m, ''))]).toEqual([file, []]);
  });
});

test('every block of the reference is a known key', () => {
  expect(Object.keys(REFERENCE_KEYS).filter((key) => !MARKS.has(key))).toEqual([]);
});
