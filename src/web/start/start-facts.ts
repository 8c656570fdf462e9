import { accuracy } from '../../audit/core/accuracy-data.ts';
import { checks } from '../../audit/core/catalogue.ts';
import { catalog, findCapability } from '../../capabilities/catalog.ts';
import { scoreNames } from '../../audit/core/check.ts';
import { summaryWords } from '../audit/summary-words.ts';
import { formatDollars, formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { computePriceRange } from './offers.ts';

/** The experiment whose figures the page quotes. */
export const CITED_EXPERIMENT = 'https://arxiv.org/abs/2311.09735';

/** The largest of the corpora whose pages were judged. */
export const CORPUS = 'https://github.com/adbar/trafilatura';

/** Figures of the start page, written in its language. */
export type StartFacts = {
  baseUrl: string;
  /** The lowest and the highest price of the catalogue. */
  from: string;
  to: string;
  capabilities: string;
  checks: string;
  accuracy: { pages: string; verdicts: string; wrong: readonly { title: string; share: string }[] };
  /** What it costs to measure a brand. */
  brandPrice: string;
};

/** The figures come from the tables that the service itself goes by. */
export function buildStartFacts(baseUrl: string, language: PageLanguage): StartFacts {
  const { from, to } = computePriceRange();
  const write = (count: number): string => formatWholeNumber(count, language);
  const share = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    baseUrl,
    from: formatDollars(from, language),
    to: formatDollars(to, language),
    capabilities: write(catalog.length),
    checks: write(checks.length),
    accuracy: {
      pages: write(accuracy.pages.labelled),
      verdicts: write(accuracy.pages.verdicts),
      wrong: scoreNames.flatMap((name) => {
        const measured = accuracy.scores[name];
        if (measured === undefined) return [];
        return [{ title: summaryWords[language].scoreNames[name], share: `${share.format(100 * measured.wrong)} %` }];
      }),
    },
    brandPrice: formatDollars(findCapability('visibility_check')?.priceMicroUsdc ?? 0, language),
  };
}
