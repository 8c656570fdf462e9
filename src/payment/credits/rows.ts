import { createTables, type Sql } from '../../lib/sqlite.ts';
import type { Adjustment } from './adjustments.ts';
import type { CardHold, CardHolding } from './card-credits.ts';
import { type CreditCall, type CreditState, emptyAccount } from './credits.ts';
import { openCreditLines, toCallLine, toTopUpLine } from './lines.ts';
import { type Pledge, formatPledgeId, type PledgeRequest } from './protocol.ts';
import { type CreditLine } from './credit-line.ts';

/** What one account keeps. Every method is synchronous; nothing here decides anything. */
export type CreditRows = {
  account: () => CreditState;
  writeAccount: (state: CreditState) => void;
  call: (id: string) => CreditCall | undefined;
  writeCall: (call: CreditCall) => void;
  /** Captured calls, newest first. */
  captured: (limit: number) => readonly CreditCall[];
  /** Whether there is any call. */
  hasCalls: () => boolean;
  /** Forgets calls whose last attempt began before `beforeMs`. */
  pruneCalls: (beforeMs: number) => void;
  pledge: (request: PledgeRequest) => Pledge | undefined;
  writePledge: (pledge: Pledge) => void;
  dropPledge: (pledge: Pledge) => void;
  /** Open pledges, oldest first. */
  openPledges: (limit: number) => readonly Pledge[];
  lines: ReturnType<typeof openCreditLines>;
  /** Captured calls, top-ups of any state and adjustments before a time, each newest first. */
  capturedBefore: (beforeMs: number, limit: number) => readonly CreditCall[];
  pledgesBefore: (beforeMs: number, limit: number) => readonly Pledge[];
  adjustmentsBefore: (beforeMs: number, limit: number) => readonly Adjustment[];
  adjustment: (id: string) => Adjustment | undefined;
  writeAdjustment: (adjustment: Adjustment) => void;
  /** How many adjustments there are, and what those since a time added, in micro-USDC. */
  sumAdjustments: (sinceMs: number) => { count: number; sinceMicroUsdc: number };
  /** What the account has of a purchase by card, and what refunds of it hold or held. */
  cardHolding: (purchase: string) => CardHolding | undefined;
  writeCardHolding: (holding: CardHolding) => void;
  cardHolds: (purchase: string) => readonly CardHold[];
  writeCardHold: (hold: CardHold) => void;
  hasCardHolds: () => boolean;
  /** What cards did to the balance, for good. */
  writeCardMove: (line: CreditLine) => void;
  cardMovesBefore: (beforeMs: number, limit: number) => readonly CreditLine[];
};

/** Calls, and top-ups, of an account of before there were lines that get one. */
const MAX_EARLIER = 10_000;

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS account (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS calls (
     id TEXT PRIMARY KEY, reserved_at_ms INTEGER NOT NULL, captured_at_ms INTEGER, call TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS calls_due ON calls (reserved_at_ms)',
  'CREATE INDEX IF NOT EXISTS calls_captured ON calls (captured_at_ms) WHERE captured_at_ms IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS pledges (
     id TEXT PRIMARY KEY, open INTEGER NOT NULL, pledged_at_ms INTEGER NOT NULL, pledge TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS pledges_open ON pledges (pledged_at_ms) WHERE open = 1',
  `CREATE TABLE IF NOT EXISTS adjustments (
     id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, micro_usdc INTEGER NOT NULL, adjustment TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS adjustments_by_time ON adjustments (at_ms)',
  'CREATE TABLE IF NOT EXISTS card_holdings (purchase TEXT PRIMARY KEY, holding TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS card_holds (
     id TEXT PRIMARY KEY, purchase TEXT NOT NULL, open INTEGER NOT NULL, hold TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS card_moves (
     at_ms INTEGER NOT NULL, id TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (at_ms, id)) WITHOUT ROWID`,
];

const CLOSED_PLEDGES = 'SELECT pledge AS json FROM pledges WHERE open = 0 ORDER BY pledged_at_ms DESC LIMIT ?';

/** What an account of before there were lines has of them. */
const listEarlierLines = (calls: readonly CreditCall[], pledges: readonly Pledge[]): readonly CreditLine[] => [
  ...calls.flatMap(toCallLine),
  ...pledges
    .filter(({ phase }) => phase === 'credited')
    .map((pledge) => {
      const { pledgedAtMs: atMs, amountMicroUsdc } = pledge;
      return toTopUpLine(pledge, { atMs, amountMicroUsdc, balanceMicroUsdc: null });
    }),
];

/** The tables of one account in SQLite, created where missing. */
export function openCreditRows(sql: Sql): CreditRows {
  createTables(sql, SCHEMA);
  const texts = (query: string, ...bindings: (string | number)[]): readonly string[] =>
    sql
      .exec(query, ...bindings)
      .toArray()
      .map((row) => String(row['json']));
  // What is parsed here was written here.
  const calls = (query: string, ...of: (string | number)[]) =>
    texts(query, ...of).map((json) => JSON.parse(json) as CreditCall);
  const pledges = (query: string, ...of: (string | number)[]) =>
    texts(query, ...of).map((json) => JSON.parse(json) as Pledge);
  const captured = (limit: number): readonly CreditCall[] =>
    calls(
      'SELECT call AS json FROM calls WHERE captured_at_ms IS NOT NULL ORDER BY captured_at_ms DESC LIMIT ?',
      limit,
    );
  return {
    lines: openCreditLines(sql, () => listEarlierLines(captured(MAX_EARLIER), pledges(CLOSED_PLEDGES, MAX_EARLIER))),
    account: () => parseCreditState(texts('SELECT state AS json FROM account')[0]),
    writeAccount: (state) => {
      sql.exec('INSERT OR REPLACE INTO account VALUES (1, ?)', JSON.stringify(state));
    },
    call: (id) => calls('SELECT call AS json FROM calls WHERE id = ?', id)[0],
    writeCall: (call) => {
      const { id, reservedAtMs, phase } = call;
      const capturedAtMs = phase.state === 'captured' ? phase.capturedAtMs : null;
      sql.exec(
        'INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?)',
        id,
        reservedAtMs,
        capturedAtMs,
        JSON.stringify(call),
      );
    },
    captured,
    hasCalls: () => sql.exec('SELECT 1 FROM calls LIMIT 1').toArray().length > 0,
    pruneCalls: (beforeMs) => void sql.exec('DELETE FROM calls WHERE reserved_at_ms < ?', beforeMs),
    pledge: (request) => pledges('SELECT pledge AS json FROM pledges WHERE id = ?', formatPledgeId(request))[0],
    writePledge: (pledge) => {
      const open = pledge.phase === 'open' ? 1 : 0;
      const json = JSON.stringify(pledge);
      sql.exec(
        'INSERT OR REPLACE INTO pledges VALUES (?, ?, ?, ?)',
        formatPledgeId(pledge),
        open,
        pledge.pledgedAtMs,
        json,
      );
    },
    dropPledge: (pledge) => void sql.exec('DELETE FROM pledges WHERE id = ?', formatPledgeId(pledge)),
    openPledges: (limit) =>
      pledges('SELECT pledge AS json FROM pledges WHERE open = 1 ORDER BY pledged_at_ms LIMIT ?', limit),
    capturedBefore: (beforeMs, limit) =>
      calls(
        'SELECT call AS json FROM calls WHERE captured_at_ms < ? ORDER BY captured_at_ms DESC LIMIT ?',
        beforeMs,
        limit,
      ),
    pledgesBefore: (beforeMs, limit) =>
      pledges(
        'SELECT pledge AS json FROM pledges WHERE pledged_at_ms < ? ORDER BY pledged_at_ms DESC LIMIT ?',
        beforeMs,
        limit,
      ),
    ...openAdjustments(sql),
    ...openCardHoldings(sql),
  };
}

/** Holds of one purchase that are read: the ledger of cards takes fewer refunds of one. */
const MAX_HOLDS = 100;

/** What purchases by card brought and took. */
function openCardHoldings(
  sql: Sql,
): Pick<
  CreditRows,
  | 'cardHolding'
  | 'writeCardHolding'
  | 'cardHolds'
  | 'writeCardHold'
  | 'hasCardHolds'
  | 'writeCardMove'
  | 'cardMovesBefore'
> {
  const read = (query: string, ...bindings: (string | number)[]): readonly string[] =>
    sql
      .exec(query, ...bindings)
      .toArray()
      .map((row) => String(row['json']));
  // What is parsed here is written here.
  const toHolding = (json: string): CardHolding => JSON.parse(json) as CardHolding;
  const toHold = (json: string): CardHold => JSON.parse(json) as CardHold;
  const toMove = (json: string): CreditLine => JSON.parse(json) as CreditLine;
  return {
    cardHolding: (purchase) =>
      read('SELECT holding AS json FROM card_holdings WHERE purchase = ?', purchase).map(toHolding)[0],
    writeCardHolding: (holding) =>
      void sql.exec('INSERT OR REPLACE INTO card_holdings VALUES (?, ?)', holding.purchase, JSON.stringify(holding)),
    cardHolds: (purchase) =>
      read('SELECT hold AS json FROM card_holds WHERE purchase = ? LIMIT ?', purchase, MAX_HOLDS).map(toHold),
    writeCardHold: (hold) =>
      void sql.exec(
        'INSERT OR REPLACE INTO card_holds VALUES (?, ?, ?, ?)',
        hold.id,
        hold.purchase,
        hold.isEnded === true ? 0 : 1,
        JSON.stringify(hold),
      ),
    hasCardHolds: () => sql.exec('SELECT 1 FROM card_holds WHERE open = 1 LIMIT 1').toArray().length > 0,
    writeCardMove: (line) =>
      void sql.exec('INSERT OR IGNORE INTO card_moves VALUES (?, ?, ?)', line.atMs, line.id, JSON.stringify(line)),
    cardMovesBefore: (beforeMs, limit) =>
      read('SELECT line AS json FROM card_moves WHERE at_ms < ? ORDER BY at_ms DESC LIMIT ?', beforeMs, limit).map(
        toMove,
      ),
  };
}

/** What operators added, for good. */
function openAdjustments(
  sql: Sql,
): Pick<CreditRows, 'adjustment' | 'adjustmentsBefore' | 'writeAdjustment' | 'sumAdjustments'> {
  const adjustments = (query: string, ...of: (string | number)[]): readonly Adjustment[] =>
    sql
      .exec(query, ...of)
      .toArray()
      .map((row) => JSON.parse(String(row['json'])) as Adjustment); // Written below.
  return {
    adjustment: (id) => adjustments('SELECT adjustment AS json FROM adjustments WHERE id = ?', id)[0],
    adjustmentsBefore: (beforeMs, limit) =>
      adjustments(
        'SELECT adjustment AS json FROM adjustments WHERE at_ms < ? ORDER BY at_ms DESC LIMIT ?',
        beforeMs,
        limit,
      ),
    writeAdjustment: (adjustment) => {
      const { id, atMs, amountMicroUsdc } = adjustment;
      sql.exec('INSERT INTO adjustments VALUES (?, ?, ?, ?)', id, atMs, amountMicroUsdc, JSON.stringify(adjustment));
    },
    sumAdjustments: (sinceMs) => {
      const [row] = sql
        .exec(
          'SELECT count(*) AS n, sum(CASE WHEN at_ms > ? THEN micro_usdc ELSE 0 END) AS since FROM adjustments',
          sinceMs,
        )
        .toArray();
      return { count: Number(row?.['n'] ?? 0), sinceMicroUsdc: Number(row?.['since'] ?? 0) };
    },
  };
}

const parseCreditState = (json: string | undefined): CreditState =>
  json === undefined ? emptyAccount : { ...emptyAccount, ...(JSON.parse(json) as Partial<CreditState>) }; // Written above.
