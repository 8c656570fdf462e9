import type { AlertDraft } from '../../monitors/core/alert.ts';
import type { PauseReason } from '../../monitors/core/monitor.ts';
import type { MonitorRun, RunOrder } from '../../monitors/core/run.ts';
import { formatUsdAmount } from '../../payment/terms/constants.ts';

/** When a run took place, for what is said of it. */
const getTime = ({ startedAtMs, dueMs }: MonitorRun): number => startedAtMs ?? dueMs;

const selectRun = (run: MonitorRun): NonNullable<AlertDraft['since']> => {
  const reportId = run.parts.find(({ role }) => role === 'subject')?.reportId;
  return { runId: run.id, atMs: getTime(run), ...(reportId === undefined ? {} : { reportId }) };
};

/** A run without a result, said once for all failures in a row that have one reason. */
export function buildFailureAlert({ run, history }: RunOrder, reason: string, detail: string): AlertDraft {
  const other = history.findIndex((one) => one.state !== 'failed' || one.reason !== reason);
  const before = other < 0 ? history : history.slice(0, other);
  const first = before.at(-1) ?? run;
  const last = history[before.length];
  return {
    kind: 'run_failed',
    severity: 'warning',
    key: `run_failed ${reason} ${first.id}`,
    title: `A run failed and was not charged: ${detail}`,
    changes: [],
    since: last === undefined ? null : selectRun(last),
  };
}

const PAUSED_TITLES: Readonly<Record<PauseReason, string>> = {
  by_owner: 'Paused by its owner',
  insufficient_credits: 'Paused: the credits of the account do not cover a run',
  access_ended: 'Paused: the account, or its client that made this monitor, may spend no credits any more',
  robots_disallow: 'Paused: robots.txt of the host disallows our agent by its name',
  engine_budget: 'Paused: a run would cost more than free runs may spend on engines in a day',
  order_refused: 'Paused: what it orders is refused for good',
};

/** No later run can do better until the owner acts. */
export const buildPauseAlert = ({ run }: Pick<RunOrder, 'run'>, reason: PauseReason, detail: string): AlertDraft => ({
  kind: 'paused',
  severity: 'critical',
  key: `paused ${reason} ${run.id}`,
  title: PAUSED_TITLES[reason],
  changes: [{ id: reason, title: 'Why', before: null, after: { text: detail }, isWorse: true }],
  since: null,
});

/** Said one run before the one that cannot be paid. Amounts are micro-USDC. */
export const buildLowCreditsAlert = (
  { run }: Pick<RunOrder, 'run'>,
  { balanceMicroUsdc, priceMicroUsdc }: { balanceMicroUsdc: number; priceMicroUsdc: number },
): AlertDraft => {
  const [left, price] = [formatUsdAmount(balanceMicroUsdc), formatUsdAmount(priceMicroUsdc)];
  return {
    kind: 'credits_low',
    severity: 'critical',
    key: `credits_low ${run.id}`,
    title: `The credits do not cover the next run: ${left} USD are left, a run costs ${price} USD. Without a top-up the monitor pauses then`,
    changes: [
      {
        id: 'credits',
        title: 'Credits',
        before: null,
        after: { text: `${left} USD`, value: balanceMicroUsdc },
        isWorse: true,
      },
    ],
    since: null,
  };
};

/** The start page leads to another site: what changed there is no news of the watched one. */
export const buildMovedAlert = (
  hosts: { from: string; to: string },
  { before, reportId }: { before: MonitorRun | undefined; reportId: string },
): AlertDraft => ({
  kind: 'site_moved',
  severity: 'critical',
  key: `site_moved ${hosts.to} ${before?.id ?? 'first'}`,
  title: `The start page now leads to another host: ${hosts.to} instead of ${hosts.from}`,
  changes: [
    { id: 'host', title: 'Host of the start page', before: { text: hosts.from }, after: { text: hosts.to }, isWorse: true },
  ],
  since: before === undefined ? null : selectRun(before),
  reportId,
});
