import type { Sql } from '../engine/sql.ts';
import type { BucketFacts } from './order.ts';
import type { Streams } from './streams.ts';

/** How long buckets keep entries, as the last order said of each. */
export type Buckets = {
  /** Learns of buckets; entries of one that is gone are dropped. */
  learn: (facts: readonly BucketFacts[]) => void;
  /** Undefined for a bucket that no order spoke of. */
  retentionDays: (bucket: string) => number | undefined;
  /** Each retention that some bucket has. */
  retentions: () => Iterable<number>;
  reload: () => void;
};

export function bucketsOf(sql: Sql, streams: Streams): Buckets {
  const days = new Map<string, number>();
  const reload = (): void => {
    days.clear();
    for (const row of sql.exec('SELECT * FROM bucket')) days.set(String(row['name']), Number(row['retention_days']));
  };
  const lose = (name: string): void => {
    streams.drop([...streams.inBucket(name)]);
    sql.exec('DELETE FROM bucket WHERE name = ?', name);
    days.delete(name);
  };
  const keep = (name: string, retentionDays: number): void => {
    sql.exec(
      'INSERT INTO bucket VALUES (?, ?) ON CONFLICT DO UPDATE SET retention_days = excluded.retention_days',
      name,
      retentionDays,
    );
    const [stream] = streams.inBucket(name);
    // Its entries count by another retention now, which may have passed by them.
    if (stream !== undefined) sql.exec('DELETE FROM purged WHERE retention_days = ?', retentionDays);
    days.set(name, retentionDays);
  };
  reload();
  return {
    learn(facts) {
      for (const { name, retentionDays, isGone } of facts) {
        if (isGone === true) lose(name);
        else if (days.get(name) !== retentionDays) keep(name, retentionDays);
      }
    },
    retentionDays: (bucket) => days.get(bucket),
    retentions: () => new Set(days.values()),
    reload,
  };
}
