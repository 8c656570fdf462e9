import { listClientRowKeys, MAX_CLIENT_ID_CHARS } from '../clients/clients.ts';
import { parseNamedGrant } from '../oauth/kv-facade.ts';
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
