import type { AlertKind } from '../core/alert.ts';
import type { InboxStatus } from '../core/protocol.ts';
import { ON_BEHALF, type Run, sinksFor } from './run.ts';

/** Failed tries of a resync after which somebody is told. */
const RESYNC_TRIES = 5;
/** What an alert of refused credentials is about: the registry has others of its own. */
const READING = 'users';
/** A refusal is remembered so long: whom nobody asks for any more keeps no alert open. */
const REFUSED_MS = 3_600_000;

/** A condition that an alert stands for. `holds`: undefined where this run did not find out. */
type Condition = { kind: AlertKind; subject: string; holds: boolean | undefined; detail: string };

/**
 * Raises the alerts whose condition holds now, and ends those whose condition is over: it is judged by the state of the
 * inbox, so that none is forgotten by a crash. After an outage in which messages died it asks for a resync.
 * @returns whether that left something to do
 */
export function settleAlerts(run: Run): boolean {
  const { state, customer, now } = run;
  const status = state.status();
  const isOpen = ({ kind, subject }: Condition): boolean =>
    status.alerts.some((alert) => alert.kind === kind && alert.subject === subject);
  const conditions = conditionsOf(run, status);
  for (const condition of conditions.filter((one) => one.holds === false && isOpen(one)))
    state.over(condition.kind, condition.subject);
  const raised = conditions
    .filter((one) => one.holds === true && !isOpen(one))
    .map(({ kind, subject, detail }) =>
      state.raise(customer, { kind, subject, raisedAtMs: now(), detail }, sinksFor(run)),
    );
  return [...raised, resyncAfterOutage(run, status)].includes(true);
}

function conditionsOf(
  { customer, pace, hasAnswered, active, now }: Run,
  { dead, resync, alerts }: InboxStatus,
): Condition[] {
  const tries = resync?.tries ?? 0;
  const endsWhen = (kind: AlertKind, isOver: (subject: string) => boolean): Condition[] =>
    alerts
      .filter((alert) => alert.kind === kind && isOver(alert.subject))
      .map(({ subject }) => ({ kind, subject, holds: false, detail: '' }));
  return [
    { kind: 'dead_letter', subject: customer, holds: dead > 0, detail: `${dead} messages are dead` },
    {
      kind: 'resync_failing',
      subject: customer,
      holds: tries >= RESYNC_TRIES,
      detail: `a resync failed ${tries} times`,
    },
    {
      kind: 'credentials_refused',
      subject: READING,
      // Not by the last answer: of two subjects one may be refused and the other not.
      holds: pace.hasFailing(ON_BEHALF, now() - REFUSED_MS) || (hasAnswered ? false : undefined),
      detail: 'the directory refuses to let users be read',
    },
    // The resync stands in for the messages: once it is through, nothing is missing.
    ...endsWhen('messages_collapsed', () => resync === null),
    ...endsWhen('last_operator', (userId) => active.has(userId)),
  ];
}

/** Messages that died while the directory was away are made up for: who differs is read again. */
function resyncAfterOutage(run: Run, { dead, resync }: InboxStatus): boolean {
  const { state, customer, cameBack } = run;
  run.cameBack = undefined;
  if (cameBack === undefined || dead === 0 || resync !== null) return false;
  state.resync(customer, { reason: 'directory_back', subject: cameBack.subject });
  return true;
}
