import { computeShardOfAccount } from '../../../src/monitors/book/ids.ts';
import { formatShardName, MONITOR_SHARDS, readShardOfId } from '../../../src/monitors/core/monitor.ts';
import type { MonitorShardObject, MonitorShards } from '../../../src/monitors/core/protocol.ts';
import type { Env } from './env.ts';

type Bound = Pick<Env, 'MONITOR_SHARD'>;

/** The object of a shard; undefined for a deployment from before there were any. */
export const openMonitorShard = ({ MONITOR_SHARD: namespace }: Bound, shard: number): MonitorShardObject | undefined =>
  namespace?.getByName(formatShardName(shard));

/** Every shard, with its number. */
export const listMonitorShards = (env: Bound): readonly [number, MonitorShardObject][] =>
  Array.from({ length: MONITOR_SHARDS }, (_, shard) => shard).flatMap((shard): [number, MonitorShardObject][] => {
    const object = openMonitorShard(env, shard);
    return object === undefined ? [] : [[shard, object]];
  });

/** The monitors of this deployment; undefined as above. */
export function createMonitorShards({ MONITOR_SHARD: namespace }: Bound): MonitorShards | undefined {
  if (namespace === undefined) return undefined;
  const open = (shard: number): MonitorShardObject => namespace.getByName(formatShardName(shard));
  return {
    ofAccount: async (account) => open(await computeShardOfAccount(account)),
    ofMonitor: (id) => {
      const shard = readShardOfId(id);
      return shard === undefined ? undefined : open(shard);
    },
  };
}
