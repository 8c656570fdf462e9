import { formatPercent } from '../../../lib/numbers.ts';
import { isNeitherNamed } from '../../../visibility/metrics/versus.ts';
import { TableHead } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { AnswerSection, type AnswersAt } from '../answers/answers.tsx';
import { answersWords } from '../answers/answers-words.ts';
import { NotSeen, RateBar, SeriesSide, Notes, Scroll, ReportSection } from '../parts/layout.tsx';
import { type ReportedBrand, computeCount, formatInterval, formatProbability, type Versus } from '../parts/words.ts';
import { BrandFigures } from '../visibility/brand-figures.tsx';
import { formatPosition, Split } from '../visibility/headline.tsx';
import { IntentRate } from '../visibility/intents.tsx';
import { Cautions, Measured } from '../visibility/measured.tsx';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { versusWords } from '../visibility/versus-words.ts';

type Names = readonly [string, string];
type Props = { result: Versus; language?: PageLanguage | undefined; answers?: AnswersAt | undefined };
type PartProps = { language: PageLanguage; result: Versus; names: Names };

/** Two brands on the same answers: which one is named more often, if these answers can tell, and all figures of both. */
export const VersusView = ({ result, language = DEFAULT_LANGUAGE, answers }: Props) => {
  const { brand, competitor } = result.brands;
  const names: Names = [brand.name, competitor.name];
  return (
    <div class="visibility">
      <Cautions language={language} measurement={result} />
      <Verdict language={language} result={result} names={names} />
      <SideBySide language={language} result={result} names={names} />
      <AnswerSection language={language} measurement={result} brands={names} at={answers} />
      <IntentsSideBySide language={language} result={result} names={names} />
      <BrandPart language={language} report={brand} name={brand.name} />
      <BrandPart language={language} report={competitor} name={competitor.name} />
      <Measured language={language} measurement={result} counts={brand} />
    </div>
  );
};

const Verdict = ({ language, result, names }: PartProps) => {
  const words = versusWords[language];
  const [asks, without] = words.asked;
  return (
    <ReportSection title={words.who}>
      <div class={`verdict card ${result.verdict === 'too_close_to_call' ? 'open' : 'called'}`}>
        <p class="big">
          {isNeitherNamed(result.discordant) ? words.neitherNamed : words.verdict(result.verdict, names)}
        </p>
        <p>
          <SeriesSide name={names[0]} series={1} /> {words.against} <SeriesSide name={names[1]} series={2} />, {asks}{' '}
          <bdi>{result.niche}</bdi> {without}
        </p>
      </div>
      <Split language={language} counts={result.discordant} names={names} />
      <p class="prose">
        <strong>p = {formatProbability(result.p_value, language)}.</strong> {words.chance(result.p_value)}
      </p>
      <p class="prose">{words.visible(result.smallest_visible_difference)}</p>
      <Notes notes={result.notes.filter((note) => !SAID_ABOVE.test(note))} language={language} />
    </ReportSection>
  );
};

/** Notes that the table and the two paragraphs above them say already, at more length. */
const SAID_ABOVE = /^(?:\d+ answers name only the brand,|With this much disagreement|So few answers cannot show)/;

const SideBySide = ({ language, result, names }: PartProps) => {
  const { brand, competitor } = result.brands;
  const words = visibilityWords[language];
  const one = { ...brand, language };
  const other = { ...competitor, language, second: true };
  return (
    <ReportSection title={versusWords[language].sideBySide}>
      <p class="small">{versusWords[language].line}</p>
      <ul class="pairs">
        <Pair title={words.mentionRate} names={names} values={[<Mentions {...one} />, <Mentions {...other} />]} />
        <Pair
          title={words.recommendationRate}
          names={names}
          values={[
            <RateBar rate={brand.recommendation_rate} series={1} language={language} />,
            <RateBar rate={competitor.recommendation_rate} series={2} language={language} />,
          ]}
        />
        <Pair title={words.voice} names={names} values={[<Voice {...one} />, <Voice {...other} />]} />
        <Pair title={words.position} names={names} values={[<Place {...one} />, <Place {...other} />]} />
      </ul>
    </ReportSection>
  );
};

const Pair = ({ title, names, values }: { title: string; names: Names; values: readonly [unknown, unknown] }) => (
  <li class="card">
    <h3>{title}</h3>
    <dl class="pair">
      <dt>
        <SeriesSide name={names[0]} series={1} />
      </dt>
      <dd>{values[0]}</dd>
      <dt>
        <SeriesSide name={names[1]} series={2} />
      </dt>
      <dd>{values[1]}</dd>
    </dl>
  </li>
);

type OneOfTwo = ReportedBrand & { language: PageLanguage; second?: boolean };

const Mentions = ({ language, mention_rate: rate, second = false }: OneOfTwo) => {
  const worst = rate.worst_case === undefined ? undefined : formatInterval(rate.worst_case, language);
  return (
    <>
      <RateBar rate={rate} series={second ? 2 : 1} language={language} />
      <p class="small">{versusWords[language].counted(computeCount(rate), rate.n, worst)}</p>
    </>
  );
};

const Voice = ({ language, share_of_voice: rate, second = false }: OneOfTwo) =>
  rate === null ? (
    <NotSeen why={versusWords[language].noName} language={language} />
  ) : (
    <RateBar rate={rate} series={second ? 2 : 1} language={language} />
  );

const Place = ({ language, average_position: position }: OneOfTwo) =>
  position === null ? (
    <>{versusWords[language].noPosition}</>
  ) : (
    <>
      <strong>{formatPosition(position.value, language)}</strong>{' '}
      <span class="small">{versusWords[language].over(position.n)}</span>
    </>
  );

const IntentsSideBySide = ({ language, result, names }: PartProps) => (
  <ReportSection title={visibilityWords[language].intents}>
    <Scroll label={versusWords[language].intentsLabel}>
      <table class="wide">
        <caption>{versusWords[language].intentsCaption}</caption>
        <TableHead
          columns={[
            visibilityWords[language].intentColumns[0],
            <SeriesSide name={names[0]} series={1} />,
            <SeriesSide name={names[1]} series={2} />,
          ]}
        />
        <tbody>
          {result.brands.brand.intents.map((row, at) => (
            <tr>
              <th scope="row">{answersWords[language].intents[row.intent]}</th>
              <td class="drawn">
                <IntentRate language={language} rate={row.mention_rate} series={1} />
              </td>
              <td class="drawn">
                <IntentRate
                  language={language}
                  rate={result.brands.competitor.intents[at]?.mention_rate ?? null}
                  series={2}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </ReportSection>
);

type BrandProps = { language: PageLanguage; name: string; report: ReportedBrand };

/** Everything about one of the two, for anyone who wants more than the comparison. */
const BrandPart = ({ language, name, report }: BrandProps) => {
  return (
    <ReportSection title={<bdi>{name}</bdi>}>
      <p>
        {versusWords[language].brandSaid(
          formatPercent(report.mention_rate.value),
          formatPercent(report.recommendation_rate.value),
        )}
      </p>
      <BrandFigures
        {...{ language, name, report }}
        summary={
          <>
            {versusWords[language].allFigures} <bdi>{name}</bdi>
          </>
        }
      />
    </ReportSection>
  );
};
