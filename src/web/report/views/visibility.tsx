import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { formatWeakSpotsPath } from '../again.ts';
import { AnswerSection, type AnswersAt } from '../answers/answers.tsx';
import { reportWords } from '../page-words.ts';
import { ReportSection } from '../parts/layout.tsx';
import type { Visibility } from '../parts/words.ts';
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
      <ReportSection title={words.atAGlance}>
        <Headline language={language} report={result} />
      </ReportSection>
      <WeakSpotsSection language={language} report={result}>
        {atHome ? <ToFixes result={result} language={language} /> : null}
      </WeakSpotsSection>
      <AnswerSection language={language} measurement={result} brands={[result.brand]} at={answers} />
      <Intents language={language} name={result.brand} report={result} />
      <Rivals language={language} name={result.brand} report={result} />
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
