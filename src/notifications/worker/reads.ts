import type { Unit } from '../inbox/inbox-state.ts';
import { callWithTimeout } from '../../lib/concurrency.ts';
import type { UserState } from '../sinks/sink.ts';
import type { DirectoryUser, VendorFailure } from '../vendor/vendor.ts';
import { bookFailure, DIRECTORY, ON_BEHALF, type InboxRun, createSinkSelector } from './run.ts';

/** What says nothing of one user, but of the directory as a whole. */
const OUTAGES: readonly VendorFailure['reason'][] = ['unavailable', 'rate_limited'];

/** Reads one user that is due. A deletion is what the directory answers 404 to, and nothing else. @returns whether one was due */
export async function readUnit(run: InboxRun): Promise<boolean> {
  const { state, vendor, pace, now } = run;
  if (pace.isResting(DIRECTORY, now())) return false;
  const [unit] = state.claimUnits(1);
  if (unit === undefined) return false;
  const { userId, subject } = unit;
  if (isRefused(run, subject)) return true;
  const readAtMs = now(); // Before the answer: what changes meanwhile is newer than this reading.
  const answer = await askDirectory(run, subject, () => vendor.readUser({ userId, subject }));
  if (!answer.ok) return recordFailedRead(run, unit, answer);
  recordDirectoryAnswer(run, subject);
  const seen = toUserState(answer.user);
  state.found({ unit, seen, readAtMs, sinksFor: createSinkSelector(run) });
  if (seen.state === 'active') run.active.add(userId);
  run.counts.read += 1;
  return true;
}

/** Lists one page of a resync that is due. @returns whether one was due */
export async function listPage(run: InboxRun): Promise<boolean> {
  const { state, vendor, pace, now, customer, log } = run;
  if (pace.isResting(DIRECTORY, now())) return false;
  const step = state.claimResync();
  if (step === undefined) return false;
  const { order, pageToken } = step;
  if (isRefused(run, order.subject)) return true;
  const target = { customer, domain: order.domain };
  const answer = await askDirectory(run, order.subject, () =>
    vendor.listUsers({ target, subject: order.subject, pageToken }),
  );
  if (answer.ok) {
    recordDirectoryAnswer(run, order.subject);
    if (answer.skipped !== undefined) log({ event: 'users_skipped', customer, count: answer.skipped });
    state.listed(step, answer.users, answer.nextPageToken);
    return true;
  }
  state.resyncFailed(step, { detail: bookFailure(run, answer), retryAfterMs: answer.retryAfterMs });
  return true;
}

/** An archived user cannot sign in at the vendor, so it counts as suspended. */
const toUserState = (user: DirectoryUser | null): UserState =>
  user === null ? { state: 'gone' } : { state: user.suspended || user.archived ? 'suspended' : 'active', user };

function recordFailedRead(run: InboxRun, unit: Unit, failure: VendorFailure): true {
  const { state, counts, log, customer } = run;
  const outcome = state.failed(unit, { detail: bookFailure(run, failure), retryAfterMs: failure.retryAfterMs });
  if (outcome === 'again') return true;
  counts.dead += 1;
  log({ event: 'unit_dead', customer, user: unit.userId, reason: failure.reason });
  return true;
}

/** What the directory answered. One that throws, or takes too long, is as good as away. */
async function askDirectory<T extends { ok: true }>(
  run: InboxRun,
  subject: string | undefined,
  call: () => Promise<T | VendorFailure>,
): Promise<T | VendorFailure> {
  const outcome = await callWithTimeout(call, run.limits.callMs);
  const answer: T | VendorFailure = outcome.ok
    ? outcome.value
    : { ok: false, reason: 'unavailable', detail: outcome.name };
  if (answer.ok) return answer;
  const { reason, retryAfterMs } = answer;
  if (OUTAGES.includes(reason)) run.pace.bad(DIRECTORY, run.now(), retryAfterMs);
  if (reason === 'credentials_refused') run.pace.bad(formatSubjectPace(subject), run.now(), retryAfterMs);
  return answer;
}

function recordDirectoryAnswer(run: InboxRun, subject: string | undefined): void {
  run.hasAnswered = true;
  const cameBack = [DIRECTORY, formatSubjectPace(subject)].map((name) => run.pace.good(name));
  if (cameBack.includes(true)) run.cameBack = { subject };
}

/**
 * Whether the directory refuses whom we would act for, and is left alone with it. What was claimed for it is due again when
 * its lease is over, with as many tries left; what is for others goes on.
 */
const isRefused = ({ pace, now }: InboxRun, subject: string | undefined): boolean =>
  pace.isResting(formatSubjectPace(subject), now());

const formatSubjectPace = (subject: string | undefined): string => `${ON_BEHALF}${subject ?? ''}`;
