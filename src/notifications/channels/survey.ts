import type { RegistrySurvey } from '../core/protocol.ts';
import { type Desk, isoOf } from './context.ts';
import { CHANNEL_STATES, type ChannelState } from './watch.ts';

/** Counting ends here: the rest of a state is "and more". */
export const MOST_COUNTED = 10_000;
const MAX_CUSTOMERS = 1_000;

const COUNT = 'SELECT count(*) AS n FROM (SELECT 1 FROM channel WHERE state = ? LIMIT ?)';
const NEXT = 'SELECT id, customer, due_ms FROM watch WHERE ended_ms IS NULL ORDER BY due_ms LIMIT 1';

/** How many channels are in which state, and which watch asks for its next channel first. */
export function survey({ run }: Desk): RegistrySurvey {
  const counts = Object.fromEntries(
    CHANNEL_STATES.map((state) => [state, Number(run(COUNT, state, MOST_COUNTED)[0]?.['n'] ?? 0)]),
  ) as Record<ChannelState, number>; // One for each of the states.
  const [first] = run(NEXT);
  return {
    counts,
    most_counted: MOST_COUNTED,
    next:
      first === undefined
        ? null
        : { watch: String(first['id']), customer: String(first['customer']), due_at: isoOf(Number(first['due_ms'])) },
  };
}

/** Customers that are or were watched, in the order of their ids. @param after the last one of the page before */
export function customersAfter({ run }: Desk, after: string, limit: number): readonly string[] {
  const most = Math.min(Math.max(Math.trunc(limit), 1), MAX_CUSTOMERS);
  return run('SELECT id FROM customer WHERE id > ? ORDER BY id LIMIT ?', after, most).map(({ id }) => String(id));
}
