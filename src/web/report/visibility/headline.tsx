import { formatPercent } from '../../../lib/numbers.ts';
import { Bar, type Series, TableHead } from '../../design/parts.tsx';
import { Axis, Figure } from '../parts/layout.tsx';
import {
  type ReportedBrand,
  formatQuantity,
  computeCount,
  formatInterval,
  type ReportedRate,
  type Versus,
} from '../parts/words.ts';

/** The main figures of one brand, each with its interval drawn. */
export const Headline = ({ report }: { report: ReportedBrand }) => (
  <ul class="grid figures">
    <Figure title="Mention rate" value={formatPercent(report.mention_rate.value)}>
      <Drawn rate={report.mention_rate} />
      <p class="small">{describeMentionRate(report.mention_rate)}</p>
    </Figure>
    <Figure title="Recommendation rate" value={formatPercent(report.recommendation_rate.value)}>
      <Drawn rate={report.recommendation_rate} />
      <p class="small">
        {computeCount(report.recommendation_rate)} of {formatQuantity(report.recommendation_rate.n, 'answer')} recommend
        it. 95 % interval: {formatInterval(report.recommendation_rate)}.
      </p>
    </Figure>
    <Voice rate={report.share_of_voice} />
    <Position position={report.average_position} />
  </ul>
);

/** A bar with its interval and its scale. */
const Drawn = ({ rate, series }: { rate: ReportedRate; series?: Series | undefined }) => (
  <>
    <Bar value={rate.value} low={rate.low} high={rate.high} series={series} />
    <Axis />
  </>
);

function describeMentionRate(rate: ReportedBrand['mention_rate']): string {
  const worst = rate.worst_case;
  const first = `${computeCount(rate)} of ${formatQuantity(rate.n, 'answer')} name it. 95 % interval: ${formatInterval(rate)}.`;
  if (worst === undefined) return first;
  return `${first} With the missing answers all against it or all for it: ${formatInterval(worst)}.`;
}

const Voice = ({ rate }: { rate: ReportedBrand['share_of_voice'] }) =>
  rate === null ? (
    <Figure title="Share of voice" value="–">
      <p class="small">
        Not measured: no brand name was found in the answers, so there is nothing to take a share of. This is not 0 %.
      </p>
    </Figure>
  ) : (
    <Figure title="Share of voice" value={formatPercent(rate.value)}>
      <Drawn rate={rate} />
      <p class="small">
        Its part of all brand names in the {formatQuantity(rate.n, 'answer')}. Each name counts once per answer. This is
        not a market share. 95 % interval: {formatInterval(rate)}.
      </p>
    </Figure>
  );

const Position = ({ position }: { position: ReportedBrand['average_position'] }) =>
  position === null ? (
    <Figure title="Average position" value="–">
      <p class="small">No position: no answer names it.</p>
    </Figure>
  ) : (
    <Figure title="Average position" value={formatPosition(position.value)}>
      <p class="small">
        Mean place among the names of an answer, over the {formatQuantity(position.n, 'answer')} that name it: 1 is
        first. Places change from run to run.
      </p>
    </Figure>
  );

/** One decimal is more than such a mean can tell. */
export const formatPosition = (value: number): string => value.toFixed(1);

type Part = { tone: 'first' | 'both' | 'second' | 'neither'; text: string; count: number };

const SCALE = 1000;
const TONES = { first: 'first', both: 'both', second: 'second', neither: 'neither' } as const;

/** How the answers part between two brands: drawn as one bar, and as a table that says the same. */
export const Split = ({ counts, names }: { counts: Versus['discordant']; names: readonly [string, string] }) => {
  const parts: readonly Part[] = [
    { tone: 'first', text: `Only ${names[0]}`, count: counts.brand_only },
    { tone: 'both', text: 'Both', count: counts.both },
    { tone: 'second', text: `Only ${names[1]}`, count: counts.competitor_only },
    { tone: 'neither', text: 'Neither', count: counts.neither },
  ];
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="split">
      <Drawing parts={parts} total={total} />
      <table class="slim">
        <caption>
          Which of the two the {total} answers name. Only answers that name one of them tell them apart.
        </caption>
        <TableHead columns={['The answer names', { number: 'Answers' }]} />
        <tbody>
          {parts.map(({ tone, text, count }) => (
            <tr>
              <th scope="row">
                <svg class="split-mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                  <rect class={TONES[tone]} width="12" height="12" />
                </svg>{' '}
                <bdi>{text}</bdi>
              </th>
              <td class="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Drawing = ({ parts, total }: { parts: readonly Part[]; total: number }) => {
  const before = (index: number): number => parts.slice(0, index).reduce((sum, { count }) => sum + count, 0);
  const at = (count: number): number => (total === 0 ? 0 : Math.round((count / total) * SCALE));
  return (
    <svg class="split-bar" viewBox={`0 0 ${SCALE} 24`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ tone, count }, index) => (
        <rect class={TONES[tone]} x={at(before(index))} y="0" width={at(count)} height="24" />
      ))}
    </svg>
  );
};
