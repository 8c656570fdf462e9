import { isAlwaysCapital } from './common-words.ts';
import { isCapital, isListed, type Near, type Place, createWordSet } from './place.ts';
import { wordsAfterBrands, wordsBeforeDays } from './ordinary-use-data.ts';

/**
 * Whether a word that always has a capital, such as Monday, is the day or month here and not the brand of that name. Beside
 * another name it is the brand ("Asana, Monday and ClickUp"); beside a day or words of a timetable it is not.
 */
export function isDay(place: Place, near: Near): boolean {
  const { wordExact, previous, next, nextExact, before, after, opens } = near;
  // "on monday CRM": a day has a capital.
  if (!isCapital(wordExact) && isCapital(nextExact) && !isAlwaysCapital(next)) return false;
  if (place.isAmongDays) return true;
  const isTimed = TIME_WORDS.test(before) || TIME_WORDS.test(after);
  if (!isTimed && isListed(near, isNoDay)) return false;
  if (WORDS_BEFORE_DAYS.has(previous) || isAlwaysCapital(next)) return true;
  if (/^(?:through|to|at|\d{1,4})$/u.test(next) || /^, ?(?:\d|\p{L}{3,6}day)/u.test(after)) return true;
  if (isTimed) return true;
  // "Monday, Apple announced ...".
  if (opens && /^, \p{L}/u.test(after)) return true;
  if (place.isHead || isCapital(nextExact) || CHOOSING.test(before)) return false;
  return !opens || (next !== '' && !WORDS_AFTER_BRANDS.has(next));
}

const WORDS_AFTER_BRANDS = createWordSet(wordsAfterBrands);
const WORDS_BEFORE_DAYS = createWordSet(wordsBeforeDays);

const isNoDay = (word: string): boolean => !isAlwaysCapital(word) && !isAlwaysCapital(word.replace(/s$/u, ''));

/** What timetables are made of. */
const TIME_WORDS =
  /(?<!\p{L})(?:cut-?off|deadline|delivery|deliveries|delivered|deliver|ship(?:s|ped|ping)?|morning|afternoon|evening|night|noon|midnight|o'clock|weekend|weekdays?|holidays?|closed|opening|hours|(?:tues|wednes|thurs|fri|satur|sun)days?|mondays|\d{1,2}(?::\d\d)? ?[ap]\.?m)(?!\p{L})/u;

/** Before what is chosen: no one recommends a day for a team. */
const CHOOSING =
  /(?<!\p{L})(?:recommend|recommended|recommends|use|uses|using|choose|pick|prefer|consider|suggest|love|like|try|via|than|unlike|versus|vs\.?|go with|switch to) $/u;
