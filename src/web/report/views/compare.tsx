import { AllChecks, JudgedBy } from '../compare/both.tsx';
import { Categories, getSiteNames } from '../compare/categories.tsx';
import { Gaps } from '../compare/gaps.tsx';
import { SeriesSide, ReportSection } from '../parts/layout.tsx';
import { Code } from '../../design/parts.tsx';
import { type Compared, formatQuantity } from '../parts/words.ts';

/** Two sites side by side: who wins each score, what decided it, and what to copy first. */
export const CompareView = ({ result }: { result: Compared }) => {
  const names = getSiteNames(result);
  return (
    <div class="compare">
      <p class="sides">
        <SeriesSide name={names.url} series={1} /> against <SeriesSide name={names.competitor} series={2} />
      </p>
      <p class="lead">{result.summary.text}</p>
      <ReportSection title="Who wins">
        <Categories result={result} names={names} />
      </ReportSection>
      <CopyFirst steps={result.copy_first} />
      <ReportSection title="Every difference" id="gaps">
        <p class="prose">
          Checks that the two sites answer differently. The points are what your score gains by doing as well in that
          one check. A check that applies to one site only is no lead for the other and is not listed.
        </p>
        <Gaps gaps={result.gaps} names={names} />
        <AllChecks result={result} names={names} />
      </ReportSection>
      <ReportSection title="By what they were judged">
        <JudgedBy result={result} names={names} />
      </ReportSection>
    </div>
  );
};

const CopyFirst = ({ steps }: { steps: Compared['copy_first'] }) => (
  <ReportSection title="What to copy first">
    {steps.length === 0 ? (
      <p>There is no check in which the competitor does better and that counts.</p>
    ) : (
      <ol class="copy-steps">
        {steps.map(({ check_id: id, title, points, fix }) => (
          <li class="card">
            <p>
              <strong>{title}</strong> <span class="gain">+{formatQuantity(points, 'point')}</span>
            </p>
            <div class="advice">
              <Code text={fix} label="Copy the fix" />
            </div>
            <p class="small">
              Check <code>{id}</code>
            </p>
          </li>
        ))}
      </ol>
    )}
  </ReportSection>
);
