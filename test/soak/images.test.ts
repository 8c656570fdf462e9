import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { type Built, buildWithoutBuilder } from '../../scripts/run-dockerfile.ts';

const root = join(import.meta.dirname, '../..');
let built: Built | undefined;
afterEach(() => {
  built?.remove();
  built = undefined;
});

test('the image of the command line is built from the lock file, and audits', () => {
  built = buildWithoutBuilder(join(root, 'Dockerfile'), root);
  expect(built.run()).toMatchObject({ code: 0 });
  // An address that nothing listens on: the audit has begun, and says so.
  expect(built.run(['audit', 'http://127.0.0.1:9/'])).toMatchObject({ code: 3 });
});

test('the image of the stack is built from the lock file, and its service gets ready', async () => {
  built = buildWithoutBuilder(join(root, 'Dockerfile.stack'), root);
  const folder = join(built.root, 'home/node/sightline');
  const child = spawn(process.execPath, ['local/start.ts', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  let isReady = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('is ready')) continue;
    isReady = true;
    child.kill('SIGTERM');
  }
  expect([isReady, await ended]).toEqual([true, 0]);
});
