import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findOutFolderRefusal, writeFiles } from '../../../src/cli/audit/out-folder.ts';

let base = '';
let out = '';

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sightline-out-'));
  out = join(base, 'out');
  mkdirSync(out);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

const write = (path: string, force = false): boolean => writeFiles(out, [{ path, content: 'text' }], { force }).ok;

describe('X2: files are written below the folder and nowhere else', () => {
  test.each(['llms.txt', '.well-known/mcp.json', 'fixes/01-a/robots.txt'])('%s is written', (path) => {
    expect(write(path)).toBe(true);
    expect(readFileSync(join(out, path), 'utf8')).toBe('text');
  });

  test.each([
    '../evil.txt',
    '../../.ssh/authorized_keys',
    '/etc/passwd',
    'a/../../evil.txt',
    './x',
    'a//b',
    '',
    '..',
    'a/..',
    'C:evil.txt',
    String.raw`..\evil.txt`,
    'a\0b',
  ])('%j is refused and nothing is written', (path) => {
    expect(
      writeFiles(
        out,
        [
          { path: 'good.txt', content: 'x' },
          { path, content: 'text' },
        ],
        { force: true },
      ).ok,
    ).toBe(false);
    expect(readdirSync(out)).toEqual([]);
    expect(readdirSync(base)).toEqual(['out']);
  });

  test.each([true, false])('a symbolic link to a file is not followed (force %s)', (force) => {
    const outside = join(base, 'outside.txt');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(out, 'llms.txt'));
    expect(write('llms.txt', force)).toBe(false);
    expect(readFileSync(outside, 'utf8')).toBe('mine');
  });

  test('a symbolic link to a folder is not followed', () => {
    const outside = join(base, 'elsewhere');
    mkdirSync(outside);
    symlinkSync(outside, join(out, '.well-known'));
    expect(write('.well-known/mcp.json', true)).toBe(false);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('a folder that is itself a link of the user is written through', () => {
    symlinkSync(out, join(base, 'link'));
    expect(writeFiles(join(base, 'link'), [{ path: 'a.txt', content: 'text' }], { force: false }).ok).toBe(true);
    expect(existsSync(join(out, 'a.txt'))).toBe(true);
  });

  test('a name for a file and a folder at once is refused before anything is written', () => {
    const files = [
      { path: 'llms.txt', content: 'x' },
      { path: 'llms.txt/server-card', content: 'x' },
    ];
    expect(writeFiles(out, files, { force: true }).ok).toBe(false);
    expect(readdirSync(out)).toEqual([]);
  });

  test('an existing file is kept without --force and replaced with it', () => {
    writeFileSync(join(out, 'a.txt'), 'mine, and longer than the new text');
    expect(write('a.txt')).toBe(false);
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toContain('mine');
    expect(write('a.txt', true)).toBe(true);
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('text');
  });

  test('a file where a folder is needed, and a folder where a file is, are refused', () => {
    writeFileSync(join(out, 'a'), 'x');
    mkdirSync(join(out, 'b'));
    expect([findOutFolderRefusal(out, 'a/b.txt', true), findOutFolderRefusal(out, 'b', true)]).toEqual([
      'not_a_file',
      'not_a_file',
    ]);
  });
});
