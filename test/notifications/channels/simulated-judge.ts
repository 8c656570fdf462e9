import type { InboxCommand } from '../../../src/notifications/core/protocol.ts';
import { DAY_MS, type Gap, HOUR_MS, type Month, type MonthReport, START_MS } from './simulated-month.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Channels of a watch at the vendor on average: overlaps and orphans are short. */
const MOST_LIVE = 1.05;
/** Our reading of the vendor's clock, and the time of a call. */
const LEAD_MARGIN_MS = 15_000;
const UNSURE_LEAD_MS = 18 * MINUTE_MS;
/** Tokens outlive their channel. */
const GRACE_MS = 5 * MINUTE_MS;

/** What a month must come to, whatever the seed: the promises of the registry. @returns what is broken */
export function brokenPromises(month: Month, report: MonthReport): readonly string[] {
  const leadMs = Math.max(10 * MINUTE_MS, month.capMs * 0.15);
  const lifeMs = month.capMs - 1.1 * leadMs;
  const renewals = (month.watches.length * month.days * DAY_MS) / lifeMs;
  const triesInOutages = month.outages.reduce((sum, { fromMs, toMs }) => sum + ((toMs - fromMs) / MINUTE_MS) * 2, 0);
  const mostCalls = 1.4 * renewals + month.watches.length * (20 + triesInOutages);
  const days = (customer: string): number =>
    new Set(
      report.told
        .filter(
          ({ command, customer: whose }) => whose === customer && isResync(command) && command.order.reason === 'daily',
        )
        .map(({ atMs }) => Math.floor((atMs - START_MS) / DAY_MS)),
    ).size;
  const customers = [...new Set(month.watches.map(({ target }) => target.customer))];
  const skewAlerts = Math.abs(month.skewMs) > MINUTE_MS ? 1 : 0;
  return [
    ...report.gaps
      .filter((gap) => !isUnavoidable(gap, month, leadMs, report))
      .map((gap) => `gap ${JSON.stringify(gap)}`),
    ...report.gaps.filter((gap) => !isMended(gap, report)).map((gap) => `no resync after ${JSON.stringify(gap)}`),
    ...report.gaps
      .filter((gap) => !isNoticed(gap, report))
      .map((gap) => `no resync at the start of ${JSON.stringify(gap)}`),
    ...report.surplus.map((id) => `not stopped ${id}`),
    ...report.leaked.map((id) => `leaked ${id}`),
    ...(report.leftLive > 0 ? [`${report.leftLive} live after the stop`] : []),
    ...(report.lateCalls > 0 ? [`${report.lateCalls} calls after the stop`] : []),
    ...(report.averageLive > MOST_LIVE ? [`${report.averageLive} live on average`] : []),
    ...(report.calls.watch > mostCalls ? [`${report.calls.watch} watch calls, at most ${mostCalls}`] : []),
    ...(report.calls.stop > mostCalls ? [`${report.calls.stop} stop calls, at most ${mostCalls}`] : []),
    ...customers
      .filter((customer) => days(customer) < month.days - 1)
      .map((customer) => `${customer}: no daily resync`),
    ...(report.openAlerts.length > skewAlerts ? [`open alerts ${report.openAlerts.join(' ')}`] : []),
    ...(report.lateAlerts.length > skewAlerts ? [`alerts after the stop ${report.lateAlerts.join(' ')}`] : []),
  ];
}

const isResync = (command: InboxCommand): command is Extract<InboxCommand, { do: 'resync' }> => command.do === 'resync';

/**
 * An outage that took the whole lead, or what was left of it after tries of which the vendor granted none. It may be five
 * minutes until a channel is back, or until the vendor, which sent us away meanwhile, lets us come again.
 */
function isUnavoidable({ watch, fromMs, toMs }: Gap, { outages }: Month, leadMs: number, report: MonthReport): boolean {
  const last = report.attempts.findLast((one) => one.watch === watch && one.atMs < fromMs && one.isGranted);
  // Where the end was not told, two hours were assumed, and messages taken for five minutes more.
  const lead = last?.isSure === false ? UNSURE_LEAD_MS : leadMs;
  const lapsedMs = last?.isSure === false ? fromMs - GRACE_MS : fromMs;
  const tries = report.attempts.filter((one) => one.watch === watch && one.atMs > lapsedMs - 1.2 * lead);
  return outages.some((outage) => {
    const before = tries.filter(({ atMs }) => atMs < outage.fromMs);
    const wasTaken =
      lapsedMs - lead >= outage.fromMs - LEAD_MARGIN_MS ||
      (before.length > 0 && before.every(({ isGranted }) => !isGranted));
    const away = tries.filter(({ atMs }) => atMs < toMs).map((one) => one.atMs + Math.min(one.sentAwayMs, HOUR_MS));
    return wasTaken && fromMs >= outage.fromMs && toMs <= Math.max(outage.toMs, ...away) + 5 * MINUTE_MS;
  });
}

/** Everything is read again as soon as a channel lapsed, not only once there is another. */
const isNoticed = ({ customer, fromMs }: Gap, { told }: MonthReport): boolean =>
  told.some(
    (one) =>
      one.customer === customer &&
      isResync(one.command) &&
      one.command.order.reason === 'channel_lapsed' &&
      Math.abs(one.atMs - fromMs) <= GRACE_MS + 2 * MINUTE_MS,
  );

const isMended = ({ customer, toMs }: Gap, { told }: MonthReport): boolean =>
  told.some(
    (one) =>
      one.customer === customer &&
      isResync(one.command) &&
      one.atMs >= toMs - SECOND_MS &&
      one.atMs <= toMs + 5 * MINUTE_MS,
  );
