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

test('the commands of the start page make a plan from the sample, and the page says what is in it', async () => {
  const page = readFileSync(join(DOCS, '../../start/platform-engineer.md'), 'utf8');
  const lines = [...page.matchAll(/^sightline hybrid .*$/gm)].map(([line]) => (line.split('#')[0] ?? '').trim());
  expect(lines.map((line) => line.split(' ')[2])).toEqual(['sample', 'check', 'migrate', 'plan']);
  for (const line of lines) {
    const [words = '', file] = line.split(' > ');
    const { status, out } = await hybrid(words.split(/\s+/).slice(2));
    expect({ line, status }).toEqual({ line, status: 0 });
    if (file !== undefined) writeFileSync(file, out);
  }
  expect(readdirSync('.').toSorted()).toEqual(['overrides.yaml', 'plan']);
  const summary = readFileSync('plan/plan.md', 'utf8');
  for (const heading of ['## Order', '## How to run it', '## How to go back']) expect(summary).toContain(heading);
  const connect = readFileSync('plan/steps/02-connect.sh', 'utf8');
  expect(connect).toContain('example-project-apigee-connect.json');
  expect(connect).not.toContain('example-project-apigee-mart.json');
});

test('the sample takes no arguments', async () => {
  expect(await hybrid(['sample', 'overrides.yaml'])).toMatchObject({ status: 2, out: '' });
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
