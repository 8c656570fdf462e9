import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPassingState, openLastingState, type StackState, StateUnreadable } from '../../local/stack-state.ts';
import { readProcessStart } from '../../local/processes/process-alive.ts';

const root = mkdtempSync(join(tmpdir(), 'state-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const createParent = (): string => mkdtempSync(join(root, 'one-'));
/** As a stack does that ran: a file of a Worker, and a saved chain. */
const use = (state: StackState): string => {
  const file = join(state.folder, 'row');
  writeFileSync(file, 'data');
  if (state.chainFile !== undefined) writeFileSync(state.chainFile, '{}');
  state.release();
  return file;
};

test('a later start has the keys and the data of the first one; only their owner may read the keys', () => {
  const parent = createParent();
  const first = openLastingState({ fresh: false, parent });
  const file = use(first);
  const later = openLastingState({ fresh: false, parent });
  expect(later.identity).toEqual(first.identity);
  expect(existsSync(file)).toBe(true);
  expect(statSync(join(parent, 'stack', 'identity.json')).mode & 0o777).toBe(0o600);
  later.release();
});

test.each([
  ['asked for', true, () => undefined],
  [
    'needed, as the chain of the last one was never saved',
    false,
    (parent: string) => rmSync(join(parent, 'stack', 'chain.json')),
  ],
])('new state where that is %s: other keys, no data', (_why, fresh, change) => {
  const parent = createParent();
  const first = openLastingState({ fresh: false, parent });
  const file = use(first);
  change(parent);
  const later = openLastingState({ fresh, parent });
  expect(existsSync(file)).toBe(false);
  for (const key of ['buyerKey', 'sellerKey', 'minterKey', 'ledgerSecret', 'operatorSecret'] as const)
    expect(later.identity[key]).not.toBe(first.identity[key]);
  later.release();
});

test('while another process has it, a stack has state that goes with it, and says whose the other is', () => {
  const parent = createParent();
  const file = use(openLastingState({ fresh: false, parent }));
  const lock = join(parent, 'stack', '.lock');
  writeFileSync(lock, `${process.ppid} ${readProcessStart(process.ppid)} n1\n`);
  const second = openLastingState({ fresh: true, parent });
  expect(second).toMatchObject({ holder: process.ppid, chainFile: undefined });
  expect(existsSync(file)).toBe(true);
  second.release();
  expect(readdirSync(parent)).toEqual(['stack']);
});

test('state of another form is refused with the way out, and not touched', () => {
  const parent = createParent();
  const file = use(openLastingState({ fresh: false, parent }));
  writeFileSync(join(parent, 'stack', 'identity.json'), '{"version":2}');
  expect(() => openLastingState({ fresh: false, parent })).toThrow(StateUnreadable);
  expect(() => openLastingState({ fresh: false, parent })).toThrow('npm start -- --fresh');
  expect(existsSync(file)).toBe(true);
  openLastingState({ fresh: true, parent }).release();
});

test('state of killed stacks is removed by the next one, and no other', () => {
  const parent = createParent();
  for (const name of [`${2 ** 30}-1`, `${process.ppid}-1`, 'stack', 'notes']) mkdirSync(join(parent, name));
  const state = createPassingState(parent);
  expect(readdirSync(parent)).toEqual(expect.arrayContaining([`${process.ppid}-1`, 'notes', 'stack']));
  expect(readdirSync(parent)).not.toContain(`${2 ** 30}-1`);
  state.release();
  expect(existsSync(state.folder)).toBe(false);
});
