import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSeedFile } from '../../../local/emulator/seed-file.ts';
import { WrongInput } from '../../../local/emulator/wrong-input.ts';

const root = mkdtempSync(join(tmpdir(), 'seed-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (tenants: readonly object[]) => {
  const file = join(root, 'seed.json');
  writeFileSync(file, JSON.stringify({ version: 1, tenants }));
  return readSeedFile(file);
};
const ci = { name: 'ci' };

test('accounts of one name in two tenants are two accounts', () => {
  const tenants = ['C00000001', 'C00000002'].map((id) => ({ id, accounts: [ci, { name: 'reader' }] }));
  expect(read(tenants).map(({ accounts }) => accounts.length)).toEqual([2, 2]);
});

test.each<[string, readonly object[], string]>([
  [
    'an account is there twice',
    [{ id: 'C00000001', accounts: [ci, { name: 'reader' }, ci] }],
    'C00000001: the account ci is there twice',
  ],
  ['a tenant is there twice', [{ id: 'C00000001' }, { id: 'C00000001' }], 'a tenant is there twice'],
])('a seed in which %s is refused', (_what, tenants, said) => {
  expect(() => read(tenants)).toThrow(said);
  expect(() => read(tenants)).toThrow(WrongInput);
});
