import type { MonitorAlert } from '../../monitors/core/alert.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { Code } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { formatAlertSentence } from './alert-sentence.ts';
import { ChangeCard } from './change-card.tsx';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';
import { listFormLinks, OtherForms, Severity } from './parts.tsx';

export type AlertPage = {
  frame: AccountFrame;
  monitor: Monitor;
  alert: MonitorAlert;
  /** Origin of this deployment. */
  baseUrl: string;
};

/** One alert: what changed, since when, the evidence of both sides, both reports, and how to judge it again. */
export const renderAlertPage = ({ frame, monitor, alert: given, baseUrl }: AlertPage): Html => {
  const { language } = frame;
  const alert = escapeControlsIn(given); // Evidence is text of the site: no character of it turns or hides what is beside it.
  const words = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id, 'alerts', alert.id);
  return renderAccountFrame({
    ...frame,
    title: monitorWords[language].alertKinds[alert.kind],
    links: listFormLinks(path),
    scripts: ['/web/copy.js'],
    children: (
      <>
        <p>
          <a href={formatMonitorPath(monitor.id)}>{words.back}</a>: <bdi>{monitor.name}</bdi>
        </p>
        <p class="lead">{formatAlertSentence(alert, language)}</p>
        <AlertFacts alert={alert} language={language} />
        {alert.changes.length === 0 ? null : (
          <section aria-labelledby="changes">
            <h2 id="changes">{words.changes}</h2>
            <p class="small">{words.evidenceNote}</p>
            {alert.changes.map((change) => (
              <ChangeCard change={change} monitorId={monitor.id} language={language} />
            ))}
            {alert.more === undefined || alert.more === 0 ? null : <p>{words.moreChanges(alert.more)}</p>}
          </section>
        )}
        <Links alert={alert} language={language} />
        {alert.reportId === undefined || monitor.subject.kind !== 'site' ? null : (
          <>
            <p>{words.replayHow}</p>
            <Code
              text={`curl -sSo snapshot.json ${baseUrl}/reports/${alert.reportId}/snapshot
sightline replay snapshot.json`}
              label={words.copy}
              language="shell"
            />
          </>
        )}
        <OtherForms path={path} language={language} />
      </>
    ),
  });
};

type Props = { alert: MonitorAlert; language: PageLanguage };

const AlertFacts = ({ alert, language }: Props) => {
  const words = monitorPageWords[language];
  return (
    <dl class="facts">
      <div>
        <dt>{words.alertColumns.severity}</dt>
        <dd>
          <Severity severity={alert.severity} language={language} />
        </dd>
      </div>
      <div>
        <dt>{words.alertColumns.at}</dt>
        <dd>
          <When ms={alert.atMs} />
        </dd>
      </div>
      <div>
        <dt>{words.since}</dt>
        <dd>{alert.since === null ? words.firstAlert : <When ms={alert.since.atMs} />}</dd>
      </div>
    </dl>
  );
};

const Links = ({ alert, language }: Props) => {
  const words = monitorPageWords[language];
  const { monitorId, runId, since, reportId } = alert;
  const links = [
    ...(reportId === undefined ? [] : [{ href: `/reports/${reportId}`, text: words.reportNow }]),
    ...(since?.reportId === undefined ? [] : [{ href: `/reports/${since.reportId}`, text: words.reportBefore }]),
    ...(runId === null ? [] : [{ href: formatMonitorPath(monitorId, 'runs', runId), text: words.runOfAlert }]),
    ...(runId === null || since === null ? [] : [{ href: formatComparePath(alert), text: words.compareRuns }]),
    ...(reportId === undefined ? [] : [{ href: `/reports/${reportId}/snapshot`, text: words.snapshot }]),
  ];
  if (links.length === 0) return null;
  return (
    <ul>
      {links.map(({ href, text }) => (
        <li>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
};

const formatComparePath = ({ monitorId, runId, since }: MonitorAlert): string =>
  `${formatMonitorPath(monitorId, 'compare')}?${new URLSearchParams({ from: since?.runId ?? '', to: runId ?? '' }).toString()}`;
