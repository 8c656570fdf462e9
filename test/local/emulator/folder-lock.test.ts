import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { refuseHeldFolder, takeFolder } from '../../../local/emulator/folder.ts';
import { readProcessStart } from '../../../local/processes/process-alive.ts';

const root = mkdtempSync(join(tmpdir(), 'lock-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const createFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(root, 'one-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};
const take = (folder: string) => takeFolder(folder, '--export-on-exit');

/** Holds of a process that runs, and of one that has its id but began at another time. */
const [pid] = [process.ppid];
const living = `${pid} ${readProcessStart(pid)} n1\n`;
const ended = `${pid} then n2\n`;
const HELD = new RegExp(`another emulator \\(process ${pid}\\) holds this folder`);

test('a process is known by when it began', () => {
  expect(readProcessStart(process.pid)).toMatch(/^\S+$/);
  expect(readProcessStart(process.pid)).toBe(readProcessStart(process.pid));
  expect(readProcessStart(2 ** 30)).toBeUndefined();
});

test.each([
  ['of a process whose id another has now', ended],
  ['of this very id, by an earlier version', `${process.pid}\n`],
  ['of an earlier process of this very id, as in a container', `${process.pid} then n3\n`],
  ['of a process that is gone', `${2 ** 30} then n4\n`],
])('a lock %s holds nothing', (_what, content) => {
  const folder = createFolder({ '.lock': content });
  refuseHeldFolder(folder);
  const release = take(folder);
  expect(readFileSync(join(folder, '.lock'), 'utf8')).toContain(`${process.pid} ${readProcessStart(process.pid)} `);
  expect(readdirSync(folder)).toEqual(['.lock']);
  refuseHeldFolder(folder); // Its own is no obstacle to an import.
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<Record<string, string>>([
  { '.lock': living },
  { '.lock': `${pid}\n` },
  // One that judged an older lock moved it away, too late.
  { '.lock.77.a1.old': living },
  { '.lock.77.a1.old': living, '.lock': ended },
])('a process that runs holds its folder, under whatever name its lock is: %j', (files) => {
  const folder = createFolder(files);
  expect(() => take(folder)).toThrow(HELD);
  expect(() => refuseHeldFolder(folder)).toThrow(HELD);
  expect(readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8') === Object.values(files)[0])).toBe(
    true,
  );
  expect(() => take(folder)).toThrow(HELD);
});

test('of two in one process the first holds, also where its lock was moved', () => {
  const folder = createFolder({ '.lock': ended });
  const release = take(folder);
  const held = readFileSync(join(folder, '.lock'), 'utf8');
  rmSync(join(folder, '.lock'));
  writeFileSync(join(folder, '.lock.77.a1.old'), held);
  expect(() => take(folder)).toThrow(`another emulator (process ${process.pid}) holds this folder`);
  release();
  expect(readdirSync(folder)).toEqual([]);
  take(folder)();
});
