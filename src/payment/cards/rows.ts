import { createTables, type RunStatement, type Sql, type SqlRow } from '../../lib/sqlite.ts';
import { formatIsoDay } from '../../lib/time.ts';
import { type CardPurchase, isUnderWay } from './purchases.ts';
import type { RefundOrder, Reversal } from './reversals.ts';

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS card_purchases (
     id TEXT PRIMARY KEY, account TEXT NOT NULL, session TEXT, payment TEXT, at_ms INTEGER NOT NULL,
     under_way INTEGER NOT NULL, unsynced INTEGER NOT NULL, look_ms INTEGER, paid_day TEXT, pack TEXT NOT NULL,
     cents INTEGER NOT NULL, purchase TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX IF NOT EXISTS card_purchases_session ON card_purchases (session) WHERE session IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS card_purchases_payment ON card_purchases (payment) WHERE payment IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS card_purchases_account ON card_purchases (account, at_ms)',
  'CREATE INDEX IF NOT EXISTS card_purchases_time ON card_purchases (at_ms)',
  'CREATE INDEX IF NOT EXISTS card_purchases_look ON card_purchases (look_ms) WHERE look_ms IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS card_purchases_unsynced ON card_purchases (at_ms) WHERE unsynced = 1',
  'CREATE INDEX IF NOT EXISTS card_purchases_paid ON card_purchases (paid_day) WHERE paid_day IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS card_events (id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS card_events_time ON card_events (at_ms)',
  `CREATE TABLE IF NOT EXISTS card_reversals (
     id TEXT PRIMARY KEY, payment TEXT NOT NULL, kind TEXT NOT NULL, taken INTEGER NOT NULL, cents INTEGER NOT NULL,
     day TEXT NOT NULL, at_ms INTEGER NOT NULL, reversal TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS card_reversals_payment ON card_reversals (payment)',
  'CREATE INDEX IF NOT EXISTS card_reversals_day ON card_reversals (day)',
  `CREATE TABLE IF NOT EXISTS card_refunds (
     id TEXT PRIMARY KEY, purchase TEXT NOT NULL, at_ms INTEGER NOT NULL, due_ms INTEGER, refund TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS card_refunds_purchase ON card_refunds (purchase)',
  // Accounts that a refund or a dispute left below zero, as they were when they were last written.
  `CREATE TABLE IF NOT EXISTS card_overdrafts (
     account TEXT PRIMARY KEY, purchase TEXT NOT NULL, at_ms INTEGER NOT NULL, micro_usdc INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS card_refunds_due ON card_refunds (due_ms) WHERE due_ms IS NOT NULL',
];

/** Refunds and disputes of one payment that are read: Stripe makes no more of one. */
const MAX_REVERSALS_READ = 200;
/** Purchases of some days that are named, and accounts below zero that are listed. */
const MAX_PAID_LISTED = 5_000;
const MAX_OVERDRAFTS = 50;
/** Lines of the figures of one answer. */
const MAX_DAY_LINES = 5_000;

/** What was paid by card on a day (UTC), by pack; and what of such payments went back on that day. */
export type CardDay = {
  day: string;
  kind: 'paid' | 'refund' | 'dispute';
  pack: string;
  count: number;
  cents: number;
};

/** An account below zero after money of a purchase went back: credits were taken that it had spent. */
export type CardOverdraft = { account: string; purchase: string; atMs: number; owedMicroUsdc: number };

export type CardRows = ReturnType<typeof openCardRows>;

/** The tables of the purchases by card, created where missing. Every method is synchronous; nothing here decides anything. */
export function openCardRows(sql: Sql) {
  const run = createTables(sql, SCHEMA);
  const purchases = (rows: readonly SqlRow[]) => rows.map((row) => JSON.parse(String(row['purchase'])) as CardPurchase); // Written below.
  const findPurchase = (column: 'id' | 'session' | 'payment', value: string) =>
    purchases(run(`SELECT purchase FROM card_purchases WHERE ${column} = ? LIMIT 1`, value))[0];
  return {
    purchase: (id: string) => findPurchase('id', id),
    purchaseOfSession: (sessionId: string) => findPurchase('session', sessionId),
    purchaseOfPayment: (paymentIntent: string) => findPurchase('payment', paymentIntent),
    writePurchase: (purchase: CardPurchase): void => {
      const { id, account, sessionId = null, paymentIntent = null, atMs, nextLookAtMs = null, pack, cents } = purchase;
      const paidDay =
        purchase.state === 'paid' && purchase.paidAtMs !== undefined ? formatIsoDay(purchase.paidAtMs) : null;
      run(
        'INSERT OR REPLACE INTO card_purchases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        id,
        account,
        sessionId,
        paymentIntent,
        atMs,
        isUnderWay(purchase) ? 1 : 0,
        purchase.version === purchase.syncedVersion ? 0 : 1,
        nextLookAtMs,
        paidDay,
        pack,
        cents,
        JSON.stringify(purchase),
      );
    },
    countUnderWay: (account: string): number =>
      Number(run('SELECT count(*) AS n FROM card_purchases WHERE account = ? AND under_way = 1', account)[0]?.['n']),
    /** Newest first, of one account or of all, before a time. */
    listPurchases: ({ account, beforeMs, limit }: { account?: string; beforeMs: number; limit: number }) =>
      purchases(
        account === undefined
          ? run('SELECT purchase FROM card_purchases WHERE at_ms < ? ORDER BY at_ms DESC LIMIT ?', beforeMs, limit)
          : run(
              'SELECT purchase FROM card_purchases WHERE account = ? AND at_ms < ? ORDER BY at_ms DESC LIMIT ?',
              account,
              beforeMs,
              limit,
            ),
      ),
    listDueLooks: (nowMs: number, limit: number) =>
      purchases(run('SELECT purchase FROM card_purchases WHERE look_ms <= ? ORDER BY look_ms LIMIT ?', nowMs, limit)),
    listUnsynced: (limit: number) =>
      purchases(run('SELECT purchase FROM card_purchases WHERE unsynced = 1 ORDER BY at_ms LIMIT ?', limit)),
    /** When something is due, in Unix milliseconds. */
    nextDueAtMs: (): number | undefined => {
      const [row] = run(
        `SELECT min(due) AS due FROM (
           SELECT min(look_ms) AS due FROM card_purchases WHERE look_ms IS NOT NULL
           UNION ALL SELECT min(due_ms) FROM card_refunds WHERE due_ms IS NOT NULL)`,
      );
      return row?.['due'] === null || row === undefined ? undefined : Number(row['due']);
    },
    ...openCardRecords(run),
    ...openOverdrafts(run),
    ...openReversals(run),
  };
}

/** What operators look for: a purchase of some days, and who owes. */
function openOverdrafts(run: RunStatement) {
  return {
    /** Who paid on these days. */
    paidOn: (fromDay: string, toDay: string): { id: string; account: string }[] =>
      run(
        'SELECT id, account FROM card_purchases WHERE paid_day >= ? AND paid_day <= ? LIMIT ?',
        fromDay,
        toDay,
        MAX_PAID_LISTED,
      ).map((row) => ({ id: String(row['id']), account: String(row['account']) })),
    writeOverdraft: ({ account, purchase, atMs, owedMicroUsdc }: CardOverdraft): void => {
      // The first time is the one that counts: how long it has been so.
      run(
        `INSERT INTO card_overdrafts VALUES (?, ?, ?, ?) ON CONFLICT (account)
         DO UPDATE SET purchase = excluded.purchase, micro_usdc = excluded.micro_usdc`,
        account,
        purchase,
        atMs,
        owedMicroUsdc,
      );
    },
    dropOverdraft: (account: string): void => void run('DELETE FROM card_overdrafts WHERE account = ?', account),
    overdrafts: (): CardOverdraft[] =>
      run('SELECT * FROM card_overdrafts ORDER BY at_ms DESC LIMIT ?', MAX_OVERDRAFTS).map((row) => ({
        account: String(row['account']),
        purchase: String(row['purchase']),
        atMs: Number(row['at_ms']),
        owedMicroUsdc: Number(row['micro_usdc']),
      })),
    /** Disputes that no one has decided. */
    countOpenDisputes: (): number =>
      Number(
        run(
          `SELECT count(*) AS n FROM card_reversals r JOIN card_purchases p ON p.payment = r.payment AND p.paid_day IS NOT NULL
           WHERE r.kind = 'dispute' AND json_extract(r.reversal, '$.isFinal') = 0`,
        )[0]?.['n'] ?? 0,
      ),
  };
}

/** Which events came, what is forgotten, and what is counted. */
function openCardRecords(run: RunStatement) {
  return {
    /** @returns whether the event is new */
    addEvent: (id: string, nowMs: number): boolean => {
      if (run('SELECT 1 FROM card_events WHERE id = ?', id).length > 0) return false;
      run('INSERT INTO card_events VALUES (?, ?)', id, nowMs);
      return true;
    },
    prune: ({ eventsBeforeMs, endedBeforeMs }: { eventsBeforeMs: number; endedBeforeMs: number }): void => {
      run('DELETE FROM card_events WHERE at_ms < ?', eventsBeforeMs);
      run(
        `DELETE FROM card_purchases WHERE at_ms < ? AND under_way = 0 AND paid_day IS NULL AND payment IS NULL`,
        endedBeforeMs,
      );
      // Of payments that no purchase of ours knows: the account at Stripe sells other things too.
      run(
        `DELETE FROM card_reversals WHERE at_ms < ?
         AND payment NOT IN (SELECT payment FROM card_purchases WHERE payment IS NOT NULL)`,
        endedBeforeMs,
      );
    },
    days: (sinceDay: string): CardDay[] =>
      run(
        `SELECT paid_day AS day, 'paid' AS kind, pack, count(*) AS n, sum(cents) AS cents
           FROM card_purchases WHERE paid_day >= ?1 GROUP BY paid_day, pack
         UNION ALL
         SELECT r.day, r.kind, p.pack, count(*), sum(r.cents) FROM card_reversals r
           JOIN card_purchases p ON p.payment = r.payment AND p.paid_day IS NOT NULL
           WHERE r.day >= ?1 AND r.taken = 1 GROUP BY r.day, r.kind, p.pack
         ORDER BY day DESC, kind, pack LIMIT ?2`,
        sinceDay,
        MAX_DAY_LINES,
      ).map((row) => ({
        day: String(row['day']),
        kind: row['kind'] === 'refund' || row['kind'] === 'dispute' ? row['kind'] : 'paid',
        pack: String(row['pack']),
        count: Number(row['n']),
        cents: Number(row['cents']),
      })),
  };
}

function openReversals(run: RunStatement) {
  // What is parsed here was written here.
  const orders = (rows: readonly SqlRow[]) => rows.map((row) => JSON.parse(String(row['refund'])) as RefundOrder);
  const reversals = (rows: readonly SqlRow[]) => rows.map((row) => JSON.parse(String(row['reversal'])) as Reversal);
  return {
    reversal: (id: string) => reversals(run('SELECT reversal FROM card_reversals WHERE id = ?', id))[0],
    reversalsOf: (paymentIntent: string) =>
      reversals(
        run('SELECT reversal FROM card_reversals WHERE payment = ? LIMIT ?', paymentIntent, MAX_REVERSALS_READ),
      ),
    writeReversal: (reversal: Reversal): void => {
      const { id, paymentIntent, kind, isTaken, cents, atMs } = reversal;
      run(
        'INSERT OR REPLACE INTO card_reversals VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        id,
        paymentIntent,
        kind,
        isTaken ? 1 : 0,
        cents,
        formatIsoDay(atMs),
        atMs,
        JSON.stringify(reversal),
      );
    },
    refundOrder: (id: string) => orders(run('SELECT refund FROM card_refunds WHERE id = ?', id))[0],
    refundOrdersOf: (purchaseId: string) =>
      orders(run('SELECT refund FROM card_refunds WHERE purchase = ? LIMIT ?', purchaseId, MAX_REVERSALS_READ)),
    writeRefundOrder: (order: RefundOrder): void => {
      const { id, purchaseId, atMs, nextTryAtMs = null } = order;
      run(
        'INSERT OR REPLACE INTO card_refunds VALUES (?, ?, ?, ?, ?)',
        id,
        purchaseId,
        atMs,
        nextTryAtMs,
        JSON.stringify(order),
      );
    },
    listDueRefunds: (nowMs: number, limit: number) =>
      orders(run('SELECT refund FROM card_refunds WHERE due_ms <= ? ORDER BY due_ms LIMIT ?', nowMs, limit)),
  };
}
