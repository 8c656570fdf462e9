import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import { Refusal } from '../../lib/refusal.ts';

/** The entries of one log and severity in one bucket: see tables.ts. */
export type Stream = {
  id: number;
  bucket: string;
  log: string;
  /** The log's container: `projects/p`. */
  container: string;
  /** As it appears in the log's name: `a%2Fb`. */
  logId: string;
  severity: number;
  isOwn: boolean;
  first: string;
  last: string;
};

export type StreamKey = Pick<Stream, 'bucket' | 'log' | 'severity' | 'isOwn'>;

/** All streams of a tenant, in memory as they are stored. What changes them is part of a transaction. */
export type Streams = {
  /** Those of a bucket. */
  inBucket: (bucket: string) => Iterable<Stream>;
  byId: (id: number) => Stream | undefined;
  all: () => Iterable<Stream>;
  /** The stream that an entry of this time goes to, made when it is new; kept by `save`. @throws Refusal for too many */
  take: (key: StreamKey, ts: string) => Stream;
  /** Stores what `take` made and widened. */
  save: () => void;
  /** They are gone at once: what is in them is deleted by and by. */
  drop: (streams: Iterable<Stream>) => void;
  /** A stream without entries is forgotten. */
  forget: (id: number) => void;
  /** Confirms what was changed: its transaction is committed. */
  stand: () => void;
  /** Takes back what was changed since the last commit: the transaction was rolled back. */
  undo: () => void;
};

/** Logs of a tenant, counted by severity and bucket: all are in memory. */
export const MAX_STREAMS = 20_000;

const SAVE = `INSERT INTO stream SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
  value ->> 6 FROM json_each(?) WHERE true
  ON CONFLICT (id) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`;

export function createStreams(sql: Sql): Streams {
  const known = createStreamIndex();
  const { byKey, byId, byBucket } = known;
  const changed = new Set<Stream>();
  /** How each change is taken back, the last one last. */
  const undoing: (() => void)[] = [];
  const [row] = sql.exec(LAST_ID).toArray();
  // No id is used again while entries of a stream that had it are there.
  let lastId = Number(row?.['id'] ?? 0);
  const lose = (stream: Stream): void => {
    known.lose(stream);
    changed.delete(stream);
  };
  const loseForNow = (stream: Stream): void => {
    lose(stream);
    undoing.push(() => known.keep(stream));
  };
  for (const stored of sql.exec('SELECT * FROM stream')) known.keep(readStreamRow(stored));
  return {
    inBucket: (bucket) => byBucket.get(bucket) ?? [],
    byId: (id) => byId.get(id),
    all: () => byId.values(),
    take(key, ts) {
      const before = byKey.get(formatStreamKey(key));
      if (before !== undefined) {
        const { first, last } = before;
        if (!updateStreamTimes(before, ts)) return before;
        changed.add(before);
        undoing.push(() => Object.assign(before, { first, last }));
        return before;
      }
      if (byId.size >= MAX_STREAMS) throw refuseTooManyLogs();
      const made = { ...key, ...splitLogName(key.log), id: ++lastId, first: ts, last: ts };
      known.keep(made);
      changed.add(made);
      undoing.push(() => {
        lose(made);
        lastId = made.id - 1;
      });
      return made;
    },
    save() {
      if (changed.size > 0) sql.exec(SAVE, JSON.stringify([...changed].map(listStreamColumns)));
      changed.clear();
    },
    drop(streams) {
      const gone = [...streams];
      for (const stream of gone) loseForNow(stream);
      const ids = JSON.stringify(gone.map(({ id }) => id));
      sql.exec('INSERT INTO dropped SELECT value FROM json_each(?)', ids);
      sql.exec('DELETE FROM stream WHERE id IN (SELECT value FROM json_each(?))', ids);
    },
    forget(id) {
      const stream = byId.get(id);
      if (stream !== undefined) loseForNow(stream);
      sql.exec('DELETE FROM stream WHERE id = ?', id);
    },
    stand: () => void undoing.splice(0),
    undo() {
      for (let last = undoing.pop(); last !== undefined; last = undoing.pop()) last();
      changed.clear();
    },
  };
}

/** Streams in memory, as they are looked for. */
function createStreamIndex() {
  const byKey = new Map<string, Stream>();
  const byId = new Map<number, Stream>();
  const byBucket = new Map<string, Set<Stream>>();
  return {
    byKey,
    byId,
    byBucket,
    keep(stream: Stream): void {
      byKey.set(formatStreamKey(stream), stream);
      byId.set(stream.id, stream);
      byBucket.set(stream.bucket, (byBucket.get(stream.bucket) ?? new Set()).add(stream));
    },
    lose(stream: Stream): void {
      byKey.delete(formatStreamKey(stream));
      byId.delete(stream.id);
      byBucket.get(stream.bucket)?.delete(stream);
    },
  };
}

const LAST_ID = `SELECT max((SELECT ifnull(max(id), 0) FROM stream), (SELECT ifnull(max(stream), 0) FROM dropped)) AS id`;

const formatStreamKey = ({ bucket, log, severity, isOwn }: StreamKey): string =>
  `${isOwn} ${severity} ${bucket} ${log}`;

const listStreamColumns = ({ id, bucket, log, severity, isOwn, first, last }: Stream): (string | number)[] => [
  id,
  bucket,
  log,
  severity,
  isOwn ? 1 : 0,
  first,
  last,
];

function updateStreamTimes(stream: Stream, ts: string): boolean {
  if (ts >= stream.first && ts <= stream.last) return false;
  if (ts < stream.first) stream.first = ts;
  else stream.last = ts;
  return true;
}

function readStreamRow(row: SqlRow): Stream {
  const log = String(row['log']);
  return {
    id: Number(row['id']),
    bucket: String(row['bucket']),
    log,
    ...splitLogName(log),
    severity: Number(row['severity']),
    isOwn: row['own'] === 1,
    first: String(row['first']),
    last: String(row['last']),
  };
}

function splitLogName(log: string): Pick<Stream, 'container' | 'logId'> {
  const [collection = '', id = '', , logId = ''] = log.split('/');
  return { container: `${collection}/${id}`, logId };
}

const refuseTooManyLogs = (): Refusal =>
  new Refusal({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'quotaExceeded',
    message: `A tenant has at most ${MAX_STREAMS} logs, counted by severity and bucket`,
  });
