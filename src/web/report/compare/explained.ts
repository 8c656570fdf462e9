import { checks } from '../../../audit/core/catalogue.ts';
import { getCheckTitle } from '../../language/check-titles.ts';
import type { PageLanguage } from '../../language/language.ts';
import type { Compared } from '../parts/words.ts';
import type { SiteNames } from './compare-words.ts';
import { compareSentences } from './sentences-words.ts';

type Category = Compared['categories'][number];
type Gap = Compared['gaps'][number];

/** Coverages further apart than this make two scores hard to compare. */
const FAR_COVERAGE = 0.25;

/** Who is ahead, in the language of the page: in English as the result says it. */
export function getCompareSummary(result: Compared, names: SiteNames, language: PageLanguage): string {
  if (language === 'en') return result.summary.text;
  const count = (winner: Category['winner']): number =>
    result.categories.filter((one) => one.applies === undefined && one.winner === winner).length;
  const won = { url: count('url'), competitor: count('competitor'), tie: count('tie') };
  return compareSentences[language].summary(
    won,
    names,
    result.copy_first.map(({ title }) => title),
  );
}

/** Why a score has its winner, in the language of the page: in English as the result says it. */
export function explainCategory(
  { sites }: Compared,
  category: Category,
  names: SiteNames,
  language: PageLanguage,
): string {
  if (language === 'en') return category.why;
  const { winner, scores, coverage, difference, applies } = category;
  const countGates = (side: 'url' | 'competitor'): number => sites[side].scores[category.category]?.gates.length ?? 0;
  const loser = winner === 'url' ? 'competitor' : 'url';
  return compareSentences[language].why(
    {
      winner,
      points: scores.url,
      difference,
      applies,
      decisive: category.decided_by.map((id) => getCheckTitle(id, language, ourTitles.get(id) ?? id)),
      isCapped: winner !== 'tie' && countGates(loser) > countGates(winner),
      isUneven: Math.abs(coverage.url - coverage.competitor) > FAR_COVERAGE,
    },
    names,
  );
}

const ourTitles: ReadonlyMap<string, string> = new Map(checks.map(({ id, title }) => [id, title]));

/** A difference by its title: what to do where the site is behind, else what holds. */
export const getGapTitle = ({ id, title, ahead, url }: Gap, language: PageLanguage): string =>
  getCheckTitle(id, language, title, ahead === 'competitor' ? url.status : undefined);
