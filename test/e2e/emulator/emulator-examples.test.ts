import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { EMULATOR } from '../../support/stack/emulator.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

type Ran = { code: number; output: string };

/** Runs a program in a copy of an example, where a stranger's project would be. */
function runInCopy(example: string, program: string, args: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  folders.push(folder);
  cpSync(join(root, 'docs', 'examples', example), folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, SIGHTLINE_EMULATOR_COMMAND: `"${process.execPath}" "${EMULATOR}"`, NO_COLOR: '1' };
  for (const name of Object.keys(env)) if (name.startsWith('VITEST')) Reflect.deleteProperty(env, name);
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        output: `${stdout}${stderr}`,
      });
    });
  });
}

test('the Vitest example passes in a project of its own', async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const ran = await runInCopy('emulator-vitest', process.execPath, [vitest, 'run']);
  expect(ran.output).toMatch(/Tests\s+3 passed/);
  expect(ran.code).toBe(0);
});

test('the pytest example passes in a project of its own', async () => {
  const ran = await runInCopy('emulator-pytest', await findPython(), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']);
  expect(ran.output).toContain('3 passed');
  expect(ran.code).toBe(0);
});

/** A Python that has pytest. @throws Error where none has: a missing judge fails */
async function findPython(): Promise<string> {
  for (const python of ['python3', '/usr/bin/python3']) {
    const found = await new Promise<boolean>((resolve) => {
      execFile(python, ['-c', 'import pytest'], (error) => resolve(error === null));
    });
    if (found) return python;
  }
  throw new Error('No Python with pytest is here: apt-get install python3-pytest');
}

test('the set-up of an example has about ten lines', () => {
  for (const [file, comment] of [
    ['emulator-vitest/emulator.js', /^\/\/|^import/],
    ['emulator-pytest/conftest.py', /^"""|^import/],
  ] as const) {
    const lines = readFileSync(join(root, 'docs', 'examples', file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && !comment.test(line));
    expect(lines.length).toBeLessThanOrEqual(14);
  }
});
