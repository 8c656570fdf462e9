import { computeWilson, isOverlapping } from '../../../visibility/metrics/statistics.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import type { ReportedBrand } from '../parts/words.ts';
import { visibilityWords } from './visibility-words.ts';

/**
 * What the answers of one kind of question show of the rival that is ahead in them, to be read behind its name. Where the
 * intervals of the two rates have a value in common, that is no lead: five answers hardly ever show one.
 */
export function describeLead(
  { intents }: ReportedBrand,
  topic: string,
  language: PageLanguage = DEFAULT_LANGUAGE,
): string {
  const words = visibilityWords[language];
  const { mention_rate: own = null, top_rival: top = null } = intents.find(({ label }) => label === topic) ?? {};
  const rival = own === null || top === null ? undefined : computeWilson(top.mentioned, own.n);
  if (own === null || rival === undefined) return words.ahead(undefined, false);
  return words.ahead(own.n, !isOverlapping(own, rival));
}
