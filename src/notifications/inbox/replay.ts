import { revive } from './deliveries.ts';
import { seqRange } from './list-queries.ts';
import { move } from './message-transitions.ts';
import { type Desk, nextStamp, textOr } from './tables.ts';
import { mark } from './pending-users.ts';
import type { ReplayRange, ReplayReport } from '../core/protocol.ts';
import type { Row } from '../core/sql.ts';

const SELECT = 'SELECT seq, user_id, effect, subject FROM message WHERE seq >= ? AND seq < ?';
const OLDEST = `AND state = 'dead' ORDER BY seq LIMIT ?`;
/** The state stands in the text: so the index of dead messages of a channel is one that SQLite may use. */
const RANGES = { all: `${SELECT} ${OLDEST}`, channel: `${SELECT} AND channel = ? ${OLDEST}` } as const;

/**
 * Sets dead messages going again, the oldest first. Those that go together (same effect) go together; a message that is
 * no longer dead is left alone, so the same call twice has no second effect.
 */
export function replay(desk: Desk, range: ReplayRange): ReplayReport {
  const { from, to } = seqRange(desk, range);
  const only = range.seq ?? from;
  const bounds = [Math.max(from, only), range.seq === undefined ? to : Math.min(to, only + 1)];
  const { replayRows } = desk.limits;
  const dead =
    range.channel === undefined
      ? desk.run(RANGES.all, ...bounds, replayRows + 1)
      : desk.run(RANGES.channel, ...bounds, range.channel, replayRows + 1);
  const chosen = dead.slice(0, replayRows);
  const started = new Set<string>();
  for (const row of chosen) again(desk, row, started);
  return { replayed: chosen.length, more: dead.length > replayRows };
}

function again(desk: Desk, row: Row, started: Set<string>): void {
  const effect = textOr(row['effect'], undefined);
  if (effect !== undefined && started.has(effect)) return;
  if (effect === undefined) {
    readAgain(desk, row);
    return;
  }
  started.add(effect);
  revive(desk, effect);
  move(desk, 'deadOfEffect', [effect], { state: 'delivering', effect });
}

/** Its user could not be read. Only messages that name a user die so. */
function readAgain(desk: Desk, row: Row): void {
  move(desk, 'deadOne', [Number(row['seq'])], { state: 'waiting' });
  const subject = textOr(row['subject'], null);
  mark(desk, { userId: String(row['user_id']), stamp: nextStamp(desk), cause: 'replay', subject });
}
