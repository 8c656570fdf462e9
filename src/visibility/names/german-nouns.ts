import { loadOtherSenses } from './common-words.ts';
import type { Near, Place } from './place.ts';
import { isAboutCompany } from './company-words.ts';

const MAX_SENTENCE_CHARS = 600;
const MAX_CLAUSE_CHARS = 140;
const GERMAN_WORDS =
  /(?<!\p{L})(?:der|die|das|dem|den|des|im|und|ist|ein|eine|einem|einen|mit|fur|nicht|du|ich|sie|es|man|auf|von|wird|sich)(?!\p{L})/u;

/** "ein Ring", "keinen guten Stern", "zwei Anker", "viel Zeit": what is counted is a thing. */
const COUNTED =
  /(?:^|[^\p{L}])(?:(?:k?ein(?:e[mnrs]?)?) (?:\p{L}{2,16}e[mnrs]? )?|(?:zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|viele?r?|einige|mehrere|wenige?|alle|beide|mehr|etwas|genug|jede[mnrs]?|welche[mnrs]?) )$/u;
/** "der Ring", "im Bild": of a thing, unless the sentence is about a company. Newspapers and the post have an article too. */
const DEFINITE =
  /(?:^|[^\p{L}])(?:der|die|das|den|dem|des|im|am|zum|zur|beim|vom|ins|ans|diese[mnrs]?) (?:\p{Ll}{2,16}e[mnrs]? )?$/u;
/** "Die Zeit erscheint", "zur Post": the subject that opens a sentence, or the post. */
const AS_BRAND = /^\P{L}*(?:der|die) \p{L}+$|(?:die|der|zur) post$/u;
/** Verbs of what a newspaper, a shop or a service does; and those that things have as well. */
const COMPANY_VERB =
  /^ (?:bietet|liefert|kostet|verkauft|schreibt|berichtet|nennt|verlangt|testet|verschickt|empfiehlt|listet|akzeptiert|vergleicht|titelt)(?!\p{L})/u;
const COMMON_VERB = /^ (?:ist|hat|baut|bringt|stellt|halt)(?!\p{L})/u;
const OF_PRESS =
  /(?<!\p{L})(?:\p{L}{0,12}abo|abos|test|tests|getestet|artikel|ausgabe|redaktion|zeitschrift|magazin|zeitung|lese|lesen|liest|laut|zufolge|bericht|vergleich|filialen?|pakete?|briefe?|porto|gutscheine?|newsletter|online)(?!\p{L})/u;
/** "Wunder darfst du von ihr nicht erwarten": the object of a sentence. */
const EXPECTED =
  /^ (?:darf|darfst|sollte|solltest|kann|kannst) (?:du|man|ihr|sie|ich|wir)(?!\p{L})[^.,;]{0,80}(?:nicht|kaum) (?:erwarten|verlangen|erhoffen)(?!\p{L})/u;
/** What may precede a company and not an ordinary noun without its article. */
const BEFORE_NAMES =
  /(?:^|[^\p{L}])(?:bei|von|mit|uber|marke|anbieter|hersteller|app|firma|handler|shop|magazin|zeitschrift|portal|gegenuber|wie|nimm|nehme|zu|statt|oder|und|als|via|per|laut|plattform|dienst|software|tool|lieber) "?$/u;

/**
 * Whether a German noun is the thing and not the brand of that name: counted, with an article where nothing speaks of a company,
 * or, when it is a substance ("Zeit sparen"), where nothing says that it is a name. A countable noun without an article is a name.
 */
export function isGermanNoun(
  { isHead, isBold, isTitle, text, end, from, to }: Place,
  near: Near,
  isVerb: (word: string) => boolean,
): boolean {
  const { word, wordExact, before, next, opens, after } = near;
  const { germanNouns, germanSubstances, withArticle } = loadOtherSenses();
  if (!germanNouns.has(word)) return false;
  const sentence = text.lower.slice(from, Math.min(to, from + MAX_SENTENCE_CHARS));
  if (!GERMAN_WORDS.test(sentence)) return false;
  const isShouted = !/\p{Ll}/u.test(wordExact);
  if (isShouted) return COUNTED.test(before);
  if (isHead || isBold || isTitle || /^["'“”]/u.test(after) || /^-\p{Ll}/u.test(after)) return false;
  if (COUNTED.test(before)) return true;
  const isSpokenOf = COMPANY_VERB.test(after) || OF_PRESS.test(sentence) || isAboutCompany(sentence);
  if (DEFINITE.test(before)) return !isSpokenOf && !(withArticle.has(word) && AS_BRAND.test(`${before}${word}`));
  if (opens && EXPECTED.test(text.lower.slice(end, end + MAX_CLAUSE_CHARS))) return true;
  if (!germanSubstances.has(word)) return false;
  return opens
    ? next !== '' && !isVerb(next) && !COMPANY_VERB.test(after) && !COMMON_VERB.test(after)
    : !BEFORE_NAMES.test(` ${before}`);
}

/** "Die Zeit reicht für beides": a name of an article and a noun that opens a sentence about neither a paper nor a company. */
export function isNounWithArticle({ isHead, isBold, isTitle, text, from, to }: Place, near: Near): boolean {
  const { word, after, opens, next } = near;
  const noun = /^(?:der|die|das) (\p{L}{3,20})$/u.exec(word)?.[1];
  if (noun === undefined || !opens || isHead || isBold || isTitle || next === '') return false;
  if (!loadOtherSenses().germanNouns.has(noun) || COMPANY_VERB.test(after) || COMMON_VERB.test(after)) return false;
  const sentence = text.lower.slice(from, Math.min(to, from + MAX_SENTENCE_CHARS));
  return !OF_PRESS.test(sentence) && !isAboutCompany(sentence);
}
