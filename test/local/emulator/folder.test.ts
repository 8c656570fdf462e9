import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeTenants, readEmulatorFolder, takeFolder, writeEmulatorFolder } from '../../../local/emulator/folder.ts';
import { WrongInput } from '../../../local/emulator/wrong-input.ts';

const root = mkdtempSync(join(tmpdir(), 'folder-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const tenant = { id: 'C00000001', containers: ['projects/local'], resources: '["tenant","C00000001"]\n', entries: [] };
const HASH = 'a'.repeat(64);

const createFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(root, 'one-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};
const written = createFolder();
writeEmulatorFolder(written, [tenant]);
const manifest = JSON.parse(readFileSync(join(written, 'manifest.json'), 'utf8'));

const listAll = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).toSorted();
const take = (folder: string) => takeFolder(folder, '--export-on-exit');

test.each<[string, Record<string, string>, RegExp]>([
  ['a manifest of another program', { 'manifest.json': '{"name":"my app"}' }, /manifest\.json is broken, or not an/],
  ['a manifest that is no JSON', { 'manifest.json': 'years of work' }, /manifest\.json is broken, or not an/],
  ['a later version', { 'manifest.json': JSON.stringify({ ...manifest, version: 2 }) }, /it is of version 2/],
  ['data of something else', { 'data/golden.json': '{}' }, /other files in it \(data\/golden\.json\)/],
  [
    'a file of something else beside data',
    { 'manifest.json': JSON.stringify(manifest), 'data/golden.json': '{}' },
    /other files in it \(data\/golden\.json\)/,
  ],
  ['a folder in data', { [`data/${HASH}.jsonl/golden.json`]: '{}' }, /other files in it \(data\/a{64}\.jsonl\)/],
  ['a file named data', { data: 'years of work' }, /other files in it \(data\)/],
  ['a draft of another program', { 'thesis.new': 'years of work' }, /other files in it \(thesis\.new\)/],
])('a folder with %s is refused for an export, and stays as it is', (_what, files, said) => {
  const folder = createFolder(files);
  const before = listAll(folder);
  expect(() => take(folder)).toThrow(said);
  expect(() => take(folder)).toThrow(WrongInput);
  expect(listAll(folder)).toEqual(before);
});

test('an export takes a folder of its own again, with what a killed one left, and removes that', () => {
  const folder = createFolder();
  cpSync(written, folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json.77.new'), '{');
  for (const name of [`${HASH}.jsonl`, `${HASH}.jsonl.77.new`]) writeFileSync(join(folder, 'data', name), 'old');
  const release = take(folder);
  writeEmulatorFolder(folder, [tenant]);
  release();
  expect(listAll(folder)).toEqual(listAll(written));
});

test('data that a first export left unfinished is taken too', () => {
  const folder = createFolder({ [`data/${HASH}.jsonl`]: 'x', [`data/${HASH}.jsonl.77.new`]: 'x' });
  take(folder)();
  expect(existsSync(join(folder, '.lock'))).toBe(false);
});

test('what came into data during the run stays there', () => {
  const folder = createFolder();
  const release = take(folder);
  mkdirSync(join(folder, 'data/more'), { recursive: true });
  writeFileSync(join(folder, 'data/golden.json'), '{}');
  writeEmulatorFolder(folder, [tenant]);
  release();
  expect(readEmulatorFolder(folder)).toEqual([tenant]);
  expect(readdirSync(join(folder, 'data'))).toEqual(expect.arrayContaining(['golden.json', 'more']));
});

test('of a tenant that cannot be read, the folder keeps what it had, and every other is written', async () => {
  const folder = createFolder();
  const second = { ...tenant, id: 'C00000002', containers: [], resources: '["tenant","C00000002"]\n' };
  writeEmulatorFolder(folder, [{ ...tenant, entries: [{ textPayload: 'before' }] }, second]);
  const now = { ...second, entries: [{ textPayload: 'now' }] };
  const outcome = await writeTenants(folder, {
    tenants: async () => ['C00000001', 'C00000002', 'C00000003'],
    exportTenant: async (id) => {
      if (id === 'C00000002') return now;
      throw new Error('out of reach');
    },
  });
  expect(outcome).toEqual({
    written: 1,
    unread: [
      { id: 'C00000001', reason: 'out of reach' },
      { id: 'C00000003', reason: 'out of reach' },
    ],
  });
  expect(readEmulatorFolder(folder)).toEqual([now, { ...tenant, entries: [{ textPayload: 'before' }] }]);
});
