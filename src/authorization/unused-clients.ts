import { clientRow, clientRowKey } from './kv-facade.ts';
import type { StoreTools } from './rows.ts';

const UNUSED = 'own:client:unused:';
/** A registered client that nobody consented to dies after this. */
const UNUSED_CLIENT_MS = 24 * 3_600_000;
/** Life of a used client, renewed by the provider library while its tokens are. */
export const USED_CLIENT_S = 90 * 86_400;

type StoredClient = { value: string };
/** `same` is the row by which an identical registration finds the client: it lives as long. */
type Unused = { endsAtMs: number; same?: string };

/** How long registered clients live: a day until somebody consents to them (rule A8), then as long as they are used. */
export function unusedClientsOf({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) {
  return {
    /** Gives a client that nobody consented to its short life from now on; when that ends, in Unix milliseconds. */
    startUnused: (clientId: string, same?: string): number => {
      const endsAtMs = now() + UNUSED_CLIENT_MS;
      const row = rows.get(clientRowKey(clientId));
      if (row !== undefined) rows.put(clientRowKey(clientId), row, endsAtMs);
      rows.put(UNUSED + clientId, { endsAtMs, ...(same === undefined ? {} : { same }) } satisfies Unused, endsAtMs);
      return endsAtMs;
    },
    /** How long a client that nobody consented to still has; undefined for a used one. */
    unusedLeftMs: (clientId: string): number | undefined => {
      const unused = rows.get<Unused>(UNUSED + clientId);
      return unused && unused.endsAtMs - now();
    },
    countUnused: (): number => rows.count(UNUSED),
    /** A person consented to this client: it lives on. Call it when an authorization is completed. */
    markUsed: (clientId: string): void => {
      const row = rows.get<StoredClient>(clientRowKey(clientId));
      const unused = rows.get<Unused>(UNUSED + clientId);
      if (row === undefined || unused === undefined) return;
      const client = JSON.parse(row.value) as object; // Written by the provider library.
      const endsAtMs = now() + USED_CLIENT_S * 1000;
      const registrationExpiresAt = Math.floor(endsAtMs / 1000);
      rows.put(clientRowKey(clientId), clientRow({ ...client, registrationExpiresAt }), endsAtMs);
      const same = unused.same === undefined ? undefined : rows.get(unused.same);
      if (unused.same !== undefined && same !== undefined) rows.put(unused.same, same, endsAtMs);
      rows.delete(UNUSED + clientId);
    },
  };
}
