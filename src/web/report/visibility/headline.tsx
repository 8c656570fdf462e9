import { Bar, percent, type Series } from '../../design/parts.tsx';
import { Axis, Figure } from '../parts/figures.tsx';
import { type BrandReport, counted, countOf, intervalText, type Rate } from '../parts/words.ts';

/** The main figures of one brand, each with its interval drawn. */
export const Headline = ({ report }: { report: BrandReport }) => (
  <ul class="grid figures">
    <Figure title="Mention rate" value={percent(report.mention_rate.value)}>
      <Drawn rate={report.mention_rate} />
      <p class="small">{mentionText(report.mention_rate)}</p>
    </Figure>
    <Figure title="Recommendation rate" value={percent(report.recommendation_rate.value)}>
      <Drawn rate={report.recommendation_rate} />
      <p class="small">
        {countOf(report.recommendation_rate)} of {counted(report.recommendation_rate.n, 'answer')} recommend it. 95 %
        interval: {intervalText(report.recommendation_rate)}.
      </p>
    </Figure>
    <Voice rate={report.share_of_voice} />
    <Position position={report.average_position} />
  </ul>
);

/** A bar with its interval and its scale. */
const Drawn = ({ rate, series }: { rate: Rate; series?: Series | undefined }) => (
  <>
    <Bar value={rate.value} low={rate.low} high={rate.high} series={series} />
    <Axis />
  </>
);

function mentionText(rate: BrandReport['mention_rate']): string {
  const worst = rate.worst_case;
  const first = `${countOf(rate)} of ${counted(rate.n, 'answer')} name it. 95 % interval: ${intervalText(rate)}.`;
  if (worst === undefined) return first;
  return `${first} With the missing answers all against it or all for it: ${intervalText(worst)}.`;
}

const Voice = ({ rate }: { rate: BrandReport['share_of_voice'] }) =>
  rate === null ? (
    <Figure title="Share of voice" value="–">
      <p class="small">Could not look: no name at all was found in the answers.</p>
    </Figure>
  ) : (
    <Figure title="Share of voice" value={percent(rate.value)}>
      <Drawn rate={rate} />
      <p class="small">
        Of all names that {counted(rate.n, 'answer')} give. 95 % interval: {intervalText(rate)}.
      </p>
    </Figure>
  );

const Position = ({ position }: { position: BrandReport['average_position'] }) =>
  position === null ? (
    <Figure title="Average position" value="–">
      <p class="small">No position: no answer names it.</p>
    </Figure>
  ) : (
    <Figure title="Average position" value={positionText(position.value)}>
      <p class="small">
        Mean place among the names of an answer, 1 is first, over the {counted(position.n, 'answer')} with it. Places
        change from run to run.
      </p>
    </Figure>
  );

/** One decimal is more than such a mean can tell. */
export const positionText = (value: number): string => value.toFixed(1);
