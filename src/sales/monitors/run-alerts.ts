import { formatAlertTitle } from '../../monitors/alerts/alert-words.ts';
import type { AlertChange, AlertDraft } from '../../monitors/core/alert.ts';
import type { PauseReason } from '../../monitors/core/monitor.ts';
import type { MonitorRun, RunOrder } from '../../monitors/core/run.ts';
import { formatUsdAmount, formatUsdBalance } from '../../payment/terms/constants.ts';

const selectRun = (run: MonitorRun): NonNullable<AlertDraft['since']> => {
  const reportId = run.parts.find(({ role }) => role === 'subject')?.reportId;
  return { runId: run.id, atMs: run.startedAtMs ?? run.dueMs, ...(reportId === undefined ? {} : { reportId }) };
};

const withTitle = (draft: Omit<AlertDraft, 'title'>): AlertDraft => ({ ...draft, title: formatAlertTitle(draft) });

/** What there was no other side of before. */
const buildChange = (id: string, title: string, text: string): AlertChange => ({
  id,
  title,
  before: null,
  after: { text },
  isWorse: true,
});

/** A run without a result, said once for all failures in a row that have one reason. */
export function findFailureAlerts(
  { run, history: [before] }: Pick<RunOrder, 'run' | 'history'>,
  reason: string,
  detail: string,
): readonly AlertDraft[] {
  if (before?.state === 'failed' && before.reason === reason) return [];
  return [
    withTitle({
      kind: 'run_failed',
      severity: 'warning',
      key: `run_failed ${reason} ${run.id}`,
      changes: [buildChange(reason, 'Run', detail)],
      since: before === undefined ? null : selectRun(before),
    }),
  ];
}

/** No later run can do better until the owner acts. */
export const buildPauseAlert = ({ run }: Pick<RunOrder, 'run'>, reason: PauseReason, detail: string): AlertDraft =>
  withTitle({
    kind: 'paused',
    severity: 'critical',
    key: `paused ${reason} ${run.id}`,
    changes: [buildChange(reason, 'Monitor', detail)],
    since: null,
  });

/** Said one run before one that may not be paid. Amounts are micro-USDC. */
export function buildLowCreditsAlert(
  { run, aheadMicroUsdc }: Pick<RunOrder, 'run' | 'aheadMicroUsdc'>,
  { balanceMicroUsdc }: { balanceMicroUsdc: number },
): AlertDraft {
  const text = `${formatUsdBalance(balanceMicroUsdc)} USD are left, and the account's runs until the next one of this monitor, with it, cost ${formatUsdAmount(aheadMicroUsdc)} USD: without a top-up, a monitor that cannot pay its run pauses`;
  return withTitle({
    kind: 'credits_low',
    severity: 'critical',
    key: `credits_low ${run.id}`,
    changes: [buildChange('credits', 'Credits', text)],
    since: null,
  });
}
