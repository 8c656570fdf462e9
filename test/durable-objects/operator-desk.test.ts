import { expect, test } from 'vitest';
import { createAccounts } from '../../src/authorization/people/accounts.ts';
import { createClientAccess } from '../../src/authorization/people/client-access.ts';
import { createClientDirectory } from '../../src/authorization/clients/clients.ts';
import { createOperatorAccounts } from '../../src/authorization/operators/accounts.ts';
import { createOperatorCommands } from '../../src/authorization/operators/desk.ts';
import type { OperatorCommand } from '../../src/authorization/operators/commands.ts';
import { createProvider } from '../../src/authorization/oauth/provider.ts';
import { createSessions } from '../../src/authorization/people/sessions.ts';
import { ISSUER, machineWorld, RESOURCES } from '../support/management/machine-world.ts';

const MINUTE_MS = 60_000;
const OPERATOR = 'a'.repeat(64);
const PAYER = 'b'.repeat(64);

const commands: readonly OperatorCommand[] = [
  { do: 'list_service_accounts' },
  { do: 'create_service_account', account: { name: 'x', scopes: ['audit:run'] } },
  { do: 'create_key', id: 'x', days: 1 },
  { do: 'revoke_key', id: 'x', keyId: 'x' },
  { do: 'delete_service_account', id: 'x' },
  { do: 'list_clients' },
  { do: 'create_client', client: { grant: 'client_credentials', name: 'x', scopes: ['audit:run'] } },
  { do: 'delete_client', id: 'x' },
  { do: 'list_operators' },
  { do: 'create_operator', operator: { name: 'x' } },
  { do: 'restore_operator', id: 'x' },
  { do: 'delete_operator', id: 'x' },
];

const NEEDS_FRESH: readonly OperatorCommand['do'][] = [
  'create_key',
  'create_client',
  'create_operator',
  'restore_operator',
  'delete_operator',
];

/** A desk with a session of the operator and one of a payer. */
function desk() {
  const { store, machine } = machineWorld();
  store.rows.put('own:operator-epoch', { secret: 'ab'.repeat(16), id: 'one' });
  const registered = createClientDirectory(store);
  const provider = createProvider({
    issuer: ISSUER,
    resources: RESOURCES,
    tools: store,
    grantable: (_user, _client, scopes) => scopes,
    onRefusal: () => undefined,
  });
  const accounts = createAccounts(store);
  const operators = createOperatorAccounts({
    tools: store,
    accounts,
    revokeAll: createClientAccess(provider).revokeAll,
    log: () => undefined,
  });
  const sessions = createSessions(store);
  sessions.open({ ...accounts.operator(), kind: 'operator' }, OPERATOR);
  sessions.open({ ...accounts.payer(`0x${'1'.repeat(40)}`), kind: 'payer' }, PAYER);
  return {
    store,
    machine,
    registered,
    provider,
    root: accounts.operator().id,
    operate: createOperatorCommands({ tools: store, machine, provider, registered, operators }),
  };
}

test.each(commands)('A1: nobody but a signed-in operator may $do', async (command) => {
  const { operate, store } = desk();
  const before = JSON.stringify(store.rows.list('', 1000));
  expect(await operate('c'.repeat(64), command)).toEqual({ ok: false, reason: 'not_signed_in' });
  expect(await operate(PAYER, command)).toEqual({ ok: false, reason: 'not_operator' });
  expect(JSON.stringify(store.rows.list('', 1000))).toBe(before);
});

test.each(commands)('A4: eight hours after the sign-in the operator may not $do', async (command) => {
  const { operate, store } = desk();
  store.advance(8 * 60 * MINUTE_MS);
  expect(await operate(OPERATOR, command)).toEqual({ ok: false, reason: 'not_signed_in' });
});

test.each(commands.filter((command) => NEEDS_FRESH.includes(command.do)))(
  'A1: 15 minutes after the sign-in the operator may not $do, which makes or ends a credential',
  async (command) => {
    const { operate, store } = desk();
    store.advance(15 * MINUTE_MS - 1);
    expect(await operate(OPERATOR, command)).not.toMatchObject({ reason: 'sign_in_too_old' });
    store.advance(1);
    expect(await operate(OPERATOR, command)).toEqual({ ok: false, reason: 'sign_in_too_old' });
  },
);

test('what makes no credential is open for the whole session', async () => {
  const { operate, store } = desk();
  store.advance(7 * 60 * MINUTE_MS);
  const made = await operate(OPERATOR, {
    do: 'create_service_account',
    account: { name: 'late', scopes: ['operator'] },
  });
  expect(made).toMatchObject({ ok: true, did: 'created_service_account', account: { name: 'late', tenant: '*' } });
  expect(await operate(OPERATOR, { do: 'list_service_accounts' })).toMatchObject({ accounts: [{ name: 'late' }] });
});

test("A1: a client with a person behind it is marked as the operator's, and its deletion ends its grants", async () => {
  const { operate, provider, registered, root } = desk();
  const redirectUris = ['https://console.example/cb'];
  const made = await operate(OPERATOR, {
    do: 'create_client',
    client: { grant: 'authorization_code', name: 'Console', redirectUris, method: 'none' },
  });
  expect(made).toMatchObject({ ok: true, client: { name: 'Console', redirectUris, method: 'none' } });
  expect(made).not.toHaveProperty('secret');
  const id = made.ok && 'client' in made ? made.client.id : '';
  expect(registered.classOf(id)).toBe('operator');
  expect(await provider.api.lookupClient(id)).toMatchObject({
    redirectUris,
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
  });
  expect(await operate(OPERATOR, { do: 'list_clients' })).toMatchObject({
    clients: [{ id, grant: 'authorization_code' }],
  });
  expect(await operate(OPERATOR, { do: 'delete_client', id })).toEqual({
    ok: true,
    did: 'deleted_client',
    name: 'Console',
    by: root,
  });
  expect(await provider.api.lookupClient(id)).toBeNull();
  expect(await operate(OPERATOR, { do: 'delete_client', id })).toEqual({ ok: false, reason: 'not_found' });
});

test('a confidential one gets a secret, which no list shows', async () => {
  const { operate } = desk();
  const made = await operate(OPERATOR, {
    do: 'create_client',
    client: {
      grant: 'authorization_code',
      name: 'Server',
      redirectUris: ['https://server.example/cb'],
      method: 'client_secret_basic',
    },
  });
  const secret = made.ok && 'secret' in made ? String(made.secret) : '';
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(JSON.stringify(await operate(OPERATOR, { do: 'list_clients' }))).not.toContain(secret);
});

test('there are at most 100 clients with a person behind them', async () => {
  const { operate } = desk();
  const client = {
    grant: 'authorization_code',
    name: 'x',
    redirectUris: ['https://x.example/cb'],
    method: 'none',
  } as const;
  for (let index = 0; index < 100; index += 1) await operate(OPERATOR, { do: 'create_client', client });
  expect(await operate(OPERATOR, { do: 'create_client', client })).toEqual({ ok: false, reason: 'too_many' });
});
