import { scoreNames } from '../../../audit/core/check.ts';
import { compareReports, hasScore } from '../../../capabilities/published/history.ts';
import { formatPercent } from '../../../lib/numbers.ts';
import { isOverlapping } from '../../../visibility/metrics/statistics.ts';
import { TableHead, Time } from '../../design/parts.tsx';
import { type Html, renderDocument } from '../../design/shell.tsx';
import type { BrandHistory } from '../../../visibility/trend/history.ts';
import { ChangeGroups } from '../../history/changes.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { ReportSection, Scroll } from '../parts/layout.tsx';
import { describeDemonstration, formatInterval, type ReportedRate, SCORES, type Visibility } from '../parts/words.ts';
import { Cautions } from '../visibility/measured.tsx';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { BrandHistorySection } from './brand-history.tsx';
import type { ComparedPair } from './read-compared.ts';
import { sinceWords } from './since-words.ts';

export type SinceShown = {
  language: PageLanguage;
  pair: ComparedPair;
  /** What the answers of two measurements show, where both are stored. */
  history?: BrandHistory | undefined;
  /** The earlier and the later of the two, each with the time at which it was stored, in Unix milliseconds. */
  from: { id: string; atMs: number };
  to: { id: string; atMs: number };
};

/** What changed between two reports. As private as both: only who knows both addresses can name it (rule X5). */
export const renderSincePage = ({ language, pair, history, from, to }: SinceShown): Html => {
  const words = sinceWords[language];
  return renderDocument({
    title: words.title(pair.subject),
    language,
    path: `/reports/${to.id}/since/${from.id}`,
    styles: ['/web/report.css'],
    children: (
      <article class="report">
        <p class="lead">
          <a href={`/reports/${from.id}`}>{words.backFrom}</a>: <Time ms={from.atMs} />.{' '}
          <a href={`/reports/${to.id}`}>{words.backTo}</a>: <Time ms={to.atMs} />.
        </p>
        <Changes language={language} pair={pair} history={history} />
      </article>
    ),
  });
};

const Changes = ({ language, pair, history }: Pick<SinceShown, 'language' | 'pair' | 'history'>) => {
  if (pair.kind === 'site') return <SiteChanges language={language} pair={pair} />;
  if (pair.kind === 'brand')
    return <BrandChanges language={language} from={pair.from} to={pair.to} history={history} />;
  return history === undefined ? (
    <p class="note">{sinceWords[language].withoutAnswers}</p>
  ) : (
    <BrandHistorySection language={language} history={history} />
  );
};

const formatSigned = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0');

type SitePair = Extract<ComparedPair, { kind: 'site' }>;

const SiteChanges = ({ language, pair }: { language: PageLanguage; pair: SitePair }) => {
  const words = sinceWords[language];
  const changes = compareReports(pair.from, pair.to);
  const rows = scoreNames.flatMap((name) => {
    const [before, after] = [pair.from.scores[name], pair.to.scores[name]];
    return before && after && hasScore(before) && hasScore(after) ? [{ name, before, after }] : [];
  });
  return (
    <>
      {rows.length === 0 ? null : (
        <ReportSection title={words.scores}>
          <table class="slim">
            <caption>{words.scoresCaption}</caption>
            <TableHead
              columns={[words.score, { number: words.before }, { number: words.after }, { number: words.change }]}
            />
            <tbody>
              {rows.map(({ name, before, after }) => (
                <tr>
                  <th scope="row">{SCORES[name]}</th>
                  <td class="number">{before.score}</td>
                  <td class="number">{after.score}</td>
                  <td class="number">
                    {changes.points[name] === undefined ? words.none : formatSigned(changes.points[name])}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ReportSection>
      )}
      <section class="report-part">
        <ChangeGroups changes={changes} language={language} />
      </section>
    </>
  );
};

type BrandProps = { language: PageLanguage; from: Visibility; to: Visibility };

const BrandChanges = ({ language, from, to, history }: BrandProps & Pick<SinceShown, 'history'>) => {
  const names = visibilityWords[language];
  const rows: readonly FigureRow[] = [
    // With the answers at hand it is compared question by question, below.
    ...(history === undefined ? [[names.mentionRate, from.mention_rate, to.mention_rate] as const] : []),
    [names.recommendationRate, from.recommendation_rate, to.recommendation_rate],
    [names.voice, from.share_of_voice, to.share_of_voice],
  ];
  return (
    <>
      <MeasuredOtherwise language={language} from={from} to={to} />
      {history === undefined ? null : <BrandHistorySection language={language} history={history} />}
      <Figures language={language} rows={rows} />
    </>
  );
};

type FigureRow = readonly [string, ReportedRate | null, ReportedRate | null];

const Figures = ({ language, rows }: { language: PageLanguage; rows: readonly FigureRow[] }) => {
  const words = sinceWords[language];
  return (
    <ReportSection title={words.figures}>
      <Scroll label={words.figures}>
        <table>
          <caption>{words.figuresCaption}</caption>
          <TableHead columns={[words.figure, words.before, words.after, words.change]} />
          <tbody>
            {rows.map(([name, before, after]) => (
              <tr>
                <th scope="row">{name}</th>
                <td>{describeRate(before, language)}</td>
                <td>{describeRate(after, language)}</td>
                <td>
                  {before === null || after === null
                    ? words.none
                    : isOverlapping(before, after)
                      ? words.overlap
                      : words.apart}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

/** What else than the brand may have changed: who was asked, and what. */
const MeasuredOtherwise = ({ language, from, to }: BrandProps) => {
  const words = sinceWords[language];
  const [before, after] = [describeEngine(from), describeEngine(to)];
  const caution = [to, from].find(({ engine }) => describeDemonstration(engine) !== undefined) ?? to;
  return (
    <>
      <Cautions language={language} measurement={caution} />
      {before === after ? null : <p class="note">{words.otherEngine(before, after)}</p>}
      {from.prompts.sha256 === to.prompts.sha256 ? null : <p class="note">{words.otherQuestions}</p>}
    </>
  );
};

/** The model as it was asked for, and those that answered in its name. */
const describeEngine = ({ engine: { model, served_models: served } }: Visibility): string =>
  served.every((name) => name === model) ? model : `${model} (${served.join(', ')})`;

const describeRate = (rate: ReportedRate | null, language: PageLanguage): string =>
  rate === null ? sinceWords[language].none : `${formatPercent(rate.value)} (${formatInterval(rate, language)})`;
