import { formatPercent } from '../../lib/numbers.ts';
import { Bar, TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { COULD_NOT_LOOK } from './overview.tsx';
import { CsvLink, formatCsv } from './tables.tsx';

/** What is known of how much of a limit is used now. "Could not look" and "no one counts it here" are no zero. */
export type QuotaUse =
  | { state: 'counted'; callers: number; events: number; most: number }
  | { state: 'not_counted' }
  | { state: 'unseen' };

export type QuotaLine = {
  quotaId: string;
  title: string;
  /** Events a minute; -1: there is no limit. Undefined: it could not be looked up. */
  limit: number | undefined;
  /** Whether a quota preference set it. */
  isChosen: boolean;
  use: QuotaUse;
};

export type QuotasPage = {
  /** `projects/p`; undefined where the settings name none. */
  project: string | undefined;
  /** Whether preferences have an effect in this deployment. */
  isInForce: boolean;
  lines: readonly QuotaLine[];
};

const NUMBER = new Intl.NumberFormat('en-US');
const UNLIMITED = -1;

/** The limits of this service, and how much of each is used in the minutes that run. */
export const renderQuotas = ({ project, isInForce, lines }: QuotasPage): Html => (
  <>
    <Origin project={project} isInForce={isInForce} />
    <div class="scroll" tabindex={0} role="region" aria-label="Quotas of this service">
      <table>
        <caption>Events a minute, of each caller or tenant by itself, and the busiest one now</caption>
        <TableHead columns={['Quota', { number: 'Limit' }, 'Set by', 'Use now']} />
        <tbody>
          {lines.map((line) => (
            <Line {...line} />
          ))}
        </tbody>
      </table>
    </div>
    <CsvLink href="/console/quotas.csv" />
    <p class="small prose">
      Objects count callers only where a quota preference sets the limit; otherwise the platform’s limiter counts, which
      reports no figures. A count may be a hundredth of the limit too high: each isolate takes some ahead.
    </p>
  </>
);

const Origin = ({ project, isInForce }: Pick<QuotasPage, 'project' | 'isInForce'>) => {
  if (project === undefined)
    return (
      <p class="note">
        No project sets limits here: <code>OPERATOR_TENANT</code> and <code>OPERATOR_PROJECT</code> are not both set.
      </p>
    );
  if (!isInForce)
    return (
      <p class="note">
        Quota preferences of <code>{project}</code> have no effect here: <code>TELEMETRY</code> is not{' '}
        <code>control</code>.
      </p>
    );
  return (
    <p class="prose">
      Quota preferences of <code>{project}</code> set these limits; a change is felt within half a minute.
    </p>
  );
};

const Line = ({ quotaId, title, limit, isChosen, use }: QuotaLine) => (
  <tr>
    <th scope="row">
      {title}
      <br />
      <code>{quotaId}</code>
    </th>
    <td class="number">{describeLimit(limit)}</td>
    <td>{limit === undefined ? COULD_NOT_LOOK : isChosen ? 'A quota preference' : 'The deployment'}</td>
    <td class="use">
      <Use use={use} limit={limit} />
    </td>
  </tr>
);

const Use = ({ use, limit }: Pick<QuotaLine, 'use' | 'limit'>) => {
  if (use.state === 'unseen') return <span class="status unknown">{COULD_NOT_LOOK}</span>;
  if (use.state === 'not_counted') return <>Not counted here</>;
  const { callers, events, most } = use;
  const share = limit === undefined || limit <= 0 ? undefined : most / limit;
  return (
    <>
      {share === undefined ? null : <Bar value={share} />}
      {share === undefined ? NUMBER.format(most) : `${NUMBER.format(most)} (${formatPercent(share)})`}
      <br />
      <span class="small">
        {NUMBER.format(events)} of {NUMBER.format(callers)} {callers === 1 ? 'caller' : 'callers'} together
      </span>
    </>
  );
};

function describeLimit(limit: number | undefined): string {
  if (limit === undefined) return '?';
  return limit === UNLIMITED ? 'none' : NUMBER.format(limit);
}

/** Quotas as CSV (rule X8). */
export const formatQuotasCsv = (lines: readonly QuotaLine[]): string =>
  formatCsv([
    ['quota', 'title', 'limit_a_minute', 'set_by', 'busiest_caller_now', 'callers', 'events'],
    ...lines.map(({ quotaId, title, limit, isChosen, use }) => [
      quotaId,
      title,
      limit ?? 'could_not_look',
      limit === undefined ? '' : isChosen ? 'preference' : 'deployment',
      ...(use.state === 'counted' ? [use.most, use.callers, use.events] : [use.state, '', '']),
    ]),
  ]);
