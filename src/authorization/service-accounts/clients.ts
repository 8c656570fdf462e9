import { computeSha256Hex, isSameText } from '../../lib/digest.ts';
import type { Accounts } from '../people/accounts.ts';
import { readLastUse } from './last-uses.ts';
import {
  ANY_TENANT,
  type MachineClient,
  type MachineSettings,
  MAX_MACHINE_CLIENTS,
  generateMachineSecret,
  type OperatorRefusal,
  type PublicKey,
  findUnknownGrant,
} from './shapes.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** Where machine clients are, by id. */
export const MACHINE_CLIENT_ROWS = 'own:machine:client:';
const CLIENT_ID_PREFIX = 'slc_';
const ID_BYTES = 16;

/** The key of a machine client's row. */
export const formatMachineClientRowKey = (id: string): string => `${MACHINE_CLIENT_ROWS}${id}`;

/** What the operator says of a new client. With `jwks` it signs assertions, without it gets a secret. */
export type NewMachineClient = {
  name: string;
  scopes: readonly string[];
  /** Absent: every resource of the service. */
  resources?: readonly string[] | undefined;
  jwks?: readonly PublicKey[] | undefined;
};

/** A client as the operator sees it: without the hash of its secret. */
export type MachineClientView = Omit<MachineClient, 'secretHash' | 'accountName'> & { usedAtMs?: number };
export type CreatedClient = { ok: true; client: MachineClientView; secret?: string };

/** The clients that the operator made for `client_credentials` (rule A1). */
export function createMachineClients(
  { rows, now, random }: StoreTools,
  settings: Pick<MachineSettings, 'resources'>,
  accounts: Accounts,
) {
  const get = (id: string): MachineClient | undefined => rows.get<MachineClient>(formatMachineClientRowKey(id));
  return {
    get,
    /** The secret is in the answer and nowhere else. */
    create: async (wanted: NewMachineClient): Promise<CreatedClient | OperatorRefusal> => {
      const resources = wanted.resources ?? settings.resources;
      const unknown = findUnknownGrant(wanted.scopes, resources, settings);
      if (unknown) return unknown;
      const secret = wanted.jwks === undefined ? generateMachineSecret(random) : undefined;
      const secretHash = secret === undefined ? undefined : await computeSha256Hex(secret);
      if (rows.count(MACHINE_CLIENT_ROWS) >= MAX_MACHINE_CLIENTS) return { ok: false, reason: 'too_many' };
      const id = `${CLIENT_ID_PREFIX}${random(ID_BYTES)}`;
      const account = accounts.service(id);
      accounts.setGrants(
        account.id,
        wanted.scopes.map((scope) => ({ scope, tenant: ANY_TENANT })),
      );
      const client: MachineClient = {
        id,
        name: wanted.name,
        account: account.id,
        accountName: id,
        method: secretHash === undefined ? 'private_key_jwt' : 'client_secret_basic',
        ...(secretHash === undefined ? {} : { secretHash }),
        ...(wanted.jwks === undefined ? {} : { jwks: wanted.jwks }),
        scopes: wanted.scopes,
        resources,
        createdAtMs: now(),
      };
      rows.put(formatMachineClientRowKey(id), client);
      return { ok: true, client: toMachineClientView(client), ...(secret === undefined ? {} : { secret }) };
    },
    list: (): readonly MachineClientView[] =>
      rows.list<MachineClient>(MACHINE_CLIENT_ROWS, MAX_MACHINE_CLIENTS).map(({ value }) => {
        const usedAtMs = readLastUse(rows, value.id);
        return { ...toMachineClientView(value), ...(usedAtMs === undefined ? {} : { usedAtMs }) };
      }),
    /** Its tokens end with it. */
    remove: (id: string): { ok: true; name: string } | OperatorRefusal => {
      const client = get(id);
      if (client === undefined) return { ok: false, reason: 'not_found' };
      rows.delete(formatMachineClientRowKey(id));
      accounts.remove(`service:${client.accountName}`);
      return { ok: true, name: client.name };
    },
    /** Whether this is the client's secret; compared by hash, in a time that says nothing. */
    hasSecret: async ({ secretHash }: MachineClient, secret: string): Promise<boolean> =>
      secretHash !== undefined && isSameText(await computeSha256Hex(secret), secretHash),
  };
}

export type MachineClients = ReturnType<typeof createMachineClients>;

function toMachineClientView({ secretHash: _hash, accountName: _name, ...view }: MachineClient): MachineClientView {
  return view;
}
