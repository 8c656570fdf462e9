import { formatPercent } from '../../../lib/numbers.ts';
import { Bar, type Series, TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { Axis, Figure } from '../parts/layout.tsx';
import { type ReportedBrand, computeCount, formatInterval, type ReportedRate, type Versus } from '../parts/words.ts';
import { versusWords } from './versus-words.ts';
import { visibilityWords } from './visibility-words.ts';

type Props = { language: PageLanguage; report: ReportedBrand };

/** The main figures of one brand, each with its interval drawn. */
export const Headline = ({ language, report }: Props) => {
  const words = visibilityWords[language];
  const { recommendation_rate: liked } = report;
  return (
    <ul class="grid figures">
      <Figure title={words.mentionRate} value={formatPercent(report.mention_rate.value)}>
        <Drawn rate={report.mention_rate} />
        <p class="small">{describeMentionRate(report.mention_rate, language)}</p>
      </Figure>
      <Figure title={words.recommendationRate} value={formatPercent(liked.value)}>
        <Drawn rate={liked} />
        <p class="small">{words.recommendationSaid(computeCount(liked), liked.n, formatInterval(liked, language))}</p>
      </Figure>
      <Voice rate={report.share_of_voice} language={language} />
      <Position position={report.average_position} language={language} />
    </ul>
  );
};

/** A bar with its interval and its scale. */
const Drawn = ({ rate, series }: { rate: ReportedRate; series?: Series | undefined }) => (
  <>
    <Bar value={rate.value} low={rate.low} high={rate.high} series={series} />
    <Axis />
  </>
);

function describeMentionRate(rate: ReportedBrand['mention_rate'], language: PageLanguage): string {
  const worst = rate.worst_case === undefined ? undefined : formatInterval(rate.worst_case, language);
  return visibilityWords[language].mentionSaid(computeCount(rate), rate.n, formatInterval(rate, language), worst);
}

const Voice = ({ rate, language }: { rate: ReportedBrand['share_of_voice']; language: PageLanguage }) => {
  const words = visibilityWords[language];
  return rate === null ? (
    <Figure title={words.voice} value="–">
      <p class="small">{words.voiceNone}</p>
    </Figure>
  ) : (
    <Figure title={words.voice} value={formatPercent(rate.value)}>
      <Drawn rate={rate} />
      <p class="small">{words.voiceSaid(rate.n, formatInterval(rate, language))}</p>
    </Figure>
  );
};

type PositionProps = { position: ReportedBrand['average_position']; language: PageLanguage };

const Position = ({ position, language }: PositionProps) => {
  const words = visibilityWords[language];
  return position === null ? (
    <Figure title={words.position} value="–">
      <p class="small">{words.positionNone}</p>
    </Figure>
  ) : (
    <Figure title={words.position} value={formatPosition(position.value, language)}>
      <p class="small">{words.positionSaid(position.n)}</p>
    </Figure>
  );
};

/** One decimal is more than such a mean can tell. */
export const formatPosition = (value: number, language: PageLanguage): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

type Part = { tone: 'first' | 'both' | 'second' | 'neither'; text: string; count: number };

const SCALE = 1000;
const TONES = { first: 'first', both: 'both', second: 'second', neither: 'neither' } as const;

type SplitProps = { language: PageLanguage; counts: Versus['discordant']; names: readonly [string, string] };

/** How the answers part between two brands: drawn as one bar, and as a table that says the same. */
export const Split = ({ language, counts, names }: SplitProps) => {
  const words = versusWords[language];
  const parts: readonly Part[] = [
    { tone: 'first', text: words.only(names[0]), count: counts.brand_only },
    { tone: 'both', text: words.both, count: counts.both },
    { tone: 'second', text: words.only(names[1]), count: counts.competitor_only },
    { tone: 'neither', text: words.neither, count: counts.neither },
  ];
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="split">
      <Drawing parts={parts} total={total} />
      <table class="slim">
        <caption>{words.splitCaption(total)}</caption>
        <TableHead columns={[words.splitColumns[0], { number: words.splitColumns[1] }]} />
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
