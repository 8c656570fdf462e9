import type { Sql } from '../../lib/sqlite.ts';
import type { Stream, Streams } from './streams.ts';

/** An entry: its number, and its stream's id. */
export type Place = { seq: number; stream: number };

/** From here on (NOTICE) entries of the service are its audit trail and its faults; requests that anybody makes are below. */
const LASTING_SEVERITY = 300;

/**
 * The oldest entries that the service wrote itself, about as many as asked for, and one at least where there is one. Those
 * of NOTICE and above are not among them while there are others: traffic does not push the audit trail out.
 */
export function ownToEvict({ sql, streams }: { sql: Sql; streams: Streams }, count: number): readonly Place[] {
  const own = [...streams.all()].filter(({ isOwn }) => isOwn);
  const passing = oldestOf(
    own.filter(({ severity }) => severity < LASTING_SEVERITY),
    count,
    sql,
  );
  if (passing.length > 0) return passing;
  return oldestOf(
    own.filter(({ severity }) => severity >= LASTING_SEVERITY),
    count,
    sql,
  );
}

/** By the index of each stream, so that what others wrote is not looked at. None is left that is older than one of them. */
function oldestOf(streams: readonly Stream[], count: number, sql: Sql): readonly Place[] {
  const share = Math.ceil(count / Math.max(1, streams.length));
  const lasts = streams.flatMap(({ id }) => {
    const query = 'SELECT ts FROM entry WHERE stream = ? ORDER BY ts, insert_id LIMIT 1 OFFSET ?';
    return sql.exec(query, id, share - 1).toArray();
  });
  const until = lasts.map(({ ts }) => String(ts)).reduce((a, b) => (a < b ? a : b), LAST_TIME);
  return streams.flatMap(({ id }) => {
    const query = 'SELECT seq FROM entry WHERE stream = ? AND ts <= ? ORDER BY ts, insert_id LIMIT ?';
    const rows = sql.exec(query, id, until, share).toArray();
    return rows.map(({ seq }) => ({ seq: Number(seq), stream: id }));
  });
}

/** After every timestamp. */
const LAST_TIME = '~';
