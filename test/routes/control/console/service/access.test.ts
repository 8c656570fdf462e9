import { expect, test } from 'vitest';
import type { OperatorView } from '../../../../../src/authorization/operators/accounts.ts';
import type { ConsoleCommand, ServiceActsPort } from '../../../../../src/console-api/service.ts';
import { OPERATOR, signalIn } from '../world.ts';
import { saidAfter, serviceWorld } from './world.ts';

const HOSTILE = '<script>alert(1)</script>';
const DAY_MS = 86_400_000;
const operators: OperatorView[] = [
  { ...OPERATOR, createdAtMs: Date.UTC(2026, 9, 1), state: 'enabled' },
  {
    id: 'd'.repeat(32),
    name: HOSTILE,
    createdAtMs: Date.UTC(2026, 9, 2),
    state: 'ended',
    reason: 'directory_user_gone',
    endedAtMs: Date.UTC(2026, 9, 3),
  },
];
const by = OPERATOR.id;
const account = { id: 'e'.repeat(32), name: 'channels', email: 'x', project: 'p', scopes: ['channels:read'] };
const client = {
  name: 'Nightly',
  account: account.id,
  method: 'client_secret_basic' as const,
  scopes: [],
  resources: [],
};

/** An api Worker with one of each. */
function deskOf(leftMs: number) {
  const commands: ConsoleCommand[] = [];
  const operate: ServiceActsPort['operate'] = async (_session, command) => {
    commands.push(command);
    switch (command.do) {
      case 'list_operators':
        return { ok: true, did: 'listed_operators', operators, by };
      case 'list_service_accounts': {
        const key = {
          id: 'f'.repeat(40),
          createdAtMs: 1,
          expiresAtMs: Date.now() + leftMs,
          usedAtMs: Date.UTC(2026, 10, 5),
        };
        const rest = { tenant: '*', actsFor: [], resources: [], createdAtMs: 1 };
        return { ok: true, did: 'listed_service_accounts', accounts: [{ ...account, ...rest, keys: [key] }], by };
      }
      case 'list_clients': {
        const own = { ...client, id: 'slc_1', grant: 'client_credentials' as const, createdAtMs: 1 };
        return { ok: true, did: 'listed_clients', clients: [own], by };
      }
      case 'delete_operator':
        return command.id === OPERATOR.id
          ? { ok: false, reason: 'last_operator' }
          : { ok: true, did: 'deleted_operator', name: HOSTILE, by };
      case 'revoke_key':
        return { ok: true, did: 'revoked_key', name: account.name, by, unreached: 2 };
      case 'delete_client':
        return { ok: true, did: 'deleted_client', name: client.name, by };
      case 'delete_service_account':
        return { ok: false, reason: 'not_found' };
    }
  };
  const registeredClients: ServiceActsPort['registeredClients'] = async () => ({
    clients: [{ id: 'client', name: HOSTILE, redirectHosts: ['app.example'], grants: 3, isOperatorMade: false }],
    isPartial: true,
  });
  return { commands, operate, registeredClients };
}

const boundTo = (name: string) => ({ OPERATOR_TENANT: `C000${name}`, OPERATOR_PROJECT: `${name}-1` });

test('operators are listed with state and day, and who looks is marked', async () => {
  const world = await serviceWorld({ acts: deskOf(DAY_MS) });
  const page = await world.text('/console/operators');
  expect(page).toContain('<bdi>Ada</bdi> (you)');
  expect(page).toContain('Ended: left the directory');
  expect(page).not.toContain(HOSTILE);
  expect(await world.text('/console/operators.csv')).toContain('Ada,enabled,2026-10-01');
});

test('an operator is removed with a reason, and the last one stays', async () => {
  const { commands, ...acts } = deskOf(DAY_MS);
  const world = await serviceWorld({ acts, bindings: boundTo('operators') });
  const path = (id: string): string => `/console/operators/remove?operator=${id}`;
  expect((await world.get(path('0'.repeat(32)))).status).toBe(404);
  expect(await world.text(path(OPERATOR.id))).toContain('This is you');
  expect(await saidAfter(world, await world.confirm(path(OPERATOR.id), 'left'))).toContain(
    'the last one who could sign in',
  );
  expect(await saidAfter(world, await world.confirm(path('d'.repeat(32)), 'left'))).toContain('was removed');
  expect(commands.filter((command) => command.do === 'delete_operator')).toEqual([
    { do: 'delete_operator', id: OPERATOR.id },
    { do: 'delete_operator', id: 'd'.repeat(32) },
  ]);
});

test('clients and keys are listed with their last token, and what strangers call themselves stays text', async () => {
  const world = await serviceWorld({ acts: deskOf(3 * DAY_MS) });
  const page = await world.text('/console/clients');
  expect(page).toContain('2026-11-05');
  expect(page).toContain('Nightly');
  expect(page).toContain('numbers are too low');
  expect(page).not.toContain(HOSTILE);
  expect(await world.text('/console/clients/keys.csv')).toContain('channels:read');
  expect(await world.text('/console/clients/own.csv')).toContain('Nightly,slc_1');
  expect(await world.text('/console/clients.csv')).toContain('app.example');
});

test.each([
  [3 * DAY_MS, 'Ends soon'],
  [60 * DAY_MS, 'Valid'],
])('the overview says when the next key ends: in %d ms', async (leftMs, words) => {
  const world = await serviceWorld({ acts: deskOf(leftMs) });
  const line = signalIn(await world.text('/console/'), 'Keys of programs');
  expect(line).toContain(words);
  expect(line).toContain('of channels');
});

test('keys, clients and accounts end after a confirmation, and what has not heard of it is said', async () => {
  const { commands, ...acts } = deskOf(DAY_MS);
  const world = await serviceWorld({ acts, bindings: boundTo('clients') });
  const key = `/console/clients/revoke-key?account=${account.id}&key=${'f'.repeat(40)}`;
  expect(await saidAfter(world, await world.confirm(key, 'lost'))).toContain('2 stores of tokens have not confirmed');
  expect(await saidAfter(world, await world.confirm('/console/clients/delete?client=slc_1', 'over'))).toContain(
    'deleted',
  );
  const gone = await world.confirm(`/console/clients/delete-account?account=${account.id}`, 'over');
  expect(await saidAfter(world, gone)).toContain('There is no such one any more');
  expect(commands.filter((command) => !command.do.startsWith('list_'))).toEqual([
    { do: 'revoke_key', id: account.id, keyId: 'f'.repeat(40) },
    { do: 'delete_client', id: 'slc_1' },
    { do: 'delete_service_account', id: account.id },
  ]);
  expect((await world.get('/console/clients/delete')).status).toBe(400);
});

test('a session that ended meanwhile is no empty list', async () => {
  const operate = async () => ({ ok: false, reason: 'not_signed_in' }) as const;
  const world = await serviceWorld({ acts: { operate, registeredClients: async () => null } });
  for (const path of ['/console/operators', '/console/clients', '/console/operators.csv'])
    expect([path, (await world.get(path)).status]).toEqual([path, 503]);
});
