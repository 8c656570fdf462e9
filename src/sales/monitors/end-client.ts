import type { MonitorShards } from '../../monitors/core/protocol.ts';

const PAGE = 100;
/** An account has at most a hundred monitors. */
const MAX_PAGES = 3;

/**
 * Pauses the monitors that a client made, once its access to an account has ended: credits forget a revocation after a month,
 * and a monitor may run less often than that (rule A5). What cannot be paused now is refused by the credits at its next run.
 */
export async function pauseMonitorsOfClient(
  shards: MonitorShards | undefined,
  { account, clientId }: { account: string; clientId: string },
  log: (event: Record<string, unknown>) => void,
): Promise<void> {
  try {
    if (shards === undefined) return;
    const shard = await shards.ofAccount(account);
    let after: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, next } = await shard.list(account, { after, limit: PAGE });
      for (const { monitor } of items)
        if (monitor.clientId === clientId && monitor.state === 'active') await shard.pause(monitor.id, 'access_ended');
      if (next === null) return;
      after = next;
    }
  } catch (error) {
    log({ event: 'monitors_not_paused', error: String(error).slice(0, 200) });
  }
}
