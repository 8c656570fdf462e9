import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as zod from 'zod';
import * as standIn from '../../../../src/models/adapters/openai-compatible/zod-v4.ts';

const providers = ['anthropic', 'google', 'openai', 'openai-compatible', 'perplexity'].map(
  (name) => `node_modules/@ai-sdk/${name}/dist/index.js`,
);

test.each(providers)('the stand-in for zod/v4 has every member of z that %s uses', (file) => {
  const code = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  const used = new Set([...code.matchAll(/\bz\d?\.([A-Za-z]+)\(/g)].map((match) => match[1]));
  expect(used.size).toBeGreaterThan(6);
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
  expect(takers.toSorted()).toEqual(providers.toSorted());
});
