import { formatPercent } from '../../../lib/numbers.ts';
import { Bar } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { formatWeakSpotsPath } from '../again.ts';
import { answersWords } from '../answers/answers-words.ts';
import { AnswerSection, type AnswersAt } from '../answers/answers.tsx';
import { CitationSection } from '../citations/citations.tsx';
import { reportWords } from '../page-words.ts';
import { Axis, Figure, Notes, Quote, ReportSection } from '../parts/layout.tsx';
import { formatInterval, type ReportedRate } from '../parts/words.ts';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { RecommendedInstead } from '../visibility/rivals.tsx';
import { PanelCautions } from './cautions.tsx';
import { EngineDifferences } from './differences.tsx';
import { EachEngine, EngineFacts, EngineRates, PanelProofs } from './engines.tsx';
import { PromptOutcomes } from './outcomes.tsx';
import { enginePanelWords } from './panel-words.ts';
import { isMeasuredEngine, MAX_SAID_TOPS, type PanelReport, summarisePanel } from './panel-report.ts';
import { PanelCompetitors, PooledRivals } from './rivals.tsx';

type PartProps = { result: PanelReport; language: PageLanguage };

/** How often each of several engines names a brand, all of them together, and where they differ. */
export const PanelView = ({
  result,
  language = DEFAULT_LANGUAGE,
  answers,
  atHome = false,
}: {
  result: PanelReport;
  language?: PageLanguage | undefined;
  answers?: AnswersAt | undefined;
  atHome?: boolean | undefined;
}) => {
  const part = { result, language };
  const words = enginePanelWords[language];
  return (
    <div class="visibility">
      <PanelCautions {...part} />
      <Summary {...part} />
      <Pooled {...part} />
      <EngineRates {...part} />
      <EngineDifferences {...part} />
      <PanelCompetitors {...part} />
      <PooledRivals {...part} />
      <PooledWeakSpots {...part} atHome={atHome} />
      <RecommendedInstead language={language} name={result.brand} report={result.pooled} />
      <AnswerSection language={language} brands={[result.brand]} at={answers} />
      <CitationSection language={language} citations={result.citations} />
      <EachEngine {...part} />
      <ReportSection title={words.asked}>
        <p class="prose">{words.method}</p>
        <EngineFacts {...part} />
        <PromptOutcomes {...part} />
      </ReportSection>
      <ReportSection title={words.notes}>
        <Notes notes={result.notes} language={language} />
        <PanelProofs {...part} />
      </ReportSection>
    </div>
  );
};

/** Who is named most, where the brand is among them, and how many engines name it. */
const Summary = ({ result, language }: PartProps) => {
  const words = enginePanelWords[language];
  const { tops, place, namedBy, engines } = summarisePanel(result);
  const [before, behind] = words.top[tops.length === 1 ? 'one' : 'several'];
  const further = tops.length - MAX_SAID_TOPS;
  return (
    <p class="lead">
      {tops.length === 0 ? null : (
        <>
          {before}
          {tops.slice(0, MAX_SAID_TOPS).map((top, at) => (
            <>
              {at === 0 ? '' : ', '}
              <strong>
                <bdi>{top}</bdi>
              </strong>
            </>
          ))}
          {further > 0 ? `, ${words.furtherTops(further)}` : ''}
          {behind}{' '}
        </>
      )}
      <bdi>{result.brand}</bdi> {visibilityWords[language].ownPlace(place)} {words.namedBy(namedBy, engines)}
    </p>
  );
};

const Pooled = ({ result: { pooled }, language }: PartProps) => {
  const { pooledTitle, pooledLead, figures, noVoice } = enginePanelWords[language];
  return (
    <ReportSection title={pooledTitle}>
      <p class="prose">{pooledLead(pooled.engines)}</p>
      <ul class="grid figures">
        <PooledFigure title={figures.named} rate={pooled.mention_rate} language={language} />
        <PooledFigure title={figures.recommended} rate={pooled.recommendation_rate} language={language} />
        {pooled.share_of_voice === null ? (
          <Figure title={figures.voice} value="–">
            <p class="small">{noVoice}</p>
          </Figure>
        ) : (
          <PooledFigure title={figures.voice} rate={pooled.share_of_voice} language={language} />
        )}
      </ul>
    </ReportSection>
  );
};

type FigureProps = { title: string; rate: ReportedRate; language: PageLanguage };

const PooledFigure = ({ title, rate, language }: FigureProps) => (
  <Figure title={title} value={formatPercent(rate.value)}>
    <Bar value={rate.value} low={rate.low} high={rate.high} />
    <Axis />
    <p class="small">{enginePanelWords[language].interval(formatInterval(rate, language), rate.n)}</p>
  </Figure>
);

/** Where rivals are ahead over all engines, and the form of the texts against it. */
const PooledWeakSpots = ({ result, language, atHome }: PartProps & { atHome: boolean }) => {
  const { weakSpots, ahead, noneAhead } = enginePanelWords[language];
  const { brand, niche, pooled } = result;
  const href = atHome ? formatWeakSpotsPath({ brand, niche, weak_spots: pooled.weak_spots }) : undefined;
  const fixes = reportWords[language].answerFixes;
  return (
    <ReportSection title={weakSpots}>
      <ol class="grid spots">
        {pooled.weak_spots.map(({ topic, who_wins: winner, evidence }) => (
          <li class="card">
            <p>
              <strong>{describePooledTopic(result, topic, language)}</strong>
            </p>
            <p>{winner === undefined ? noneAhead : <WhoWins name={winner} words={ahead} />}</p>
            <Quote text={evidence} />
          </li>
        ))}
      </ol>
      {href === undefined ? null : (
        <div class="next-step no-print">
          <p class="prose">{fixes.lead}</p>
          <p>
            <a href={href} class="button">
              {fixes.button}
            </a>
          </p>
        </div>
      )}
    </ReportSection>
  );
};

/** A topic is a kind of question in the words of the result, or a question of the buyer's: the page has words for the former. */
function describePooledTopic({ engines }: PanelReport, topic: string, language: PageLanguage): string {
  const found = engines
    .flatMap((one) => (isMeasuredEngine(one) ? one.intents : []))
    .find(({ label }) => label === topic);
  return found === undefined ? topic : answersWords[language].intents[found.intent];
}

const WhoWins = ({ name, words }: { name: string; words: string }) => (
  <>
    <bdi>{name}</bdi> {words}
  </>
);
