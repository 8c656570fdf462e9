import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

test.each([
  ['help', '--all'],
  ['completion', 'bash'],
])('a reader of %s that goes away, as head does, is no fault', async (...words) => {
  const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (text: Buffer) => void (err += text.toString()));
  child.stdout.destroy();
  const status = await new Promise((resolve) => void child.on('close', resolve));
  expect({ status, err }).toEqual({ status: 0, err: '' });
});

test.runIf(existsSync('/dev/full'))('a full disk behind standard output is a sentence', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI, 'help'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let err = '';
  child.stderr?.on('data', (text: Buffer) => void (err += text.toString()));
  const status = await new Promise((resolve) => void child.on('close', resolve));
  expect({ status, err }).toEqual({
    status: 2,
    err: 'Standard output cannot be written: no space is left on the device.\n',
  });
});
