import type * as z from 'zod';
import type { checksResult } from '../../../capabilities/results.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { CrawlerAccess } from '../health/crawlers.tsx';
import { FactsSection } from '../health/facts.tsx';
import { ChecksView } from './audit.tsx';

type Props = { result: z.infer<typeof checksResult>; language?: PageLanguage | undefined };

/** The checks of one cheap capability, with what they read in words: who reaches the page, and the facts. */
export const FactsOfChecks = ({ result, language = DEFAULT_LANGUAGE }: Props) => (
  <ChecksView result={result} language={language} facts={<FactsSection language={language} facts={result.facts} />}>
    <CrawlerAccess language={language} facts={result.facts} requests={result.requests} />
  </ChecksView>
);
