import type { Child } from 'hono/jsx';
import type { PageLanguage } from '../../language/language.ts';
import type { ReportedBrand } from '../parts/words.ts';
import { Headline } from './headline.tsx';
import { Intents, WeakSpotsSection } from './intents.tsx';
import { NameReadingSection } from './measured.tsx';
import { RecommendedInstead, Rivals, Sources } from './rivals.tsx';

type Props = { language: PageLanguage; name: string; report: ReportedBrand; summary: Child };

/** Everything about one brand in the answers of one engine, folded away below `summary`. */
export const BrandFigures = ({ summary, ...given }: Props) => {
  const { language, report } = given;
  const part = { ...given, level: 3 } as const;
  return (
    <details class="brand-part">
      <summary>{summary}</summary>
      <Headline language={language} report={report} />
      <WeakSpotsSection {...part} />
      <Intents {...part} />
      <Rivals {...part} />
      <RecommendedInstead {...part} />
      <Sources {...part} />
      <NameReadingSection {...part} />
    </details>
  );
};
