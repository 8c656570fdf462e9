import { Code } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, markEnglish, type PageLanguage } from '../../language/language.ts';
import { AllChecks, JudgedBy } from '../compare/both.tsx';
import { Categories, getSiteNames } from '../compare/categories.tsx';
import { compareWords } from '../compare/compare-words.ts';
import { getCompareSummary } from '../compare/explained.ts';
import { Gaps } from '../compare/gaps.tsx';
import { ReportSection, SeriesSide } from '../parts/layout.tsx';
import type { Compared } from '../parts/words.ts';

type Props = { result: Compared; language?: PageLanguage | undefined };

/** Two sites side by side: who wins each score, what decided it, and what to copy first. */
export const CompareView = ({ result, language = DEFAULT_LANGUAGE }: Props) => {
  const words = compareWords[language];
  const names = getSiteNames(result, language);
  return (
    <div class="compare">
      <p class="sides">
        <SeriesSide name={names.url} series={1} /> {words.against} <SeriesSide name={names.competitor} series={2} />
      </p>
      <p class="lead">{getCompareSummary(result, names, language)}</p>
      <ReportSection title={words.headings.wins}>
        <Categories result={result} names={names} language={language} />
      </ReportSection>
      <CopyFirst steps={result.copy_first} language={language} />
      <ReportSection title={words.headings.differences} id="gaps">
        <p class="prose">{words.differences}</p>
        <Gaps gaps={result.gaps} names={names} language={language} />
        <AllChecks result={result} names={names} language={language} />
      </ReportSection>
      <ReportSection title={words.headings.judged}>
        <JudgedBy result={result} names={names} language={language} />
      </ReportSection>
    </div>
  );
};

const CopyFirst = ({ steps, language }: { steps: Compared['copy_first']; language: PageLanguage }) => {
  const words = compareWords[language];
  return (
    <ReportSection title={words.headings.copyFirst}>
      {steps.length === 0 ? (
        <p>{words.nothingToCopy}</p>
      ) : (
        <ol class="copy-steps">
          {steps.map(({ check_id: id, title, points, fix }) => (
            <li class="card">
              <p>
                <strong>{title}</strong> <span class="gain">+{words.points(points)}</span>
              </p>
              <div class="advice">
                <Code text={fix} label={words.copyFix} textLanguage={markEnglish(language)} />
              </div>
              <p class="small">
                {words.check} <code>{id}</code>
              </p>
            </li>
          ))}
        </ol>
      )}
    </ReportSection>
  );
};
