import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listSettings, parseExample } from '../../scripts/docs/settings-page.ts';
import { deploySettings } from '../../src/deploy/settings-data.ts';
import { makeSetting, parseSecretsFile } from '../../src/deploy/secrets.ts';
import { parseChannelKeys } from '../../src/notifications/channels/channel-token.ts';

test('every setting of every Worker can be given, and no other', () => {
  const names = deploySettings.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.toSorted()).toEqual(listSettings());
});

test('the file that documents the settings can be read as it is, but for what is empty', () => {
  const example = readFileSync(new URL('../../.dev.vars.example', import.meta.url), 'utf8');
  const filled = parseExample(example).map(({ name, value }) => `${name}=${value === '' ? 'x' : value}`);
  expect(filled.length).toBeGreaterThan(40);
  expect(parseSecretsFile(filled.join('\n'))).toMatchObject({ ok: true });
  expect(parseSecretsFile(example)).toMatchObject({ ok: false });
});

test('comments, blank lines, quotes and export are understood', () => {
  const text =
    '# a comment\n\nexport PAY_TO = 0xaa \nRPC_URL="https://rpc.example/?a=b#c"\nDIRECTORY_KEY=\'{"a": "b"}\'\r\n';
  const read = parseSecretsFile(text);
  expect(read.ok && Object.fromEntries(read.values)).toEqual({
    PAY_TO: '0xaa',
    RPC_URL: 'https://rpc.example/?a=b#c',
    DIRECTORY_KEY: '{"a": "b"}',
  });
});

test.each([
  ['PAY_TOO=0xaa', 'line 1: no Worker reads PAY_TOO'],
  ['PAY_TO=', 'line 1: PAY_TO is empty'],
  ['PAY_TO=""', 'line 1: PAY_TO is empty'],
  ['PAY_TO=a\nPAY_TO=b', 'line 2: PAY_TO is there twice'],
  ['just text', 'line 1 is not NAME=value'],
  ['__proto__=a', 'line 1: no Worker reads __proto__'],
  ['#\n'.repeat(600), 'it has more than 500 lines'],
])('%j is refused', (text, fault) => {
  const read = parseSecretsFile(text);
  expect(read).toMatchObject({ ok: false, reason: 'secrets_file_unusable' });
  expect(JSON.stringify(read)).toContain(fault);
});

test('a value never comes into a refusal', () => {
  expect(JSON.stringify(parseSecretsFile('PAY_TOO=the-secret\nthe-secret'))).not.toContain('the-secret');
});

test('what is made has the form that its reader wants', () => {
  const ports = { randomBytes: (count: number) => new Uint8Array(count).fill(251), nowMs: () => 1_800_000_000_999 };
  expect(makeSetting('secret', ports)).toHaveLength(64);
  expect(makeSetting('operator', ports)).toMatch(/^[\w-]{43}$/);
  expect(parseChannelKeys(makeSetting('channels', ports))).toHaveLength(1);
  expect(makeSetting('now', ports)).toBe('1800000000');
  expect(makeSetting('tenant', ports)).toMatch(/^C[a-z0-9]{1,31}$/);
  expect(makeSetting('project', ports)).toMatch(/^[a-z0-9-]+$/);
});
