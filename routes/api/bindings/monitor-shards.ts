import { computeShardOfAccount } from '../../../src/monitors/book/ids.ts';
import { formatShardName, MONITOR_SHARDS, readShardOfId } from '../../../src/monitors/core/monitor.ts';
import type { MonitorShardObject, MonitorShards } from '../../../src/monitors/core/protocol.ts';
import type { Env } from './env.ts';

type Bound = Pick<Env, 'MONITOR_SHARD'>;

/** The monitors of this deployment; undefined for one from before there were any. */
export function createMonitorShards({ MONITOR_SHARD: namespace }: Bound): MonitorShards | undefined {
  if (namespace === undefined) return undefined;
  const open = (shard: number): MonitorShardObject =>
    namespace.getByName(formatShardName(shard)) as unknown as MonitorShardObject; // The class implements it.
  return {
    ofAccount: async (account) => open(await computeShardOfAccount(account)),
    ofMonitor: (id) => {
      const shard = readShardOfId(id);
      return shard === undefined ? undefined : open(shard);
    },
  };
}

/** Every shard, with its number. */
export const listMonitorShards = ({ MONITOR_SHARD: namespace }: Bound): readonly [number, MonitorShardObject][] =>
  namespace === undefined
    ? []
    : Array.from({ length: MONITOR_SHARDS }, (_, shard) => [
        shard,
        namespace.getByName(formatShardName(shard)) as unknown as MonitorShardObject, // The class implements it.
      ]);
