import { expect, test } from 'vitest';
import { operations, findOperations } from '../../../src/notifications/operator-api/operations.ts';
import { actions } from '../../../src/cli/channels/actions.ts';
import type { OperatorCall } from '../../../src/cli/channels/client.ts';
import { channel, message, status } from './views.ts';

type Option = Record<string, string>;

function ask(name: string, words: readonly string[] = [], option: Option = {}): OperatorCall | string {
  const action = actions[name];
  if (!action) throw new Error(`no action ${name}`);
  return action.ask({ words, option });
}

const CHANNEL = channel.id;
const rows: readonly [string, readonly string[], Option, string, unknown][] = [
  ['list', [], {}, 'GET /channels', {}],
  [
    'list',
    [],
    { state: 'active', customer: 'C01', watch: 'w1', limit: '5', page: '41' },
    'GET /channels',
    { state: 'active', customer: 'C01', watch: 'w1', page_size: '5', page_token: '41' },
  ],
  ['create', [], {}, 'POST /channels', {}],
  [
    'create',
    [],
    { customer: 'C01', domain: 'example.com', event: 'delete', ttl: '7200', subject: 'admin@example.com' },
    'POST /channels',
    { customer: 'C01', domain: 'example.com', event: 'delete', ttl_s: 7200, subject: 'admin@example.com' },
  ],
  ['show', [CHANNEL], {}, `GET /channels/${CHANNEL}`, {}],
  ['renew', [CHANNEL], {}, `POST /channels/${CHANNEL}:renew`, {}],
  ['stop', ['w7Qm2xkP'], {}, 'POST /channels/w7Qm2xkP:stop', {}],
  [
    'messages',
    [],
    { state: 'dead', channel: CHANNEL, from: '2026-11-22T09:30:00+01:00', to: '2026-11-23T00:00:00Z', limit: '100' },
    'GET /messages',
    {
      state: 'dead',
      channel: CHANNEL,
      from: '2026-11-22T08:30:00.000Z',
      to: '2026-11-23T00:00:00.000Z',
      page_size: '100',
    },
  ],
  ['replay', [], { message: '41' }, 'POST /messages:replay', { message: 41 }],
  [
    'replay',
    [],
    { channel: CHANNEL, from: '2026-11-22T09:30:00Z', customer: 'C01' },
    'POST /messages:replay',
    { channel: CHANNEL, from: '2026-11-22T09:30:00.000Z', customer: 'C01' },
  ],
  ['status', [], { customer: 'C01' }, 'GET /status', { customer: 'C01' }],
];

test.each(rows)('%s %j %j asks %s with %j, as the Worker takes it', (name, words, option, call, input) => {
  const asked = ask(name, words, option);
  if (typeof asked === 'string') throw new Error(asked);
  const given: unknown = JSON.parse(JSON.stringify(asked.method === 'GET' ? asked.query : asked.body)); // As it is sent.
  expect([`${asked.method} ${asked.path}`, given]).toEqual([call, input]);
  const served = findOperations(asked.path).find(({ method }) => method === asked.method);
  if (!served) throw new Error('the Worker has no such operation');
  const operation = operations[served.operation];
  expect(operation.input.safeParse(given)).toMatchObject({ success: true });
  expect(actions[name]?.scope).toBe(operation.scope);
});

test('every operation of the Worker can be called, and every action says what it prints', () => {
  const called = rows.map(([, , , call]) => call.replace(CHANNEL, '{id}').replace('w7Qm2xkP', '{id}'));
  // `sightline doctor` calls the others.
  const ofDoctor = ['GET /checkup', 'POST /probes', 'GET /probes/{id}'];
  const served = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  expect(new Set([...called, ...ofDoctor])).toEqual(new Set(served));
  expect(Object.keys(actions)).toEqual(['list', 'create', 'show', 'renew', 'stop', 'messages', 'replay', 'status']);
});

test.each<[string, readonly string[], Option, string]>([
  ['list', ['more'], {}, 'Options only'],
  ['list', [], { state: 'alive' }, '--state takes one of pending, active'],
  ['list', [], { state: 'dead' }, '--state takes one of pending, active'],
  ['list', [], { limit: 'all' }, '--limit takes a number'],
  ['show', [], {}, 'Name one channel'],
  ['show', [CHANNEL, CHANNEL], {}, 'Name one channel'],
  ['show', ['../messages'], {}, 'no id of a channel'],
  ['stop', ['x:renew'], {}, 'no id of a channel'],
  ['renew', [''], {}, 'no id of a channel'],
  ['create', [], { event: 'change' }, '--event takes one of add, delete, makeAdmin, undelete, update'],
  ['create', [], { ttl: '6h' }, '--ttl takes seconds'],
  ['messages', [], { state: 'active' }, '--state takes one of waiting, delivering, worked, dead'],
  ['messages', [], { from: 'yesterday' }, '--from takes a time such as'],
  ['messages', [], { to: '2026-13-45' }, '--to takes a time such as'],
  ['replay', [], {}, 'Name either one message'],
  ['replay', [], { customer: 'C01' }, 'Name either one message'],
  ['replay', [], { message: '41', channel: CHANNEL }, 'Name either one message'],
  ['replay', [], { message: '-1' }, '--message takes the number'],
])('%s %j %j is refused before anything is asked: %s', (name, words, option, problem) => {
  expect(ask(name, words, option)).toContain(problem);
});

const answers: readonly [string, unknown][] = [
  ['list', { channels: [channel] }],
  ['create', channel],
  ['show', channel],
  ['renew', channel],
  ['stop', channel],
  ['messages', { messages: [{ ...message, raw: 'x' }], next_page_token: '41' }],
  ['replay', { replayed: 1, more: false }],
  ['status', status],
];

test.each(answers)('the documented answer of %s is printed; half of it, a page or nothing is not', (name, answer) => {
  const print = actions[name]?.print;
  expect(print?.(answer)?.length).toBeGreaterThan(0);
  for (const other of [{}, [], null, 'hello', 7]) expect(print?.(other)).toBeUndefined();
});
