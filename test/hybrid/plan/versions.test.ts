import { expect, test } from 'vitest';
import { findDryRunValue, isAtLeast, parsePrintedVersion } from '../../../src/hybrid/plan/versions.ts';

test.each([
  ['1.18', 'client'],
  ['1.18+', 'client'],
  ['v1.18.20', 'client'],
  [' 1.18\n', 'client'],
  ['1.100', 'client'],
  ['v1.30.0-rc.1+abc', 'client'],
  ['1.17', 'true'],
  ['1.17.17-gke.1', 'true'],
  ['1.17+', 'true'],
  ['1.9', 'true'],
  ['v1.0.0', 'true'],
  ['18', 'client'],
  ['18+', 'client'],
  ['17+', 'true'],
])('kubectl %j takes --dry-run=%s', (kubectl, dryRun) => {
  expect(findDryRunValue(kubectl)).toBe(dryRun);
});

test.each(['', '1', '2.0', '0.18', 'v', '1.', '1.x', '1.18.x', '-1.18', '1,18', '1.18 1.19', '1.1818', 'client'])(
  '%j is no version of kubectl 1',
  (kubectl) => {
    expect(findDryRunValue(kubectl)).toBeUndefined();
  },
);

test.each([
  ['v0.14.2', [0, 14, 2]],
  ['1.5.8-asm.7', [1, 5, 8]],
  ['1.18+', [1, 18, 0]],
  ['Version: 1.2.0, commit abc', [1, 2, 0]],
  ['nothing 18+', undefined],
  ['W1122 19:00:00.000000 1 gcp.go:119] use v1.22+\nVersion: 1.2.0\n', [1, 2, 0]],
  ['1.2.0\nfor more see the manual', [1, 2, 0]],
  ['', undefined],
])('the version in %j is %j', (text, version) => {
  expect(parsePrintedVersion(text)).toEqual(version);
});

test.each([
  [[1, 5, 7], true],
  [[1, 5, 10], true],
  [[1, 10, 0], true],
  [[2, 0, 0], true],
  [[1, 5, 6], false],
  [[1, 4, 9], false],
  [[0, 9, 9], false],
] as const)('%j at least 1.5.7: %s', (version, expected) => {
  expect(isAtLeast(version, [1, 5, 7])).toBe(expected);
});
