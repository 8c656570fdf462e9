import { domainOf } from './inbox-known.ts';
import { listUsers } from './inbox-listing.ts';
import { errorText, move } from './inbox-moves.ts';
import type { ResyncStep } from './inbox-port.ts';
import { belongsTo, cappedRetryAfterMs, type Desk, nextStamp, ownRow, textOr } from './inbox-tables.ts';
import { ON_MARKED } from './inbox-units.ts';
import { mergedWords, wordsOf, wordText } from './inbox-words.ts';
import type { ResyncOrder } from './protocol.ts';
import type { Row } from './sql.ts';
import type { DirectoryUser } from './vendor.ts';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 30 * 60_000;
/** A page that fails so often may have a token that died: the listing begins anew. */
const TRIES_OF_A_PAGE = 3;

/** All users of a customer are one scope, those of a domain another. */
const scopeOf = ({ domain }: ResyncOrder): string => domain?.toLowerCase() ?? '';

/** Wants everything of a scope read again. While a listing runs, another one is to follow it. */
export function orderResync(desk: Desk, customer: string, order: ResyncOrder): void {
  const { run, now } = desk;
  belongsTo(desk, customer);
  const subject = order.subject ?? null;
  if (subject !== null) run('UPDATE inbox SET subject = ? WHERE one = 1', subject);
  const scope = scopeOf(order);
  const [row] = run('SELECT round, reasons, next_reasons, next_since_ms FROM resync WHERE scope = ?', scope);
  if (row === undefined)
    run(
      'INSERT INTO resync (scope, reasons, since_ms, subject, due_ms) VALUES (?, ?, ?, ?, ?)',
      scope,
      wordText(order.reason),
      now(),
      subject,
      now(),
    );
  else if (row['round'] === 0)
    run(
      'UPDATE resync SET reasons = ?, subject = coalesce(?, subject) WHERE scope = ?',
      mergedWords(row['reasons'], wordText(order.reason)),
      subject,
      scope,
    );
  else
    run(
      'UPDATE resync SET next_reasons = ?, next_since_ms = ?, subject = coalesce(?, subject) WHERE scope = ?',
      mergedWords(row['next_reasons'], wordText(order.reason)),
      row['next_reasons'] === '' ? now() : Number(row['next_since_ms']),
      subject,
      scope,
    );
}

/** The next page that is to be listed, leased. A listing begins with its first page. */
export function claimResync(desk: Desk): ResyncStep | undefined {
  const { run, limits } = desk;
  const nowMs = desk.now();
  const [row] = run(
    `SELECT scope, reasons, subject, round, page_token, tries FROM resync WHERE due_ms <= ? ORDER BY due_ms LIMIT 1`,
    nowMs,
  );
  if (row === undefined) return undefined;
  const scope = String(row['scope']);
  const hasBegun = row['round'] !== 0;
  const round = hasBegun ? Number(row['round']) : nextStamp(desk);
  if (!hasBegun) run('UPDATE resync SET round = ?, started_ms = ? WHERE scope = ?', round, nowMs, scope);
  run('UPDATE resync SET due_ms = ? WHERE scope = ?', nowMs + limits.leaseMs, scope);
  const subject = textOr(row['subject'], textOr(ownRow(desk)?.['subject'], undefined));
  const order: ResyncOrder = {
    reason: wordsOf(row['reasons']).join(', '),
    ...(scope === '' ? {} : { domain: scope }),
    ...(subject === undefined ? {} : { subject }),
  };
  return { order, pageToken: textOr(row['page_token'], undefined), tries: Number(row['tries']), round };
}

/** The row of the listing that a step belongs to; undefined for a step that somebody else has booked. */
function rowOf({ run }: Desk, { order, pageToken, round }: ResyncStep): Row | undefined {
  return run(
    `SELECT scope, round, started_ms, page_token, pages, tries, next_reasons, next_since_ms, subject FROM resync
       WHERE scope = ? AND round = ? AND page_token IS ?`,
    scopeOf(order),
    round,
    pageToken ?? null,
  )[0];
}

/** Books a page: see `InboxState`. */
export function listed(
  desk: Desk,
  step: ResyncStep,
  page: { users: readonly DirectoryUser[]; nextPageToken: string | undefined },
): void {
  const row = rowOf(desk, step);
  if (row === undefined) return;
  const [scope, subject, pages] = [String(row['scope']), textOr(row['subject'], null), Number(row['pages']) + 1];
  listUsers(desk, page.users, { round: step.round, subject, isBaseline: isBaseline(desk, scope) });
  if (page.nextPageToken === undefined) {
    finish(desk, row);
    return;
  }
  if (pages >= desk.limits.resyncPages) {
    beginAnew(desk, scope, { tries: Number(row['tries']) + 1, detail: 'The listing has too many pages.', afterMs: 0 });
    return;
  }
  desk.run(
    'UPDATE resync SET page_token = ?, pages = ?, tries = 0, error = NULL, due_ms = ? WHERE scope = ?',
    page.nextPageToken,
    pages,
    desk.now(),
    scope,
  );
}

/** Whether this is the first listing of these users: there is nothing yet that they could differ from. */
const isBaseline = ({ run }: Desk, scope: string): boolean =>
  run(`SELECT scope FROM baseline WHERE scope IN (?, '') LIMIT 1`, scope).length === 0;

/** Everybody was listed: who is known and was neither listed nor read since is to be read, and found gone. */
function finish(desk: Desk, row: Row): void {
  const { run, now } = desk;
  const [scope, round, startedMs] = [String(row['scope']), Number(row['round']), Number(row['started_ms'])];
  const bound = [nextStamp(desk), now(), wordText('resync'), textOr(row['subject'], null)] as const;
  if (scope === '') run(`${MISSING} ${ON_MARKED}`, ...bound, round, startedMs);
  else run(`${MISSING} AND domain = ? ${ON_MARKED}`, ...bound, round, startedMs, domainOf(scope));
  // Messages that name no user waited for a listing that began after them.
  if (scope === '') move(desk, 'waitingForListing', [round], { state: 'worked' });
  run('INSERT INTO baseline (scope, done_ms) VALUES (?, ?) ON CONFLICT (scope) DO NOTHING', scope, now());
  run('UPDATE inbox SET resynced_ms = ? WHERE one = 1', now());
  if (row['next_reasons'] === '') run('DELETE FROM resync WHERE scope = ?', scope);
  else
    run(
      `UPDATE resync SET reasons = next_reasons, since_ms = next_since_ms, next_reasons = '', round = 0,
         page_token = NULL, pages = 0, tries = 0, error = NULL, due_ms = ? WHERE scope = ?`,
      now(),
      scope,
    );
}

const MISSING = `INSERT INTO unit (user_id, stamp, due_ms, causes, subject)
  SELECT user_id, ?, ?, ?, ? FROM known WHERE listed < ? AND read_ms < ? AND state <> 'gone'`;

/** A page could not be listed. The resync goes on however often that happens. */
export function resyncFailed(
  desk: Desk,
  step: ResyncStep,
  { detail, retryAfterMs }: { detail: string; retryAfterMs?: number | undefined },
): void {
  const row = rowOf(desk, step);
  if (row === undefined || Number(row['tries']) !== step.tries) return;
  const tries = step.tries + 1;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10), LONGEST_WAIT_MS);
  const failure = { tries, detail, afterMs: Math.max(wait, cappedRetryAfterMs(retryAfterMs)) };
  const scope = String(row['scope']);
  if (step.pageToken !== undefined && tries >= TRIES_OF_A_PAGE) {
    beginAnew(desk, scope, failure);
    return;
  }
  desk.run(
    'UPDATE resync SET tries = ?, error = ?, due_ms = ? WHERE scope = ?',
    tries,
    errorText(detail),
    desk.now() + failure.afterMs,
    scope,
  );
}

function beginAnew(
  { run, now }: Desk,
  scope: string,
  { tries, detail, afterMs }: { tries: number; detail: string; afterMs: number },
): void {
  run(
    `UPDATE resync SET round = 0, page_token = NULL, pages = 0, tries = ?, error = ?, due_ms = ? WHERE scope = ?`,
    tries,
    errorText(detail),
    now() + Math.max(afterMs, FIRST_WAIT_MS),
    scope,
  );
}
