import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { surveyClients } from '../../../src/authorization/clients/survey.ts';
import { buildClientRow, formatClientRowKey, formatGrantRowKey } from '../../../src/authorization/oauth/kv-facade.ts';
import { createSqlRows } from '../../../src/authorization/oauth/rows.ts';
import { createAccounts } from '../../../src/authorization/people/accounts.ts';
import { listKeptPayers } from '../../../src/authorization/people/payers.ts';
import { readLastUse, recordMachineUse } from '../../../src/authorization/service-accounts/last-uses.ts';
import { openSql } from '../../support/management/sqlite.ts';

function store() {
  const clock = { ms: 1_800_000_000_000 };
  const now = () => clock.ms;
  const rows = createSqlRows(openSql(new DatabaseSync(':memory:')), now);
  let made = 0;
  const random = (bytes: number): string => {
    made += 1;
    return made.toString(16).padStart(bytes * 2, '0');
  };
  return { clock, now, rows, random };
}

test('clients come in pages, each with the number of its grants', () => {
  const { rows } = store();
  for (let index = 0; index < 60; index += 1) {
    const id = `client-${String(index).padStart(2, '0')}`;
    const client = { clientId: id, clientName: `Name ${index}`, redirectUris: ['https://app.example/back'] };
    rows.put(formatClientRowKey(id), buildClientRow(client));
  }
  for (const grantId of ['a', 'b', 'c'])
    rows.put(formatGrantRowKey('account', grantId), { value: JSON.stringify({ clientId: 'client-07' }) });
  const first = surveyClients(rows);
  expect(first.clients).toHaveLength(50);
  expect(first.clients[7]).toEqual({
    id: 'client-07',
    name: 'Name 7',
    redirectHosts: ['app.example'],
    grants: 3,
    isOperatorMade: false,
  });
  expect(first.isPartial).toBe(false);
  const second = surveyClients(rows, first.next);
  expect(second.clients.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `client-${index + 50}`));
  expect(second.next).toBeUndefined();
});

test('payers are those whose account is stored for good, by address, and visitors are none', () => {
  const tools = store();
  const accounts = createAccounts(tools);
  const address = (digit: string): string => `0x${digit.repeat(40)}`;
  for (const digit of ['3', '1', '2']) accounts.payer(address(digit));
  accounts.visitor(address('0'));
  const first = listKeptPayers(tools.rows, { search: '', limit: 2 });
  expect(first.payers.map((payer) => payer.address)).toEqual([address('1'), address('2')]);
  const { next = '' } = first;
  const second = listKeptPayers(tools.rows, { search: '', limit: 2, after: next });
  expect(second.payers.map((payer) => payer.address)).toEqual([address('3')]);
  expect(second.next).toBeUndefined();
  expect(listKeptPayers(tools.rows, { search: '0x22', limit: 5 }).payers.map((payer) => payer.address)).toEqual([
    address('2'),
  ]);
});

test('the last use of a credential is known to the hour', () => {
  const tools = store();
  expect(readLastUse(tools.rows, 'account:key')).toBeUndefined();
  recordMachineUse(tools, 'account:key');
  const firstMs = tools.clock.ms;
  tools.clock.ms += 3_599_999;
  recordMachineUse(tools, 'account:key');
  expect(readLastUse(tools.rows, 'account:key')).toBe(firstMs);
  tools.clock.ms += 1;
  recordMachineUse(tools, 'account:key');
  expect(readLastUse(tools.rows, 'account:key')).toBe(tools.clock.ms);
});
