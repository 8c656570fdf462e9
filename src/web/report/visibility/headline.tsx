import { Bar, formatPercent, type Series } from '../../design/parts.tsx';
import { Axis, Figure } from '../parts/figures.tsx';
import { type ReportedBrand, formatQuantity, computeCount, formatInterval, type ReportedRate } from '../parts/words.ts';

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
      <p class="small">Could not look: no name at all was found in the answers.</p>
    </Figure>
  ) : (
    <Figure title="Share of voice" value={formatPercent(rate.value)}>
      <Drawn rate={rate} />
      <p class="small">
        Of all names that {formatQuantity(rate.n, 'answer')} give. 95 % interval: {formatInterval(rate)}.
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
        Mean place among the names of an answer, 1 is first, over the {formatQuantity(position.n, 'answer')} with it.
        Places change from run to run.
      </p>
    </Figure>
  );

/** One decimal is more than such a mean can tell. */
export const formatPosition = (value: number): string => value.toFixed(1);
