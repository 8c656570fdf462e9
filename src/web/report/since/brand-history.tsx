import { formatPercent } from '../../../lib/numbers.ts';
import type {
  BrandHistory,
  EngineHistory,
  HistoryChange,
  HistoryStretch,
  ModelChange,
} from '../../../visibility/trend/history.ts';
import { TableHead, Time } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { formatInterval } from '../parts/words.ts';
import { brandHistoryWords } from './brand-history-words.ts';

type Props = { language: PageLanguage; history: BrandHistory };

/** How often each engine names the brand over time: paired on the same questions, and never across another model. */
export const BrandHistorySection = ({ language, history }: Props) => {
  const words = brandHistoryWords[language];
  return (
    <ReportSection title={words.title} id="change">
      <p class="prose">{words.lead}</p>
      {history.comparisons > 1 ? <p class="small">{words.holm(history.comparisons)}</p> : null}
      {history.engines.map((engine) => (
        <OneEngine language={language} engine={engine} />
      ))}
    </ReportSection>
  );
};

const OneEngine = ({ language, engine }: { language: PageLanguage; engine: EngineHistory }) => (
  <>
    <h3>
      <bdi>{engine.engine}</bdi>
    </h3>
    {engine.simulated ? <p class="note">{brandHistoryWords[language].simulated}</p> : null}
    {engine.stretches.map((stretch, at) => {
      const model = engine.model_changed[at - 1];
      return (
        <>
          {model === undefined ? null : <OtherModel language={language} change={model} />}
          <Stretch language={language} stretch={stretch} />
        </>
      );
    })}
  </>
);

const formatPoints = (value: number): string => {
  const points = Math.round(value * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
};

const OtherModel = ({ language, change }: { language: PageLanguage; change: ModelChange }) => {
  const words = brandHistoryWords[language];
  return (
    <p class="note">
      {words.otherModel} <code>{formatAnswerer(change.from)}</code> → <code>{formatAnswerer(change.to)}</code>.{' '}
      {change.before === null || change.after === null
        ? null
        : words.notTheBrand(formatPercent(change.before.value), formatPercent(change.after.value))}
    </p>
  );
};

const formatAnswerer = ({ model, served_models: served }: ModelChange['from']): string =>
  served.every((name) => name === model) ? model : `${model} (${served.join(', ')})`;

const Stretch = ({ language, stretch }: { language: PageLanguage; stretch: HistoryStretch }) => {
  const words = brandHistoryWords[language];
  const { points, changes, trend } = stretch;
  return (
    <>
      <Scroll label={words.title}>
        <table>
          <caption>{words.caption}</caption>
          <TableHead
            columns={[words.at, words.rate, { number: words.without }, words.change, { number: 'p' }, words.verdict]}
          />
          <tbody>
            {points.map(({ at_ms: atMs, mention_rate: rate, without_answer: without }, place) => {
              const change = changes.find(({ to }) => to === place);
              return (
                <tr>
                  <th scope="row">
                    <Time ms={atMs} />
                  </th>
                  <td>
                    {rate === null ? words.none : `${formatPercent(rate.value)} (${formatInterval(rate, language)})`}
                  </td>
                  <td class="number">{without}</td>
                  <td>{change === undefined ? words.none : describeChange(change, language)}</td>
                  <td class="number">{change === undefined ? words.none : change.p_holm}</td>
                  <td>{change === undefined ? words.none : words.verdicts[change.verdict]}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {trend === null ? null : (
        <p class="prose">
          {words.trend(
            formatPoints(trend.per_30_days.value),
            `${formatPoints(trend.per_30_days.low)} ${words.to} ${formatPoints(trend.per_30_days.high)}`,
          )}{' '}
          {words.trends[trend.verdict]}
        </p>
      )}
    </>
  );
};

function describeChange(
  { difference, prompts, left_out: out, more, less }: HistoryChange,
  language: PageLanguage,
): string {
  const words = brandHistoryWords[language];
  const range = `${formatPoints(difference.low)} ${words.to} ${formatPoints(difference.high)}`;
  return words.paired({ points: formatPoints(difference.value), range, prompts, out, more, less });
}
