import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { readEmulatorOptions, USAGE } from '../../../local/emulator/options.ts';
import {
  emailsOf,
  killEmulators,
  LIST_USERS,
  startEmulator,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

afterAll(killEmulators);

const page = readFileSync(new URL('../../../docs/platform/emulator.md', import.meta.url), 'utf8');

test('the seed that the page shows is one: an emulator begins with it', async () => {
  const [, seed = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const emulator = await startEmulator(['--no-auth', '--seed', writeTemporaryFile('seed.json', seed)]);
  expect(emulator.keys.map(({ account }) => account)).toEqual(['ci', 'reader']);
  expect(emailsOf((await emulator.call(LIST_USERS)).body)).toHaveLength(100);
  const list = { body: { resourceNames: ['projects/local'] } };
  expect((await emulator.call('/v2/entries:list', list)).body.entries).toMatchObject([{ textPayload: 'ready' }]);
  expect((await emulator.stop()).code).toBe(0);
});

test('the page has every option, and the program takes each option of the page', () => {
  const ofProgram = [...USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
  const ofPage = [...page.matchAll(/`(--[a-z-]+)[ `]/g)].map(([, name]) => name);
  expect(ofProgram.filter((name) => !ofPage.includes(name))).toEqual([]);
  for (const [, name = ''] of page.matchAll(/^\| `(--[a-z-]+)/gm)) expect(ofProgram).toContain(name);
  expect(readEmulatorOptions(['--help'])).toBe('help');
});
