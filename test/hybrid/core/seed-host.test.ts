import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spliceText } from '../../../src/hybrid/edits/splice.ts';
import { withSeedHost } from '../../../src/hybrid/core/seed-host.ts';

const given = (path: string): string => readFileSync(join(import.meta.dirname, '../data', path), 'utf8');
const FILE = given('expected-1.3/01-ahr-small.yaml');
const HOST = '10.4.0.7';

describe('the copy has the seed host, and nothing else is another', () => {
  test.each([
    ['no block', '', 'cassandra:\n  externalSeedHost: "10.4.0.7"\n'],
    ['a block', 'cassandra:\n  replicaCount: 3\n', 'cassandra:\n  replicaCount: 3\n  externalSeedHost: "10.4.0.7"\n'],
    [
      'a block in braces',
      'cassandra: { replicaCount: 3 }\n',
      'cassandra: { replicaCount: 3, externalSeedHost: "10.4.0.7" }\n',
    ],
    ['a key without a value', 'cassandra:\n  externalSeedHost:\n', 'cassandra:\n  externalSeedHost: "10.4.0.7"\n'],
    [
      'a key with a comment',
      'cassandra:\n  externalSeedHost: # none yet\n',
      'cassandra:\n  externalSeedHost: "10.4.0.7" # none yet\n',
    ],
    [
      'another host',
      'cassandra:\n  externalSeedHost: 10.0.0.1 # old\n',
      'cassandra:\n  externalSeedHost: "10.4.0.7" # old\n',
    ],
    [
      'another host over two lines',
      'cassandra:\n  externalSeedHost: >-\n    10.0.0.1\n  replicaCount: 3\n',
      'cassandra:\n  externalSeedHost: "10.4.0.7"\n  replicaCount: 3\n',
    ],
    ['an empty block', 'cassandra:\n', 'cassandra:\n  externalSeedHost: "10.4.0.7"\n'],
  ])('%s', (_what, before, after) => {
    const outcome = withSeedHost(FILE + before, HOST);
    const blank = before === '' ? '\n' : '';
    expect(outcome).toMatchObject({ ok: true, text: FILE + blank + after });
    expect(outcome.ok && spliceText(FILE + before, outcome.edits)).toBe(FILE + blank + after);
  });

  test('an address of IPv6 is a text', () => {
    expect(withSeedHost(FILE, 'fd00::7')).toMatchObject({
      ok: true,
      text: expect.stringContaining('externalSeedHost: "fd00::7"\n'),
    });
  });
});

describe('it is refused', () => {
  test.each([
    ['for a file of 1.2', given('in-1.2/01-ahr-small-1.2.yaml'), 'not-migrated'],
    ['for a part of a file', given('in-1.2/06-vendor-doc-base-path-routing-1.2.yaml'), 'not-migrated'],
    ['for a file of 1.1', given('in-1.1/11-ahr-small-1.1.yaml'), 'version-1-1'],
    ['where a blank line would join a text', `${FILE}x: |+\n  a\n`, 'unsafe-edit'],
    ['where the block goes over several lines in braces', `${FILE}cassandra: {\n  replicaCount: 3 }\n`, 'flow-lines'],
    ['for something else', '- a\n', 'not-overrides'],
  ])('%s', (_what, text, code) => {
    expect(withSeedHost(text, HOST)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ code, severity: 'error' })]),
    });
  });
});
