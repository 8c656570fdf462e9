import { DAY_MS } from '../../lib/time.ts';
import type { Accounts } from '../people/accounts.ts';
import { formatCredential, readLastUse } from './last-uses.ts';
import {
  ANY_TENANT,
  DELEGATION,
  type KeyFile,
  type MachineSettings,
  makeServiceKey,
  MAX_KEYS,
  MAX_SERVICE_ACCOUNTS,
  type OperatorRefusal,
  type ServiceAccount,
  type ServiceKey,
  findUnknownGrant,
} from './shapes.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** Where service accounts are, by id, and their keys, by `account:key`. */
export const SERVICE_ROWS = 'own:machine:service:';
export const SERVICE_KEY_ROWS = 'own:machine:key:';
const NAME_BYTES = 16;

/** The id of the account that assertions of an issuer speak for, if there is one. */
export const readServiceAccountId = (email: string): string => email.split('@', 1)[0] ?? '';

/** The keys of the rows of a service account and of one of its keys. */
export const listServiceRowKeys = (id: string, keyId: string): readonly string[] => [
  `${SERVICE_ROWS}${id}`,
  `${SERVICE_KEY_ROWS}${id}:${keyId}`,
];

/** What the operator says of a new service account. */
export type NewServiceAccount = {
  name: string;
  scopes: readonly string[];
  /** Absent: every resource of the service; the first is what tokens are for when a request names none. */
  resources?: readonly string[] | undefined;
  tenant?: string | undefined;
  project?: string | undefined;
  /** Users it may act for. */
  actsFor?: readonly string[] | undefined;
};

/** `usedAtMs`: when it last got a token, to the hour; absent where that is not known. */
export type ServiceKeyView = Omit<ServiceKey, 'publicKey'> & { usedAtMs?: number };
export type ServiceAccountView = Omit<ServiceAccount, 'accountName'> & { keys: readonly ServiceKeyView[] };
export type CreatedServiceKey = { ok: true; key: ServiceKeyView; file: KeyFile };

const DEFAULT_PROJECT = 'sightline';

/** Service accounts and the public halves of their keys (rule A2). */
export function createServiceAccounts(
  { rows, now, random }: StoreTools,
  settings: Pick<MachineSettings, 'issuer' | 'tokenEndpoint' | 'resources'>,
  accounts: Accounts,
) {
  const get = (id: string): ServiceAccount | undefined => rows.get<ServiceAccount>(`${SERVICE_ROWS}${id}`);
  const keysOf = (id: string): readonly ServiceKey[] =>
    rows.list<ServiceKey>(`${SERVICE_KEY_ROWS}${id}:`, MAX_KEYS).map(({ value }) => value);
  const view = ({ accountName: _name, ...account }: ServiceAccount): ServiceAccountView => ({
    ...account,
    keys: keysOf(account.id).map((key) => {
      const usedAtMs = readLastUse(rows, formatCredential({ client: account.id, account: account.id, key: key.id }));
      return { ...toServiceKeyView(key), ...(usedAtMs === undefined ? {} : { usedAtMs }) };
    }),
  });
  const host = new URL(settings.issuer).hostname;
  return {
    get,
    /** The account that assertions of this issuer speak for. */
    byEmail: (email: string): ServiceAccount | undefined => {
      const account = get(readServiceAccountId(email));
      return account?.email === email ? account : undefined;
    },
    /** A key that is neither revoked nor expired. */
    key: (id: string, keyId: string): ServiceKey | undefined =>
      rows.get<ServiceKey>(`${SERVICE_KEY_ROWS}${id}:${keyId}`),
    create: (wanted: NewServiceAccount): { ok: true; account: ServiceAccountView } | OperatorRefusal => {
      const { name, scopes, resources = settings.resources, tenant = ANY_TENANT, actsFor = [] } = wanted;
      const unknown = findUnknownGrant(scopes, resources, settings);
      if (unknown) return unknown;
      if (rows.count(SERVICE_ROWS) >= MAX_SERVICE_ACCOUNTS) return { ok: false, reason: 'too_many' };
      const accountName = random(NAME_BYTES);
      const { id } = accounts.service(accountName);
      accounts.setGrants(id, [
        ...scopes.map((scope) => ({ scope, tenant })),
        ...actsFor.map((user) => ({ scope: DELEGATION, tenant: user })),
      ]);
      const project = wanted.project ?? DEFAULT_PROJECT;
      const email = `${id}@${host}`;
      const created = { id, accountName, name, email, project, scopes, tenant, actsFor, resources, createdAtMs: now() };
      rows.put(`${SERVICE_ROWS}${id}`, created satisfies ServiceAccount);
      return { ok: true, account: view(created) };
    },
    list: (): readonly ServiceAccountView[] =>
      rows.list<ServiceAccount>(SERVICE_ROWS, MAX_SERVICE_ACCOUNTS).map(({ value }) => view(value)),
    /** Its keys and tokens end with it. */
    remove: (id: string): { ok: true; name: string } | OperatorRefusal => {
      const account = get(id);
      if (account === undefined) return { ok: false, reason: 'not_found' };
      for (const { id: keyId } of keysOf(id)) rows.delete(`${SERVICE_KEY_ROWS}${id}:${keyId}`);
      rows.delete(`${SERVICE_ROWS}${id}`);
      accounts.remove(`service:${account.accountName}`);
      return { ok: true, name: account.name };
    },
    /** Makes a key that lives `days` days. The private half is in the returned file and nowhere else. */
    addKey: async (id: string, days: number): Promise<CreatedServiceKey | OperatorRefusal> => {
      const account = get(id);
      if (account === undefined) return { ok: false, reason: 'not_found' };
      if (rows.count(`${SERVICE_KEY_ROWS}${id}:`) >= MAX_KEYS) return { ok: false, reason: 'too_many' };
      const createdAtMs = now();
      const times = { createdAtMs, expiresAtMs: createdAtMs + days * DAY_MS };
      const { key, file } = await makeServiceKey(account, settings, times, random);
      rows.put(`${SERVICE_KEY_ROWS}${id}:${key.id}`, key, key.expiresAtMs);
      return { ok: true, key: toServiceKeyView(key), file };
    },
    /** Ends a key, and at once the tokens that were got with it. */
    revokeKey: (id: string, keyId: string): { ok: true; name: string } | OperatorRefusal => {
      const account = get(id);
      if (account === undefined || rows.get(`${SERVICE_KEY_ROWS}${id}:${keyId}`) === undefined)
        return { ok: false, reason: 'not_found' };
      rows.delete(`${SERVICE_KEY_ROWS}${id}:${keyId}`);
      return { ok: true, name: account.name };
    },
  };
}

export type ServiceAccounts = ReturnType<typeof createServiceAccounts>;

const toServiceKeyView = ({ publicKey: _key, ...view }: ServiceKey): ServiceKeyView => view;
