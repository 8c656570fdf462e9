import type { Visibility } from '../parts/words.ts';
import { Headline } from '../visibility/headline.tsx';
import { Intents, WeakSpotsSection } from '../visibility/intents.tsx';
import { Cautions, Measured, NameReadingSection } from '../visibility/measured.tsx';
import { RecommendedInstead, Rivals, Sources } from '../visibility/rivals.tsx';
import { ReportSection } from '../parts/layout.tsx';

/** How often an answer engine names and recommends one brand, and whom else it names. */
export const VisibilityView = ({ result }: { result: Visibility }) => (
  <div class="visibility">
    <Cautions {...result} />
    <p class="lead">
      What an AI assistant says about{' '}
      <strong>
        <bdi>{result.brand}</bdi>
      </strong>{' '}
      when people ask it for <bdi>{result.niche}</bdi> without naming any brand: {result.prompts.total} prompts,{' '}
      {result.prompts.valid} answers.
    </p>
    <ReportSection title="At a glance">
      <Headline report={result} />
    </ReportSection>
    <WeakSpotsSection report={result} />
    <Intents name={result.brand} report={result} />
    <Rivals name={result.brand} report={result} />
    <RecommendedInstead name={result.brand} report={result} />
    <Sources report={result} />
    <NameReadingSection report={result} />
    <Measured measurement={result} counts={result} />
  </div>
);
