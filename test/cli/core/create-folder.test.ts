import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFolder } from '../../../src/cli/core/create-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'create-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const readMode = (path: string): number => statSync(path).mode & 0o777;

test('a folder and those above it that are missing get the mode, and one that is there keeps its own', () => {
  const [above, folder] = [join(root, 'a'), join(root, 'a', 'b', 'c')];
  createFolder(above, 0o755);
  createFolder(folder, 0o700);
  createFolder(folder, 0o755);
  expect([readMode(above), readMode(join(above, 'b')), readMode(folder)]).toEqual([0o755, 0o700, 0o700]);
});

test('a link to a folder is one', () => {
  symlinkSync(root, join(root, 'link'));
  createFolder(join(root, 'link', 'behind'));
  expect(statSync(join(root, 'behind')).isDirectory()).toBe(true);
});

test('a file in the place of a folder, or of one above it, and a link to nothing are refused', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nothing'), join(root, 'dangling'));
  expect(() => createFolder(join(root, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(join(root, 'file', 'below', 'it'))).toThrow('ENOTDIR');
  expect(() => createFolder(join(root, 'dangling'))).toThrow('EEXIST');
});

/** Of a process of its own, since what never ends in here would take the test with it. */
test.runIf(existsSync('/proc/self'))('a file system that takes no folder and says that none is there ends it', () => {
  const module = new URL('../../../src/cli/core/create-folder.ts', import.meta.url).href;
  const text = `import(${JSON.stringify(module)}).then(({ createFolder }) => createFolder('/proc/sightline/history'))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8', timeout: 30_000 });
  expect([status, stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
});
