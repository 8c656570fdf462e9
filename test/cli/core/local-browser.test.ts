import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalBrowser, findChromium, startBrowser } from '../../../src/cli/core/local-browser.ts';

let folder = '';
let profiles = '';
const usual = process.env['TMPDIR'];
beforeAll(() => {
  profiles = mkdtempSync(join(tmpdir(), 'sightline-profiles-'));
  process.env['TMPDIR'] = profiles;
  folder = mkdtempSync(join(tmpdir(), 'sightline-find-'));
});
afterAll(() => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  for (const path of [folder, profiles]) rmSync(path, { recursive: true, force: true });
});

function write(name: string, script: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

const listProfiles = (): readonly string[] =>
  readdirSync(profiles).filter((name) => name.startsWith('sightline-browser-'));

describe('the browser of this machine', () => {
  test('is the one that CHROMIUM names, or none: a wrong name is no reason to take another', async () => {
    const path = write('mine', 'exit 0');
    expect(await findChromium({ CHROMIUM: path, PATH: '' })).toBe(path);
    expect(await findChromium({ CHROMIUM: join(folder, 'none'), PATH: process.env['PATH'] })).toBeUndefined();
    expect(await findChromium({ CHROMIUM: write('no-program', 'exit 0', 0o644), PATH: '' })).toBeUndefined();
  });

  test('is else the first on the path', async () => {
    const path = write('chromium', 'exit 0');
    expect(await findChromium({ PATH: `/nowhere:${folder}` })).toBe(path);
  });
});

describe('a program that is no browser', () => {
  test.each([
    ['ends at once', 'exit 1'],
    ['ends with noise', 'echo "{}" >&4; printf "not json" >&4; exit 0'],
    ['says nothing and stays', 'exec sleep 60'],
  ])('that %s: its group is ended, and its profile is gone', async (_name, script) => {
    const { close, pid } = await startBrowser(write('fake', script));
    await close();
    expect(() => process.kill(-pid, 0)).toThrow('ESRCH');
    expect(listProfiles()).toEqual([]);
  });

  test('that cannot be started is no browser, with what to do', async () => {
    const openBrowser = createLocalBrowser({ CHROMIUM: join(folder, 'gone') });
    expect(await openBrowser('https://acme.example/')).toEqual({
      ok: false,
      detail: expect.stringContaining('apt-get install chromium') as string,
    });
  });
});
