import { AllChecks, Judged } from '../compare/both.tsx';
import { Categories, siteNames } from '../compare/categories.tsx';
import { Gaps } from '../compare/gaps.tsx';
import { Side } from '../parts/figures.tsx';
import { Code } from '../../design/parts.tsx';
import { Section } from '../parts/layout.tsx';
import { type Compared, counted } from '../parts/words.ts';

/** Two sites side by side: who wins each score, what decided it, and what to copy first. */
export const CompareView = ({ result }: { result: Compared }) => {
  const names = siteNames(result);
  return (
    <div class="compare">
      <p class="sides">
        <Side name={names.url} series={1} /> against <Side name={names.competitor} series={2} />
      </p>
      <p class="lead">{result.summary.text}</p>
      <Section title="Who wins">
        <Categories result={result} names={names} />
      </Section>
      <CopyFirst steps={result.copy_first} />
      <Section title="Every difference" id="gaps">
        <p class="prose">
          Checks that the two sites answer differently. The points are what your score gains by doing as well in that
          one check. What applies to one site only is no lead of the other and does not stand here.
        </p>
        <Gaps gaps={result.gaps} names={names} />
        <AllChecks result={result} names={names} />
      </Section>
      <Section title="By what they were judged">
        <Judged result={result} names={names} />
      </Section>
    </div>
  );
};

const CopyFirst = ({ steps }: { steps: Compared['copy_first'] }) => (
  <Section title="What to copy first">
    {steps.length === 0 ? (
      <p>There is no check in which the competitor does better and that counts.</p>
    ) : (
      <ol class="copy-steps">
        {steps.map(({ check_id: id, title, points, fix }) => (
          <li class="card">
            <p>
              <strong>{title}</strong> <span class="gain">+{counted(points, 'point')} over all scores</span>
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
  </Section>
);
