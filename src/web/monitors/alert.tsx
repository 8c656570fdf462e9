import type { AlertChange, AlertReading, MonitorAlert } from '../../monitors/core/alert.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { Code, Status } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { getCheckTitle } from '../language/check-titles.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { EvidenceList } from '../report/parts/layout.tsx';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';
import { formatAlertSentence, listFormLinks, OtherForms, Severity } from './parts.tsx';

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
    children: (
      <>
        <p>
          <a href={formatMonitorPath(monitor.id)}>{words.back}</a>: <bdi>{monitor.name}</bdi>
        </p>
        <p class="lead">{formatAlertSentence(alert, language)}.</p>
        <AlertFacts alert={alert} language={language} />
        {alert.changes.length === 0 ? null : (
          <section aria-labelledby="changes">
            <h2 id="changes">{words.changes}</h2>
            <p class="small">{words.evidenceNote}</p>
            {alert.changes.map((change) => (
              <Change change={change} monitorId={monitor.id} language={language} />
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

const Change = ({
  change,
  monitorId,
  language,
}: {
  change: AlertChange;
  monitorId: string;
  language: PageLanguage;
}) => {
  const { id, title, before, after, because = [], isWorse, since } = change;
  const words = monitorPageWords[language];
  return (
    <section class="card change">
      <h3>
        <bdi>{getCheckTitle(id, language, title)}</bdi> <code>{id}</code>
        {isWorse === undefined ? null : <span class="small"> {isWorse ? words.worse : words.better}</span>}
      </h3>
      <div class="sides">
        <Side title={words.before} reading={before} language={language} />
        <Side title={words.after} reading={after} language={language} />
      </div>
      {because.length === 0 ? null : (
        <p>
          {words.because}{' '}
          {because.map((check, at) => (
            <>
              {at === 0 ? '' : ', '}
              <code>{check}</code>
            </>
          ))}
        </p>
      )}
      {since === undefined ? null : (
        <p class="small">
          {words.since}{' '}
          <a href={formatMonitorPath(monitorId, 'runs', since.runId)}>
            <When ms={since.atMs} />
          </a>
        </p>
      )}
    </section>
  );
};

type SideProps = { title: string; reading: AlertReading | null; language: PageLanguage };

const Side = ({ title, reading, language }: SideProps) => (
  <div>
    <h4>{title}</h4>
    {reading === null ? (
      <p>{monitorPageWords[language].nothing}</p>
    ) : (
      <>
        <p>
          {reading.status === undefined ? null : <Status status={reading.status} language={language} />}{' '}
          <bdi lang={markEnglish(language)}>{reading.text}</bdi>
        </p>
        {reading.evidence === undefined || reading.evidence.length === 0 ? null : (
          <EvidenceList evidence={[...reading.evidence]} language={language} />
        )}
      </>
    )}
  </div>
);

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
