import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runOnFullDisk, runWithoutReader } from '../../support/runner/gone-reader.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

test.each([
  ['help', '--all'],
  ['completion', 'bash'],
])('a reader of %s that goes away, as head does, is no fault', async (...words) => {
  expect(await runWithoutReader(CLI, words)).toEqual({ status: 0, err: '' });
});

test.runIf(existsSync('/dev/full'))('a full disk behind standard output is a sentence', async () => {
  expect(await runOnFullDisk(CLI, ['help'])).toEqual({
    status: 2,
    err: 'Standard output cannot be written: no space is left on the device.\n',
  });
});
