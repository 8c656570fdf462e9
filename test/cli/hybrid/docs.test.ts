import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HYBRID_COMMANDS } from '../../../src/cli/hybrid/usage.ts';
import { hybrid, OVERRIDES, temporaryFolder } from './world.ts';

const DOCS = join(import.meta.dirname, '../../../docs/platform/hybrid');
const pages = readdirSync(DOCS).map((name) => ({ name, text: readFileSync(join(DOCS, name), 'utf8') }));
const whole = pages.map(({ text }) => text).join('\n');

const { at } = temporaryFolder();
let home = '';
beforeEach(() => {
  home = process.cwd();
  process.chdir(at('.'));
});
afterEach(() => process.chdir(home));

test('every option is documented', () => {
  const options = new Set(Object.values(HYBRID_COMMANDS).flatMap((text) => text.match(/--[a-z][a-z0-9-]+/g) ?? []));
  expect(options.size).toBeGreaterThan(20);
  expect([...options].filter((option) => !whole.includes(`\`${option}`) && !whole.includes(` ${option}`))).toEqual([]);
});

test('the commands of the first page run, in their order', async () => {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(pages.find(({ name }) => name === 'index.md')?.text ?? '') ?? [];
  const commands = block.split('\n').filter((line) => line.startsWith('sightline hybrid '));
  expect(commands.length).toBeGreaterThan(5);
  writeFileSync('overrides.yaml', `${OVERRIDES}\ncassandra:\n  replicaCount: 3\n`);
  writeFileSync('facts.json', '{}');
  for (const line of commands) {
    const [, , ...args] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    const { status, err } = await hybrid(args);
    // Of no facts no condition holds.
    expect({ line, status, err: status === 0 ? '' : err }).toEqual({
      line,
      status: args[0] === 'verify' ? 1 : 0,
      err: '',
    });
  }
  expect(readdirSync('.').toSorted()).toEqual([
    'environment-groups.json',
    'facts.json',
    'overrides-1.3.yaml',
    'overrides.yaml',
    'plan',
  ]);
});
