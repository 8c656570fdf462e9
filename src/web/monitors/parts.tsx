import { scoreNames } from '../../audit/core/check.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { MonitorAlertSeverity, MonitorAlert } from '../../monitors/core/alert.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { type CheckStatus, Status } from '../design/parts.tsx';
import type { ShellProps } from '../design/shell.tsx';
import { historyWords } from '../history/history-words.ts';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatInterval } from '../report/parts/words.ts';
import { formatAlertSentence } from './alert-sentence.ts';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';

type InLanguage = { language: PageLanguage };

/** Whether it runs, and why not. */
export const MonitorState = ({
  monitor,
  language,
}: InLanguage & { monitor: Pick<Monitor, 'state' | 'pausedBecause'> }) => {
  const words = monitorWords[language];
  return monitor.state === 'active' ? (
    <Status status="pass" label={words.active} />
  ) : (
    <Status status={monitor.pausedBecause === 'by_owner' ? 'not_applicable' : 'fail'} label={words.pausedShort} />
  );
};

const RUN_MARKS = { reserved: 'unknown', stored: 'pass', failed: 'fail' } as const satisfies Record<
  string,
  CheckStatus
>;

export const RunStateMark = ({ run, language }: InLanguage & { run: MonitorRun }) => (
  <>
    <Status status={RUN_MARKS[run.state]} label={monitorWords[language].runStates[run.state]} />
    <RunNotes run={run} language={language} />
  </>
);

/** What else is to be known: that it was late, or that due times before it had none. */
const RunNotes = ({ run: { lateMs, missed }, language }: InLanguage & { run: MonitorRun }) => {
  const words = monitorWords[language];
  const notes = [
    ...(lateMs >= MINUTE_MS ? [words.late(Math.round(lateMs / MINUTE_MS))] : []),
    ...(missed > 0 ? [words.missed(missed)] : []),
  ];
  return notes.length === 0 ? null : <span class="small"> {notes.join(', ')}</span>;
};

const SEVERITY_MARKS = { info: 'not_applicable', warning: 'partial', critical: 'fail' } as const satisfies Record<
  MonitorAlertSeverity,
  CheckStatus
>;

export const Severity = ({ severity, language }: InLanguage & { severity: MonitorAlertSeverity }) => (
  <Status status={SEVERITY_MARKS[severity]} label={monitorWords[language].severities[severity]} />
);

/** A run's scores or rates in one line, by name, or why it has none. Names of engines are text of the deployment. */
export function listRunReadings({ summary }: Pick<MonitorRun, 'summary'>, language: PageLanguage): readonly string[] {
  if (summary === null) return [];
  if (summary.kind === 'brand')
    return summary.rates.map(({ engine, rate }) =>
      rate === null ? `${engine} –` : `${engine} ${formatPercent(rate.value)} (${formatInterval(rate, language)})`,
    );
  // The scores are those of an error page.
  if (summary.unread !== undefined) return [monitorWords[language].unread(summary.unread)];
  return scoreNames.flatMap((name) => {
    const score = summary.scores[name];
    return score ? [`${historyWords[language].scoreHeads[name]} ${score.score}`] : [];
  });
}

/** What the parts of a run cost in all. */
export const formatRunCost = ({ parts }: MonitorRun, language: PageLanguage): string =>
  formatDollars(
    parts.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0),
    language,
  );

/** A link to an alert by its sentence, which may quote a brand or a host. */
export const AlertLink = ({ alert, language }: InLanguage & { alert: MonitorAlert }) => (
  <a href={formatMonitorPath(alert.monitorId, 'alerts', alert.id)}>{formatAlertSentence(alert, language)}</a>
);

/** The same page for programs. */
export const listFormLinks = (path: string): NonNullable<ShellProps['links']> => [
  { rel: 'alternate', href: `${path}.json`, type: 'application/json' },
  { rel: 'alternate', href: `${path}.md`, type: 'text/markdown' },
];

/** The same page in other forms, for people. @param query of the page, which decides what it shows */
export const OtherForms = ({ path, query = '', language }: InLanguage & { path: string; query?: string }) => {
  const { forms } = monitorWords[language];
  return (
    <p class="small">
      {monitorPageWords[language].forms} <a href={`${path}.json${query}`}>{forms.json}</a>,{' '}
      <a href={`${path}.md${query}`}>{forms.markdown}</a>
    </p>
  );
};
