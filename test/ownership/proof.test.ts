import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/time.ts';
import {
  computeNextLookMs,
  type HostProof,
  isHostProven,
  listRecordNames,
  normaliseHost,
  openProof,
  type ProofLook,
  recordLook,
} from '../../src/ownership/proof.ts';

const found: ProofLook = { state: 'found', place: 'dns' };
const absent: ProofLook = { state: 'absent', places: [] };
const unknown: ProofLook = { state: 'unknown', places: [] };

const look = (days: number, ...looks: readonly (readonly [number, ProofLook])[]): boolean => {
  const proof = looks.reduce<HostProof>(
    (before, [day, seen]) => recordLook(before, seen, day * DAY_MS),
    openProof('account', 'example.com', 0),
  );
  return isHostProven(proof, days * DAY_MS);
};

test('each value is a new one', () =>
  expect(openProof('a', 'example.com', 0).value).not.toBe(openProof('a', 'example.com', 0).value));

test('a value that was never found proves nothing', () => {
  expect(look(1)).toBe(false);
  expect(look(1, [0, absent])).toBe(false);
  expect(look(1, [0, unknown])).toBe(false);
});

test('a proof holds until the next look, and a while longer when that can see nothing', () => {
  expect(look(30, [0, found])).toBe(true);
  expect(look(36, [0, found], [30, unknown], [31, unknown])).toBe(true);
  expect(look(38, [0, found], [30, unknown], [31, unknown])).toBe(false);
});

test('a value that is gone ends the proof after three days, and its return restores it', () => {
  expect(look(32, [0, found], [30, absent])).toBe(true);
  expect(look(34, [0, found], [30, absent], [31, absent])).toBe(false);
  expect(look(34, [0, found], [30, absent], [31, unknown])).toBe(false);
  expect(look(34, [0, found], [30, absent], [33, found])).toBe(true);
});

test('looks come every 30 days, daily while the value is missing, and end with the proof', () => {
  const proof = recordLook(openProof('account', 'example.com', 0), found, 0);
  expect(computeNextLookMs(openProof('account', 'example.com', 0))).toBeUndefined();
  expect(computeNextLookMs(proof)).toBe(30 * DAY_MS);
  expect(computeNextLookMs(recordLook(proof, absent, 30 * DAY_MS))).toBe(31 * DAY_MS);
  expect(computeNextLookMs(recordLook(proof, unknown, 38 * DAY_MS))).toBeUndefined();
});

test.each([
  ['example.com', 'example.com'],
  ['WWW.Example.com.', 'www.example.com'],
  ['https://example.com:8443/path', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', undefined],
  ['[::1]', undefined],
  ['0x7f.1', undefined],
  ['localhost', undefined],
  ['example.com/%00', 'example.com'],
  ['exa mple.com', undefined],
  ['', undefined],
  [`${'a.'.repeat(130)}com`, undefined],
])('%j is the host %j', (given, host) => expect(normaliseHost(given)).toBe(host));

test('records of the host and of its registered domain count, never those of a shared suffix', () => {
  expect(listRecordNames('shop.example.co.uk')).toEqual(['_sightline.shop.example.co.uk', '_sightline.example.co.uk']);
  expect(listRecordNames('me.github.io')).toEqual(['_sightline.me.github.io']);
});
