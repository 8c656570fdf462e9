import { expect, test } from 'vitest';
import { ROTATED_SETTINGS } from '../../src/deploy/rotated-settings-data.ts';
import { openSecretAges } from '../../src/authorization/operators/secret-ages.ts';
import { describeSecrets } from '../../src/deploy/secret-prints.ts';
import { deploySettings } from '../../src/deploy/settings-data.ts';
import { SHOWN_SETTINGS } from '../../src/deploy/shown-settings-data.ts';
import { memorySqlite } from '../support/management/sqlite.ts';

const VALUE = 'the-value-that-leaves-no-worker';

test('a Worker names its secrets by a short part of a digest, which another value, setting or Worker changes', async () => {
  const env = { LEDGER_SECRET: VALUE, OPERATOR_SECRET: VALUE, FRONT_SECRET: '', PAY_TO: '0xabc', DB: {} };
  const secrets = await describeSecrets('api', env);
  expect(secrets.map(({ name }) => name)).toEqual(['LEDGER_SECRET', 'OPERATOR_SECRET']);
  for (const { print } of secrets) expect(print).toMatch(/^[0-9a-f]{8}$/);
  expect(JSON.stringify(secrets)).not.toContain(VALUE);
  const [ledger, operator] = secrets;
  expect(ledger?.print).not.toBe(operator?.print);
  expect(await describeSecrets('api', { LEDGER_SECRET: VALUE })).toEqual([ledger]);
  expect(await describeSecrets('api', { LEDGER_SECRET: `${VALUE}2` })).not.toEqual([ledger]);
  const [front] = await describeSecrets('api', { FRONT_SECRET: VALUE });
  expect(await describeSecrets('control', { FRONT_SECRET: VALUE })).not.toEqual([front]);
});

test('a value is in force since it was first seen, and a new one, or one that was away, begins again', () => {
  const ages = openSecretAges(memorySqlite().sql);
  const note = (secrets: readonly { name: string; print: string }[], nowMs: number, worker = 'api') =>
    ages.note({ worker, secrets }, nowMs).map(({ name, firstSeenMs }) => [name, firstSeenMs]);
  const [a, b] = [
    { name: 'A', print: '11111111' },
    { name: 'B', print: '22222222' },
  ];
  expect(note([a, b], 1)).toEqual([
    ['A', 1],
    ['B', 1],
  ]);
  expect(note([a, { ...b, print: '33333333' }], 2)).toEqual([
    ['A', 1],
    ['B', 2],
  ]);
  expect(note([b], 3, 'control')).toEqual([['B', 3]]);
  expect(note([a], 4)).toEqual([['A', 1]]);
  expect(note([a, b], 5)).toEqual([
    ['A', 1],
    ['B', 5],
  ]);
});

test('what wants a new value is a hidden setting, and every name that sounds like a secret has a term', () => {
  const hidden = deploySettings.map(({ name }) => name).filter((name) => !SHOWN_SETTINGS.has(name));
  expect([...ROTATED_SETTINGS.keys()].filter((name) => !hidden.includes(name))).toEqual([]);
  const secrets = hidden.filter((name) => /SECRET|KEY|TOKEN|AUTHORIZATION|HEADERS|DESTINATIONS/.test(name));
  const exempt = ['LEDGER_PLACING_SECRET', 'RESULT_SIGNING_KEYS_RETIRED', 'VENDOR_HEADER_PREFIX']; // The second is public.
  expect(secrets.filter((name) => !ROTATED_SETTINGS.has(name) && !exempt.includes(name))).toEqual([]);
});
