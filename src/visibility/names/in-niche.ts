import { isCommonWord } from './common-words.ts';
import { foldText } from './folded-text.ts';
import { findFreeHits, isOrdinaryWords, createMatcher } from './matcher.ts';
import { isSymbolUse } from './ordinary-use.ts';
import { findSentence } from './sentences.ts';

/**
 * Whether a text such as a niche or a prompt names a brand. Stricter than the matching of answers, since a refusal costs the
 * caller nothing and a branded run its price: every place with a capital counts, and small letters count unless the name is
 * a common word ("apple juice") that nothing in the text makes a brand ("templates for notion").
 */
export function hasName(text: string, name: string): boolean {
  const folded = foldText(text);
  const matcher = createMatcher(name, [], []);
  const isOfBrands = ABOUT_BRANDS.test(folded.lower);
  const isNamed = findFreeHits(folded, matcher).some((hit) => {
    const { start, end } = hit;
    const literal = folded.exact.slice(start, end);
    if (hit.isDomain || /\p{Lu}/u.test(literal)) return true;
    const { from, to } = findSentence(folded, start, end);
    if (matcher.isShort && !matcher.isCommon)
      return literal.length > 1 && !isSymbolUse({ ...BARE, text: folded, start, end, from, to });
    return isOfBrands || !isOrdinaryWords(matcher, hit);
  });
  return isNamed || isNamedWithoutSign(folded.lower, name);
}

const BARE = {
  isTitle: false,
  isColumnHead: false,
  isHead: false,
  isBold: false,
  isAmongDays: false,
  following: '',
  isCased: false,
  isUsedSmall: () => false,
};

/** What people look for beside a brand. */
const ABOUT_BRANDS =
  /(?<!\p{L})(?:alternatives?|vs\.?|versus|templates?|plug-?ins?|add-?ons?|bots?|integrations?|extensions?|gift cards?|competitors?|consultants?|resellers?|subscriptions?|alternativen|alternativas?)(?!\p{L})/u;

/** "att phone plans": a name with an "&" is typed without it. */
function isNamedWithoutSign(lower: string, name: string): boolean {
  const folded = foldText(name).lower.trim();
  if (!/^[\p{L}\p{N}]{1,20} ?& ?[\p{L}\p{N}]{1,20}$/u.test(folded)) return false;
  const joined = folded.replaceAll(/[ &]/gu, '');
  return !isCommonWord(joined) && lower.split(/[^\p{L}\p{N}]/u).includes(joined);
}
