import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as zod from 'zod';
import * as standIn from '../../../../src/models/adapters/openai-compatible/zod-v4.ts';

const PACKAGE = new URL('../../../../node_modules/@ai-sdk/openai-compatible/dist/index.js', import.meta.url);

test('the stand-in for zod/v4 has every member of z that the package which imports it uses', () => {
  const used = new Set([...readFileSync(PACKAGE, 'utf8').matchAll(/\bz\.([A-Za-z]+)/g)].map((match) => match[1]));
  expect(used.size).toBeGreaterThan(8);
  expect([...used].filter((name) => name === undefined || !Object.hasOwn(standIn.z, name))).toEqual([]);
});

test('its members are those of zod', () => {
  for (const [name, member] of Object.entries(standIn.z)) expect(member).toBe(Reflect.get(zod, name));
  const missing = Object.keys(zod).filter((name) => name !== 'default' && !Object.hasOwn(standIn, name));
  expect(missing).toEqual([]);
});

test.each(['wrangler.toml', 'wrangler.control.toml'])('the alias of %s names the stand-in', (file) => {
  const root = new URL('../../../../', import.meta.url);
  const [, alias = ''] = /^"zod\/v4" = "(.+)"$/m.exec(readFileSync(new URL(file, root), 'utf8')) ?? [];
  expect(new URL(alias, root)).toEqual(new URL('src/models/adapters/openai-compatible/zod-v4.ts', root));
  expect(existsSync(new URL(alias, root))).toBe(true);
});

test('no other module of the Worker imports z itself from zod/v4', () => {
  const root = new URL('../../../../', import.meta.url);
  const files = globSync(
    'node_modules/{ai,@ai-sdk/*,workers-ai-provider,@modelcontextprotocol/{server,core}}/dist/*.{js,mjs}',
    {
      cwd: root,
    },
  );
  const takers = files.filter((file) =>
    /import\s*\{[^}]*\bz\b[^}]*\}\s*from\s*["']zod\/v4["']/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(takers).toEqual(['node_modules/@ai-sdk/openai-compatible/dist/index.js']);
});
