import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservePort } from '../../../local/ports.ts';
import { type ControlStack, startControlStack } from '../../conformance/support/control-stack.ts';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/platform/directory.md'), 'utf8');
const example = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';

let stack: ControlStack;
let folder = '';
beforeAll(async () => {
  stack = await startControlStack();
  folder = mkdtempSync(join(tmpdir(), 'sightline-readme-'));
  symlinkSync(join(ROOT, 'test/conformance/node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.local'));
  const { url: control, token } = stack.world;
  writeFileSync(join(folder, '.local/stack.json'), JSON.stringify({ control, operator: { token } }));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the ten lines of docs/platform/directory.md create and list a user with the official client, and receive a push at an address of their own', async () => {
  expect(example.trimEnd().split('\n')).toHaveLength(10);
  const port = await reservePort(0, 'the listener', '');
  writeFileSync(join(folder, 'users.mjs'), example.replaceAll('9000', String(port)));
  const child = spawn(process.execPath, ['users.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const seen = new Set<string>();
  const expected = ['push: sync', 'push: add', "users: [ 'ada@example.com' ]"];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.add(line);
    if (expected.every((text) => seen.has(text))) child.kill();
  }
  expect([...seen].toSorted()).toEqual(expected.toSorted());
});
