import type { CapabilityName } from '../../../capabilities/capability-name.ts';
import { MAX_RIVAL_ROWS } from '../../../visibility/metrics/metrics.ts';
import { formatCapabilityLink } from '../../capability/address.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { formatWeakSpotsPath } from '../again.ts';
import { AnswerSection, type AnswersAt } from '../answers/answers.tsx';
import { reportWords } from '../page-words.ts';
import { ReportSection } from '../parts/layout.tsx';
import { computeCount, rankBrands, type Visibility } from '../parts/words.ts';
import { findBrandPlace } from '../visibility/brand-place.ts';
import { Headline } from '../visibility/headline.tsx';
import { Intents, WeakSpotsSection } from '../visibility/intents.tsx';
import { Cautions, Measured, NameReadingSection } from '../visibility/measured.tsx';
import { RecommendedInstead, Rivals, Sources } from '../visibility/rivals.tsx';
import { visibilityWords } from '../visibility/visibility-words.ts';

type Props = {
  result: Visibility;
  language?: PageLanguage | undefined;
  answers?: AnswersAt | undefined;
  atHome?: boolean | undefined;
};

/** How often an answer engine names and recommends one brand, whom else it names, and what it says. */
export const VisibilityView = ({ result, language = DEFAULT_LANGUAGE, answers, atHome = false }: Props) => {
  const words = visibilityWords[language];
  return (
    <div class="visibility">
      <Cautions language={language} measurement={result} />
      <Lead result={result} language={language} />
      <Ranked result={result} language={language} />
      <ReportSection title={words.atAGlance}>
        <Headline language={language} report={result} />
      </ReportSection>
      <WeakSpotsSection language={language} report={result}>
        {atHome ? <ToFixes result={result} language={language} /> : null}
      </WeakSpotsSection>
      <AnswerSection language={language} measurement={result} brands={[result.brand]} at={answers} />
      <Intents language={language} name={result.brand} report={result} />
      <Rivals language={language} name={result.brand} report={result} id={NAMED} />
      {atHome ? <ToComparison result={result} language={language} /> : null}
      <RecommendedInstead language={language} name={result.brand} report={result} />
      <Sources language={language} report={result} />
      <NameReadingSection language={language} report={result} />
      <Measured language={language} measurement={result} counts={result} />
    </div>
  );
};

type PartProps = { result: Visibility; language: PageLanguage };

const Lead = ({ result, language }: PartProps) => {
  const words = visibilityWords[language];
  const [says, asks] = words.lead;
  return (
    <p class="lead">
      {says}{' '}
      <strong>
        <bdi>{result.brand}</bdi>
      </strong>{' '}
      {asks} <bdi>{result.niche}</bdi> {words.leadCounts(result.prompts.total, result.prompts.valid)}
    </p>
  );
};

const NAMED = 'named';
/** Brands that the top of the report names. */
const MOST_NAMED = 3;

/** Who is named most often, and the brand's own place among all that are: the table is further down. */
const Ranked = ({ result, language }: PartProps) => {
  const words = visibilityWords[language];
  const own = computeCount(result.mention_rate);
  const counts = result.rivals.map(({ mentioned }) => mentioned);
  const place = own === 0 ? undefined : findBrandPlace(own, counts, MAX_RIVAL_ROWS);
  const ranked = rankBrands(result).flatMap((row) =>
    row !== 'own'
      ? { name: row.name, mentioned: row.mentioned, n: row.mention_rate.n }
      : own === 0
        ? []
        : { name: result.brand, mentioned: own, n: result.mention_rate.n },
  );
  const top = ranked.slice(0, MOST_NAMED);
  return result.rivals.length === 0 ? null : (
    <p class="prose">
      <a href={`#${NAMED}`}>{words.mostNamed}</a>{' '}
      {top.map(({ name, mentioned, n }, at) => (
        <>
          {at === 0 ? '' : ', '}
          <bdi>{name}</bdi> ({words.of(mentioned, n)})
        </>
      ))}
      {'. '}
      <bdi>{result.brand}</bdi> {words.ownPlace(place)}
    </p>
  );
};

/** The form of a comparison, with brand and market filled in. */
const ToComparison = ({ result: { brand, niche }, language }: PartProps) => (
  <p class="no-print">
    <a
      href={formatCapabilityLink('visibility_vs_competitor' satisfies CapabilityName, { brand, niche })}
      class="button quiet"
    >
      {visibilityWords[language].compareWith}
    </a>
  </p>
);

/** The form of the texts against these weak spots, filled in. */
const ToFixes = ({ result, language }: PartProps) => {
  const href = formatWeakSpotsPath(result);
  const words = reportWords[language].answerFixes;
  return href === undefined ? null : (
    <div class="next-step no-print">
      <p class="prose">{words.lead}</p>
      <p>
        <a href={href} class="button">
          {words.button}
        </a>
      </p>
    </div>
  );
};
