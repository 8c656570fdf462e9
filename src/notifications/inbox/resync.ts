import { DAY_MS } from '../../lib/time.ts';
import { extractEmailDomain } from '../../lib/email.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import type { ResyncOrder } from '../core/protocol.ts';
import type { DirectoryUser } from '../vendor/vendor.ts';
import { mergeCauses, decodeCauses, encodeCause, mark, ON_MARKED } from './pending-users.ts';
import type { ResyncStep } from './inbox-state.ts';
import { formatErrorText, moveMessages } from './message-transitions.ts';
import {
  requireOwner,
  capRetryAfterMs,
  type InboxContext,
  takeNextStamp,
  findOwnRow,
  formatSubject,
  getTextOr,
} from './tables.ts';
import { hasChanged, findUserReadings, writeBaseline, writeListed } from './user-readings.ts';

type Listing = {
  round: number;
  /** For whom they were listed, as columns hold it. */
  subject: string;
  /** No one was listed before: users that are not known are recorded, not delivered. */
  isBaseline: boolean;
};

/** Compares listed users with what is known of them, and marks those that are to be read. */
function listUsers(context: InboxContext, users: readonly DirectoryUser[], listing: Listing): void {
  const toRead = users.filter((user) => isToBeRead(context, user, listing));
  if (toRead.length === 0) return;
  const stamp = takeNextStamp(context);
  for (const { id } of toRead) mark(context, { userId: id, stamp, cause: 'resync', subject: listing.subject });
}

function isToBeRead(context: InboxContext, user: DirectoryUser, listing: Listing): boolean {
  const known = findUserReadings(context, user.id);
  if (known !== undefined) {
    writeListed(context, user, listing);
    return hasChanged(known, user);
  }
  if (!listing.isBaseline) return true;
  writeBaseline(context, user, listing);
  return user.suspended || user.archived; // Users who lost access before we watched are delivered as well.
}

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 30 * 60_000;
/** A page that fails so often may have a token that died: the listing begins anew. */
const TRIES_OF_A_PAGE = 3;
/** Listings for another subject look after their own users, once a day; for so long. */
const LOST_FROM_SIGHT_MS = 3 * DAY_MS;

/** All users of a customer are one scope, those of a domain another. */
const formatResyncScope = ({ domain }: ResyncOrder): string => domain?.toLowerCase() ?? '';

const ROW = 'SELECT id, round, reasons, next_reasons, next_since_ms FROM resync WHERE scope = ?';
/** The listing that an order joins: for the same subject, as another one may see others; without one, for any. */
const ROWS = {
  any: `${ROW} LIMIT 1`,
  ofSubject: `${ROW} AND (subject = ? OR (subject IS NULL AND round = 0)) LIMIT 1`,
} as const;

/** Wants everything of a scope read again. While a listing runs, another one is to follow it. */
export function requestResync(context: InboxContext, customer: string, order: ResyncOrder): void {
  const { run, now } = context;
  requireOwner(context, customer);
  const [scope, subject] = [formatResyncScope(order), order.subject ?? null];
  if (subject !== null) run('UPDATE inbox SET subject = ? WHERE one = 1', subject);
  const [row] = subject === null ? run(ROWS.any, scope) : run(ROWS.ofSubject, scope, subject);
  if (row === undefined)
    run(
      'INSERT INTO resync (id, scope, reasons, since_ms, subject, due_ms) VALUES (?, ?, ?, ?, ?, ?)',
      subject === null ? scope : `${scope}\n${subject}`,
      scope,
      encodeCause(order.reason),
      now(),
      subject,
      now(),
    );
  else if (row['round'] === 0)
    run(
      'UPDATE resync SET reasons = ?, subject = coalesce(subject, ?) WHERE id = ?',
      mergeCauses(row['reasons'], encodeCause(order.reason)),
      subject,
      String(row['id']),
    );
  else
    run(
      'UPDATE resync SET next_reasons = ?, next_since_ms = ? WHERE id = ?',
      mergeCauses(row['next_reasons'], encodeCause(order.reason)),
      row['next_reasons'] === '' ? now() : Number(row['next_since_ms']),
      String(row['id']),
    );
}

/** The next page that is to be listed, leased. A listing begins with its first page, for whom it goes on to the last. */
export function claimResync(context: InboxContext): ResyncStep | undefined {
  const { run, limits } = context;
  const nowMs = context.now();
  const [row] = run(
    `SELECT id, scope, reasons, subject, round, page_token, tries FROM resync WHERE due_ms <= ? ORDER BY due_ms LIMIT 1`,
    nowMs,
  );
  if (row === undefined) return undefined;
  const [id, scope, hasBegun] = [String(row['id']), String(row['scope']), row['round'] !== 0];
  const round = hasBegun ? Number(row['round']) : takeNextStamp(context);
  const subject = getTextOr(
    row['subject'],
    hasBegun ? undefined : getTextOr(findOwnRow(context)?.['subject'], undefined),
  );
  if (!hasBegun)
    run('UPDATE resync SET round = ?, started_ms = ?, subject = ? WHERE id = ?', round, nowMs, subject ?? null, id);
  run('UPDATE resync SET due_ms = ? WHERE id = ?', nowMs + limits.leaseMs, id);
  const order: ResyncOrder = {
    reason: decodeCauses(row['reasons']).join(', '),
    ...(scope === '' ? {} : { domain: scope }),
    ...(subject === undefined ? {} : { subject }),
  };
  return { order, pageToken: getTextOr(row['page_token'], undefined), tries: Number(row['tries']), round };
}

/** The row of the listing that a step belongs to; undefined for a step that someone else has booked. */
function findResyncRow({ run }: InboxContext, { order, pageToken, round }: ResyncStep): SqlRow | undefined {
  return run(
    `SELECT id, scope, round, started_ms, page_token, mark_token, pages, farthest, tries, page_tries, next_reasons
       FROM resync WHERE scope = ? AND round = ? AND page_token IS ?`,
    formatResyncScope(order),
    round,
    pageToken ?? null,
  )[0];
}

type Page = { users: readonly DirectoryUser[]; nextPageToken: string | undefined };

/** Books a page: see `InboxState`. */
export function recordListedPage(context: InboxContext, step: ResyncStep, { users, nextPageToken }: Page): void {
  const row = findResyncRow(context, step);
  if (row === undefined) return;
  const pages = Number(row['pages']) + 1;
  const subject = formatSubject(step.order.subject);
  listUsers(context, users, { round: step.round, subject, isBaseline: isBaseline(context, String(row['scope'])) });
  if (nextPageToken === undefined) finish(context, row, subject);
  else if (nextPageToken === step.pageToken || nextPageToken === row['mark_token'])
    beginAnew(context, row, { detail: 'The listing goes in a circle: a page token came again.' });
  else if (pages >= context.limits.resyncPages) beginAnew(context, row, { detail: 'The listing has too many pages.' });
  else continueListing(context, row, { pages, nextPageToken });
}

/**
 * Failures count until the listing gets farther than ever: a page that always fails is not made up for by those before it.
 * The token is remembered that came at the last power of two, so that a circle of any length is found within three rounds.
 */
function continueListing(
  { run, now }: InboxContext,
  row: SqlRow,
  { pages, nextPageToken }: { pages: number; nextPageToken: string },
): void {
  const isFarther = pages > Number(row['farthest']);
  run(
    `UPDATE resync SET page_token = ?, mark_token = ?, pages = ?, farthest = ?, tries = ?, page_tries = 0, error = NULL,
       due_ms = ? WHERE id = ?`,
    nextPageToken,
    Number.isInteger(Math.log2(pages)) ? nextPageToken : getTextOr(row['mark_token'], null),
    pages,
    isFarther ? pages : Number(row['farthest']),
    isFarther ? 0 : Number(row['tries']),
    now(),
    String(row['id']),
  );
}

/** Whether this is the first listing of these users: there is nothing yet that they could differ from. */
const isBaseline = ({ run }: InboxContext, scope: string): boolean =>
  run(`SELECT scope FROM baseline WHERE scope IN (?, '') LIMIT 1`, scope).length === 0;

/** Everybody was listed: who is known and was neither listed nor read since is to be read, and found gone. */
function finish(context: InboxContext, row: SqlRow, subject: string): void {
  const { run, now } = context;
  const [id, scope, round] = [String(row['id']), String(row['scope']), Number(row['round'])];
  const bound = [takeNextStamp(context), now(), encodeCause('resync'), round, Number(row['started_ms'])] as const;
  const seenBy = [subject, now() - LOST_FROM_SIGHT_MS] as const;
  if (scope === '') run(`${MISSING} ${ON_MARKED}`, ...bound, ...seenBy);
  else run(`${MISSING} AND domain = ? ${ON_MARKED}`, ...bound, ...seenBy, extractEmailDomain(scope));
  // Messages that name no user waited for a listing that began after them.
  if (scope === '') moveMessages(context, 'waitingForListing', [round], { state: 'worked' });
  run('INSERT INTO baseline (scope, done_ms) VALUES (?, ?) ON CONFLICT (scope) DO NOTHING', scope, now());
  run('UPDATE inbox SET resynced_ms = ? WHERE one = 1', now());
  if (row['next_reasons'] === '') run('DELETE FROM resync WHERE id = ?', id);
  else
    run(
      `UPDATE resync SET reasons = next_reasons, since_ms = next_since_ms, next_reasons = '', round = 0,
         page_token = NULL, mark_token = NULL, pages = 0, farthest = 0, tries = 0, page_tries = 0, error = NULL,
         due_ms = ? WHERE id = ?`,
      now(),
      id,
    );
}

/**
 * They are read for whom they were last seen by. Those that others saw are missing once none of their listings has shown
 * them for long.
 */
const MISSING = `INSERT INTO unit (user_id, stamp, due_ms, causes, subject)
  SELECT user_id, ?, ?, ?, subject FROM known WHERE listed < ? AND read_ms <= ? AND state <> 'gone'
    AND (subject = ? OR max(listed_ms, read_ms) < ?)`;

type Failure = { detail: string; retryAfterMs?: number | undefined };

/** A page could not be listed. The resync goes on however often that happens. */
export function recordListingFailure(context: InboxContext, step: ResyncStep, failure: Failure): void {
  const row = findResyncRow(context, step);
  if (row === undefined || Number(row['tries']) !== step.tries) return;
  const pageTries = Number(row['page_tries']) + 1;
  if (step.pageToken !== undefined && pageTries >= TRIES_OF_A_PAGE) {
    beginAnew(context, row, failure);
    return;
  }
  const tries = step.tries + 1;
  context.run(
    'UPDATE resync SET tries = ?, page_tries = ?, error = ?, due_ms = ? WHERE id = ?',
    tries,
    pageTries,
    formatErrorText(failure.detail),
    context.now() + waitMs(tries, failure),
    String(row['id']),
  );
}

function beginAnew({ run, now }: InboxContext, row: SqlRow, failure: Failure): void {
  const tries = Number(row['tries']) + 1;
  run(
    `UPDATE resync SET round = 0, page_token = NULL, mark_token = NULL, pages = 0, tries = ?, page_tries = 0, error = ?,
       due_ms = ? WHERE id = ?`,
    tries,
    formatErrorText(failure.detail),
    now() + waitMs(tries, failure),
    String(row['id']),
  );
}

const waitMs = (tries: number, { retryAfterMs }: Failure): number =>
  Math.max(Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10), LONGEST_WAIT_MS), capRetryAfterMs(retryAfterMs));
