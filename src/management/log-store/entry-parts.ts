import { rememberResult } from '../../lib/memo.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { WebhookDeliveryTools } from './delivery/delivery.ts';
import type { EntryObject } from './entry-object.ts';
import { type CopiedPages, createLogExports, type Outlets } from './log-exports.ts';
import { createShardDirectory, type ShardDirectory } from './shards/directory.ts';
import { computeMostBytes } from './shards/home.ts';
import { createShardLease, type ShardLease } from './shards/lease.ts';
import { readShardPage } from './shards/list-shards.ts';
import { createShardMember, type ShardMember } from './shards/member.ts';
import { formatShardObject, type ShardName } from './shards/placement.ts';
import { createRelayInbox, createRelayOutbox, type RelayInbox, type RelayOutbox } from './shards/relay.ts';
import type { EntrySettings } from './shards/settings.ts';
import { createSpanStore, type SpanStore } from './spans/spans.ts';
import { createEntryStore, type EntryState } from './store.ts';

/** What an object of entries is made of. Those of the tenant's own object alone, and of a shard alone, come as they are used. */
export type EntryParts = {
  entries: EntryState;
  spans: SpanStore;
  lease: ShardLease;
  /** Of a shard. */
  member: () => ShardMember;
  outbox: () => RelayOutbox;
  /** Of the tenant's own object. */
  directory: () => ShardDirectory;
  outlets: () => Outlets;
  inbox: () => RelayInbox;
  isShard: () => boolean;
  isVoid: () => boolean;
  /** Bytes that the tenant may keep: of its own object. */
  most: () => number;
};

export type EntryPartsTools = Omit<WebhookDeliveryTools, 'log'> & {
  log: (line: Record<string, unknown>) => void;
  databaseBytes: () => number;
  /** Another object of the same kind. */
  object: (name: string) => EntryObject;
  /** Mode of the tenant, as far as a call said it. */
  mode: () => Tenant['mode'];
  settings: EntrySettings;
};

/** Makes the parts of an object, and joins them. */
export function createEntryParts(tools: EntryPartsTools): EntryParts {
  const { sql, now, databaseBytes, settings } = tools;
  const lease: ShardLease = createShardLease({ sql, now, databaseBytes, oldestOwn: () => parts.entries.oldestOwn() });
  const isShard = (): boolean => lease.address() !== undefined;
  const directory = rememberResult(() => createShardDirectory(sql));
  const requireLease: NonNullable<Parameters<typeof createEntryStore>[0]['requireLease']> = (asked) => {
    if (!isShard()) return false;
    lease.require(asked());
    return true;
  };
  const most = (): number => computeMostBytes(tools.mode(), settings.LIVE_ENTRY_GIB);
  const allBytes = (): number => (isShard() ? databaseBytes() : databaseBytes() + directory().granted());
  const shared = { ...tools, requireLease, databaseBytes: allBytes, mostBytes: most };
  const entries = createEntryStore(shared);
  const spans = createSpanStore({ ...shared, parts: () => (isShard() ? settings.ENTRY_SHARDS : 1) });
  const page: CopiedPages['page'] = (ask, order) => {
    const [tenant, lanes] = [directory().tenant(), listLanes('entries', parts)];
    if (tenant === undefined || !directory().has()) return entries.page({ ...ask, after: ask.after });
    const object = (name: ShardName): EntryObject => tools.object(formatShardObject(tenant.id, name));
    return readShardPage(tenant, { ...ask, order, text: order.filter }, { lanes, object });
  };
  const outlets = rememberResult(() => createLogExports({ ...tools, page }));
  const outbox = rememberResult(() => createRelayOutbox(tools));
  const parts: EntryParts = {
    entries,
    spans,
    lease,
    directory,
    outlets,
    outbox,
    inbox: rememberResult(() => createRelayInbox(tools)),
    isShard,
    isVoid: () => entries.isVoid() && spans.isVoid(),
    most,
    member: rememberResult(() =>
      createShardMember({
        ...tools,
        lease,
        outbox: outbox(),
        entries,
        isVoid: () => parts.isVoid(),
        home: ({ tenant }) => tools.object(tenant.id),
      }),
    ),
  };
  entries.onWritten((placed) => (isShard() ? outbox().keep(placed) : outlets().keep(placed)));
  entries.onReset(spans.reset);
  entries.onReset(() => (isShard() ? outbox().reset() : outlets().reset()));
  return parts;
}

/** The stores of a tenant that have entries, or spans, by what its own object knows. */
export function listLanes(kind: 'entries' | 'spans', { directory, entries, spans }: EntryParts) {
  const shards = directory().list(kind);
  const bounds = kind === 'entries' ? entries.bounds() : spans.isVoid() ? undefined : { first: '', last: '~' };
  return bounds === undefined ? shards : [{ name: '', ...bounds }, ...shards];
}
