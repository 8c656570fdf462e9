import { callWithTimeout } from '../../lib/concurrency.ts';
import { SECOND_MS } from '../../lib/time.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { TOKEN_SHARDS } from './sealed-token.ts';

/** What the root has decided and shards must know, because they judge tokens without it. */
export type Notice =
  /** A grant is over, and with it its code, its refresh tokens and its access tokens. */
  | { is: 'grant_ended'; accountId: string; grantId: string }
  /** A machine client, a service account, one of its keys or an operator is over: so are its tokens. Ids are used once. */
  | { is: 'holder_ended'; id: string }
  /** What a client may spend of an account's credits from now on; without a number, what each of its grants says. */
  | { is: 'cap'; accountId: string; clientId: string; capMicroUsdc?: number };

/** A notice as a shard gets it. Later decisions have higher numbers, in whatever order the calls arrive. */
export type NumberedNotice = Notice & { number: number };

const NOTICE = 'own:notice:';
const NUMBER = 'own:notice-number';
const NUMBER_CHARS = 12;
/** Notices that one shard is given in one call, and calls of it at a time; the alarm goes on with the rest. */
const MAX_AT_ONCE = 500;
const MAX_CALLS = 20;
/** A shard that has not answered by then has not confirmed. What arrives all the same is no harm. */
const CALL_MS = 5 * SECOND_MS;

const shards = Array.from({ length: TOKEN_SHARDS }, (_, shard) => shard);

const formatPrefix = (shard: number): string => `${NOTICE}${String(shard).padStart(2, '0')}:`;
const formatKey = (shard: number, number: number): string =>
  formatPrefix(shard) + String(number).padStart(NUMBER_CHARS, '0');

const readNumber = (key: string): number => Number(key.slice(-NUMBER_CHARS));

export type Notices = ReturnType<typeof createNotices>;

/** Gives a shard what waits for it, in the order of the decisions. */
export type SendNotices = (shard: number, notices: readonly NumberedNotice[]) => Promise<void>;

/**
 * The notices that shards have not confirmed yet. They are written together with the decision, so that none is lost
 * when the object or a shard fails: a shard that did not answer is asked again.
 */
export function createNotices({ rows }: Pick<StoreTools, 'rows'>) {
  const getNumber = (): number => rows.get<number>(NUMBER) ?? 0;
  const takeNumber = (): number => {
    const number = getNumber() + 1;
    rows.put(NUMBER, number);
    return number;
  };
  const put = (shard: number, notice: Notice): void => rows.put(formatKey(shard, takeNumber()), notice);
  /** Of the first notice after a number that waits for a shard. */
  const findNext = (shard: number, after: number): number => {
    const [row] = rows.list(formatPrefix(shard), 1, formatKey(shard, after));
    return row === undefined ? Infinity : readNumber(row.key);
  };
  const deliverTo = async (shard: number, send: SendNotices): Promise<void> => {
    for (let call = 0; call < MAX_CALLS; call += 1) {
      const waiting = rows.list<Notice>(formatPrefix(shard), MAX_AT_ONCE);
      if (waiting.length === 0) return;
      const numbered = waiting.map(({ key, value }) => ({ ...value, number: readNumber(key) }));
      const sent = await callWithTimeout(() => send(shard, numbered), CALL_MS);
      if (!sent.ok) return;
      for (const { key } of waiting) rows.delete(key);
    }
  };
  return {
    put,
    /** For all shards: tokens of machine clients and service accounts are anywhere. */
    putForAll: (notice: Notice): void => shards.forEach((shard) => put(shard, notice)),
    /** The number of the newest notice: what comes later has a higher one. */
    getNumber,
    /** A number as of a notice, for what a shard learns otherwise: what comes later has a higher one. */
    takeNumber,
    /** How many shards have not confirmed a notice that came after the one number and not after the other. */
    countUnreached: (after: number, upTo: number): number =>
      shards.filter((shard) => findNext(shard, after) <= upTo).length,
    isWaiting: (): boolean => rows.list(NOTICE, 1).length > 0,
    /** What a shard does not confirm stays, and keeps no other shard waiting. */
    deliver: async (send: SendNotices): Promise<void> => {
      await Promise.all(shards.map((shard) => deliverTo(shard, send)));
    },
  };
}
