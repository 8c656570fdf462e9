import { symlinkSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { hybrid, OVERRIDES, temporaryFolder } from './world.ts';

const { at, put, read, listing } = temporaryFolder();

let file = '';
beforeEach(async () => {
  await hybrid(['migrate', put('overrides.yaml', OVERRIDES, 0o600), '-o', at('new.yaml')]);
  file = at('new.yaml');
});

const seed = (out: string, ...more: readonly string[]) =>
  hybrid(['seed-host', file, '--set', '10.4.0.7', '-o', out, ...more]);

test.each(['10.4.0.7', 'fd00::7'])('the copy has the seed host %s, and the permissions of the file', async (host) => {
  const before = listing();
  const { status, out, err } = await hybrid(['seed-host', file, '--set', host, '-o', at('seed.yaml')]);
  expect({ status, out }).toEqual({ status: 0, out: '' });
  expect(err).toContain(`Wrote ${at('seed.yaml')}.\n`);
  expect(read('seed.yaml')).toContain('externalSeedHost');
  expect(read('seed.yaml')).toContain(host);
  const { 'seed.yaml': copy, ...others } = listing();
  expect(copy).toMatch(/^600 /);
  expect(others).toEqual(before);
});

test('a second run finds what it would write', async () => {
  await seed(at('seed.yaml'));
  const once = listing();
  const { status, err } = await seed(at('seed.yaml'));
  expect(status).toBe(0);
  expect(err).toContain(`${at('seed.yaml')} has this content already.\n`);
  expect(listing()).toEqual(once);
});

test('the file itself is never its copy, not even by a link', async () => {
  symlinkSync(file, at('link.yaml'));
  const before = listing();
  for (const out of [file, at('link.yaml')]) {
    const { status, err } = await seed(out, '--force');
    expect(status).toBe(2);
    expect(err).toContain('is the file that is read. Name another file with -o.');
  }
  expect(listing()).toEqual(before);
});

test('another file is replaced with --force only', async () => {
  put('seed.yaml', 'mine');
  expect((await seed(at('seed.yaml'))).status).toBe(2);
  expect(read('seed.yaml')).toBe('mine');
  expect((await seed(at('seed.yaml'), '--force')).status).toBe(0);
});

test('a file that cannot have one is refused with its problems', async () => {
  put('new.yaml', '- no\n- overrides\n');
  const { status, out, err } = await seed(at('seed.yaml'));
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toContain(`${file}:1:1 `);
  expect(listing()).not.toHaveProperty('seed.yaml');
});

test.each(['0.0.0.0', '127.0.0.1', '::1', '::', 'fe80::1%eth0', 'cassandra.example', ''])(
  'an address that is none of another node is wrong usage: %j',
  async (host) => {
    const { status, err } = await hybrid(['seed-host', file, '--set', host, '-o', at('seed.yaml')]);
    expect(status).toBe(2);
    expect(err).toContain('--set takes the IPv4 or IPv6 address of a node of the old ring');
    expect(listing()).not.toHaveProperty('seed.yaml');
  },
);

test('a file of 1.2 is refused: it would be applied with the address', async () => {
  const { status, err } = await hybrid(['seed-host', at('overrides.yaml'), '--set', '10.4.0.7', '-o', at('seed.yaml')]);
  expect(status).toBe(1);
  expect(err).toMatch(/not-migrated .*; migrate it first/);
});
