import { listClientRowKeys, MAX_CLIENT_ID_CHARS } from '../clients/clients.ts';
import { GRANT_ROWS, parseNamedGrant, TOKEN_ROWS } from '../oauth/kv-facade.ts';
import type { KeyValueRow, Rows } from '../oauth/rows.ts';
import { listOperatorRowKeys } from '../operators/named-operators.ts';
import { listAccountRowKeys } from '../people/accounts.ts';
import { type AssertionHint, readAssertion } from '../service-accounts/assertion.ts';
import { formatUsedAssertionKey } from '../service-accounts/client-assertion.ts';
import { parseBasicCredentials } from '../service-accounts/client-auth.ts';
import { formatMachineClientRowKey } from '../service-accounts/clients.ts';
import { listServiceRowKeys, readServiceAccountId } from '../service-accounts/services.ts';
import type { MachineClient } from '../service-accounts/shapes.ts';

/** Rows of the root that a shard reads for one request, and does not keep. */
export type RootFacts = readonly KeyValueRow<unknown>[];

/** Who a token request names. Nothing of it is verified. */
type NamedParties = { clients: readonly string[]; accountId: string; hints: readonly AssertionHint[] };

/**
 * What the root knows of the parties of a token request: its client, the account of its grant, a service account and
 * its key, and assertions that were used before there were shards. The rows are read at one moment.
 */
export async function readFacts(rows: Rows, form: URLSearchParams, authorization: string | null): Promise<RootFacts> {
  const { clients, accountId, hints } = readParties(form, authorization);
  const used = await Promise.all(hints.flatMap(listUsedAssertionKeys));
  const services = hints.flatMap(({ issuer, keyId = '' }) => {
    const id = readServiceAccountId(issuer);
    return [...listServiceRowKeys(id, keyId), ...listAccountRowKeys(id)];
  });
  const machines = clients.flatMap((id) => {
    const client = rows.get<MachineClient>(formatMachineClientRowKey(id));
    return client === undefined ? [] : [formatMachineClientRowKey(id), ...listAccountRowKeys(client.account)];
  });
  const account = [...listAccountRowKeys(accountId), ...listOperatorRowKeys(accountId)];
  const keys = new Set([...clients.flatMap(listClientRowKeys), ...machines, ...services, ...account, ...used]);
  return [...keys].flatMap((key) => rows.list(key, 1).filter((row) => row.key === key));
}

function readParties(form: URLSearchParams, authorization: string | null): NamedParties {
  const hints = ['assertion', 'client_assertion'].flatMap((name) => {
    const hint = readAssertion(form.get(name) ?? '');
    return hint.ok ? [hint] : [];
  });
  const basic = authorization === null ? undefined : parseBasicCredentials(authorization);
  const named = [form.get('client_id'), basic?.id, ...hints.map(({ issuer }) => issuer)];
  const clients = named.filter(
    (id): id is string => id !== null && id !== undefined && id.length <= MAX_CLIENT_ID_CHARS,
  );
  return { clients, accountId: parseNamedGrant(form).accountId, hints };
}

/** As `createFirstUse` writes them: for a client by its id, for a service account by the account's. */
const listUsedAssertionKeys = ({ issuer, id }: AssertionHint): readonly Promise<string>[] =>
  id === undefined ? [] : [issuer, readServiceAccountId(issuer)].map((name) => formatUsedAssertionKey(name, id));

/** What a shard keeps. All else is the root's. */
const KEPT = [
  GRANT_ROWS,
  TOKEN_ROWS,
  'own:refresh:used:',
  'own:refresh:answer:',
  'own:machine:token:',
  'own:assertion:jti:',
  'own:credit-cap:',
  'own:shard:ended:',
];

const isKept = (key: string): boolean => KEPT.some((prefix) => key.startsWith(prefix));

/**
 * The rows of a shard with those of the root laid under them, for the length of one request: what reads a client or an
 * account finds it as in the one object of before. What the root keeps is not written here.
 * @param onRootRow hears the key of a row that the root would have to write
 */
export function createShardRows(own: Rows, facts: RootFacts, onRootRow: (key: string) => void): Rows {
  const lent = new Map(facts.map((row) => [row.key, row]));
  return {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as in the table under it
    get: <T>(key: string) => own.get<T>(key) ?? (lent.get(key)?.value as T | undefined),
    put: (key, value, expiresAtMs) => (isKept(key) ? own.put(key, value, expiresAtMs) : onRootRow(key)),
    delete: (key) => (isKept(key) ? own.delete(key) : onRootRow(key)),
    list: own.list,
    count: own.count,
  };
}
