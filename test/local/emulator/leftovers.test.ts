import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers } from '../../../local/emulator/runtime.ts';

/** No system has a process of this id. */
const NO_PROCESS = 2 ** 30;

test('what killed emulators of this user left is removed, and nothing of other users', () => {
  const parent = mkdtempSync(join(tmpdir(), 'leftovers-'));
  const [dead, alive] = [`sightline-emulator-${NO_PROCESS}-a`, `sightline-emulator-${process.pid}-b`];
  for (const name of [dead, alive, 'sightline-other-1-c']) mkdirSync(join(parent, name, 'state'), { recursive: true });
  const uid = process.getuid?.() ?? 0;
  removeLeftovers(parent, uid + 1);
  expect(readdirSync(parent)).toHaveLength(3);
  removeLeftovers(parent, uid);
  expect(readdirSync(parent).toSorted()).toEqual([alive, 'sightline-other-1-c']);
  rmSync(parent, { recursive: true });
});
