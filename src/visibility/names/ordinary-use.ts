import { isAlwaysCapital, isCommonWord } from './common-words.ts';
import {
  isAlone,
  isCapital,
  isListed,
  MAX_NEAR_CHARS,
  type Near,
  readNeighbours,
  type Place,
  createWordSet,
  type Use,
} from './place.ts';
import { isGermanNoun, isNounWithArticle } from './german-nouns.ts';
import { isKanaWord } from './other-senses.ts';
import {
  adjectives,
  adverbs,
  brandCompounds,
  brandPrefixes,
  compoundNouns,
  labelWords,
  peopleNouns,
  pronouns,
  symbolNouns,
  verbs,
  wordsAfterBrands,
  wordsAfterWords,
  wordsBeforeDays,
} from './words/ordinary-use-data.ts';

/**
 * Whether a common word, though its capitals are those of the name, is used as the word here: it opens an imperative
 * ("Target the ..."), is part of a compound ("Ring size"), is in capitals like the words around it, or is a day of the
 * week. What is all of a heading or of the front of an entry is the name; a day beside other days is not.
 */
export function isOrdinaryUse(place: Place, use: Use): boolean {
  const near = readNeighbours(place);
  if (near.word.endsWith("'s") || isContraction(near)) return isContraction(near);
  if (isOtherCompound(near) || isCompound(near)) return true;
  if (isKanaWord(place, near) || isGermanNoun(place, near, isBrandVerb)) return true;
  if (near.opens && (use.smallUse === 'thing' || (use.smallUse === 'word' && ASKED.test(near.after)))) return true;
  if (isAlwaysCapital(near.word)) return isDay(place, near);
  // "Hotels" heads lists of hotels: without the ending of the domain only a row of names makes it one.
  if (use.isStem && near.word.endsWith('s')) return !isListed(near, isNoWord);
  const isFiller = ADVERBS.has(near.word) || PRONOUNS.has(near.word);
  if (!place.isColumnHead && (place.isHead || (place.isBold && !isFiller))) return false;
  const isTitled = place.isTitle && isTitleCase(place);
  if (isFiller && near.opens && !isTitled && (isListed(near, () => true) || isOwner(near))) return false;
  if (LABEL_WORDS.has(near.word) && near.opens && (place.isColumnHead || /^: {0,2}[\p{Ll}\d]/u.test(near.afterExact)))
    return true;
  if (isShouted(place, near)) return true;
  if (isInCapitals(place)) return !isAlone(near) && !BRAND_NOUNS.has(near.previous);
  if (near.opens && PRONOUNS.has(near.word)) return !isCapital(near.nextExact) && !isAlone(near);
  if (near.opens && ADVERBS.has(near.word)) return isAdverb(near, use);
  if (isTitled) return isWordOfTitle(near);
  return near.opens && isOrdinaryOpening(near, use);
}

/**
 * The same for a name of several common words that is written apart with a name's capitals: only capitals all around, an
 * article in a title ("The Best Buy for Families"), or a grade that heads another name ("Best Buy: LG C3") show a phrase.
 */
export function isOrdinaryPhrase(place: Place): boolean {
  const near = readNeighbours(place);
  if (isNounWithArticle(place, near)) return true;
  if (GRADE.test(near.word) && near.opens && isLabelOfName(place, near)) return true;
  if (isInCapitals(place)) return !isAlone(near);
  return place.isTitle && isTitleCase(place) && isWordOfTitle(near);
}

/** Whether a name of three letters or fewer is a symbol, a unit or a part of a model's name here: "O2 sensor", "$3M", "iPhone X". */
export function isSymbolUse(place: Place): boolean {
  const near = readNeighbours(place);
  if (SYMBOL_NOUNS.has(near.next) || /[$€£]$/u.test(near.before)) return true;
  if (/^\d/u.test(near.word)) return isQuantity(near);
  if (UNITS.has(near.word) && /^\d/u.test(near.previous)) return true;
  if (near.word.length > 1) return isOtherCompound(near);
  return (
    isOtherCompound(near) || /(?:\p{Lu}\p{L}{0,20}|\d) $/u.test(near.beforeExact) || /^ ?[=+*/^]/u.test(near.after)
  );
}

const WORDS_AFTER_BRANDS = createWordSet(wordsAfterBrands);
const ADVERBS = createWordSet(adverbs);
const PRONOUNS = createWordSet(pronouns);
const COMPOUND_NOUNS = createWordSet(compoundNouns);
const LABEL_WORDS = createWordSet(labelWords);
const SYMBOL_NOUNS = createWordSet(symbolNouns);
const PEOPLE_NOUNS = createWordSet(peopleNouns);
const ADJECTIVES = createWordSet(adjectives);
const VERBS = createWordSet(verbs);
const WORDS_AFTER_WORDS = createWordSet(wordsAfterWords);
const BRAND_COMPOUNDS = createWordSet(brandCompounds);
const BRAND_PREFIXES = createWordSet(brandPrefixes);
const UNITS = createWordSet('hp kw mb gb tb kg cm mm km oz lb ft ml mi ps am pm ev v w a m l g k');
const ARTICLES = createWordSet(
  'a an the your our their its my his her each every this that any some no right clear new',
);

const isBrandVerb = (word: string): boolean => WORDS_AFTER_BRANDS.has(word);

const isContraction = ({ after }: Near): boolean => /^'(?:t|re|ve|ll|m|d)(?!\p{L})/u.test(after);

/** Dutch writes what belongs to a name small: "de Exact-koppeling". */
const DUTCH = /(?:^|[^\p{L}])(?:de|het|een|van|met|voor|en|is|naar|bij)(?!\p{L})/u;

/** "Ring-shaped", "Pro-Max" and "X-ray" are other words; "Apple-branded" and "non-Apple" name Apple. */
function isOtherCompound({ before, after, afterExact, opens, wordExact }: Near): boolean {
  const suffix = /^-(\p{L}{1,20})/u.exec(afterExact)?.[1];
  // German writes "Apple-Gerät": a compound with a noun names the brand.
  const isDutch = !opens && isCapital(wordExact) && /^\p{Ll}{5,20}$/u.test(suffix ?? '') && DUTCH.test(before + after);
  if (suffix !== undefined && !isCapital(suffix) && !BRAND_COMPOUNDS.has(suffix)) return !isDutch;
  const prefix = /([\p{L}\p{N}]{1,20})-$/u.exec(before.slice(-22))?.[1];
  return prefix !== undefined && !BRAND_PREFIXES.has(prefix);
}

/** No small letter in a sentence of several words: capitals say nothing. */
function isInCapitals({ text, from, to, start, end }: Place): boolean {
  if (/\p{Ll}/u.test(text.exact.slice(start, end))) return false;
  const around = `${text.exact.slice(Math.max(from, start - MAX_NEAR_CHARS), start)} ${text.exact.slice(end, Math.min(to, end + MAX_NEAR_CHARS))}`;
  return /\p{Lu}{2}/u.test(around) && !/\p{Ll}/u.test(around);
}

/** "Gamma: waarom je foto's te donker zijn": a title that asks about a thing. */
const ASKED = /^: (?:why|how|what|waarom|hoe|wat|warum|wie|was|pourquoi|comment|por que|como|perche|come)(?!\p{L})/u;

/** "HOW TO SET A SAVINGS TARGET": among capitals behind an article. */
const AMONG_CAPITALS =
  /(?:\p{Lu}{2,20} (?:AN?|UN|UM|O)|(?:^| )(?:AN?|UN|EIN|EINE|EINEM|EINEN|UNE|UNA|UMA|EEN) \p{Lu}{2,20}|(?:^| )(?:EIN|EINE|EINEM|EINEN|UNE|UNA|UMA|EEN)) $/u;
/** "Eine rote LINSE ist": one of a kind, with capitals for emphasis. */
const ONE_OF_A_KIND = /(?:^| )(?:an?|eine?|einen|einem|une?|una|uma?|een) \p{Ll}{3,16} $/u;
const SINGLE = /(?:^| )(?:an?|eine?|einen|einem|une?|una|uma?|een) $/u;
const AFTER_THING = /^(?:[.,;:!?)]|$| (?:is|was|has|ist|hat|war|est|es|e|heeft|ha|tiene|tem)(?!\p{L}))/u;

/** "A SAVINGS TARGET", and then "a TARGET bar": capitals for emphasis. A brand may have capitals and an article: "a ZOOM call". */
function isShouted({ text }: Place, { wordExact, beforeExact, nextExact, after }: Near): boolean {
  if (!/^\p{Lu}{4,}$/u.test(wordExact)) return false;
  if (AMONG_CAPITALS.test(beforeExact.slice(-MAX_NEAR_CHARS))) return !/^\p{Lu}{2}/u.test(nextExact);
  if (ONE_OF_A_KIND.test(beforeExact.toLowerCase()) && AFTER_THING.test(after)) return true;
  if (!SINGLE.test(beforeExact) || !/^\p{Ll}/u.test(nextExact)) return false;
  const at = text.exact.indexOf(wordExact);
  return AMONG_CAPITALS.test(text.exact.slice(Math.max(0, at - MAX_NEAR_CHARS), at));
}

/** What people put before the name of a company: "cartão Continente". */
const BRAND_NOUNS = createWordSet(
  'app card bank shop store brand cartao tarjeta carta carte karte loja tienda negozio magasin winkel banco banca banque marca marque merk marke kaart aplicativo aplicacion application anbieter chez bei',
);

/** Most words of the sentence have a capital. */
function isTitleCase({ text, from, to, start, end }: Place): boolean {
  const line = `${text.exact.slice(from, start)} ${text.exact.slice(end, to)}`.slice(0, MAX_TITLE_CHARS);
  const words = line.match(/\p{L}{4,40}/gu) ?? [];
  return words.length > 0 && words.every(isCapital);
}
const MAX_TITLE_CHARS = 200;

/** "Set a Target", "Find the Right Ring": an article before and nothing behind it that would be the brand's. */
const isWordOfTitle = ({ previous, nextExact }: Near): boolean =>
  ARTICLES.has(previous) && (nextExact === '' || !isCapital(nextExact));

/** "Away from home", "Later, ...": no verb and no capital behind it. */
const isAdverb = (near: Near, { isSure }: Use): boolean =>
  !isCapital(near.nextExact) &&
  !WORDS_AFTER_BRANDS.has(near.next) &&
  !isAlone(near) &&
  !(isSure && IS_SUBJECT.test(near.after));

/**
 * After an opening common word an article, a pronoun, a preposition or an adjective shows the word ("Target the right ones").
 * A noun shows it only where the word could be a verb or an adjective and no verb makes the two a subject ("Chase payments").
 */
function isOrdinaryOpening({ word, after, afterExact, next, nextExact }: Near, { isStem, isSure }: Use): boolean {
  if (next === '' || isCapital(nextExact)) return false;
  if (WORD_GOES_ON.test(after)) return true;
  if (CONTRASTED.test(after) || SELLS_THEM.test(after)) return false;
  if (IS_A_THING.test(after)) return true;
  // A product that is called so: "Discover it Cash Back".
  if (/^ it {1,2}\p{Lu}/u.test(afterExact)) return false;
  if (/^\d/u.test(next)) return /^ {1,3}\d[\d.,%]{0,8} \p{Ll}/u.test(after);
  if (WORDS_AFTER_BRANDS.has(next) || next === 'for') return false;
  if (isStem || WORDS_AFTER_WORDS.has(next) || WORDS_AFTER_WORDS.has(word)) return true;
  return (VERBS.has(word) || ADJECTIVES.has(word)) && !isSure && !IS_SUBJECT.test(after);
}

/**
 * What no name has right behind it as the first word of a sentence: an article, a gerund, the time. "Lego i pomodori", "Vivo
 * dizendo isso", "Exact om negen uur".
 */
const WORD_GOES_ON =
  /^ (?:i \p{L}|\p{Ll}{2,12}[aei]ndo(?:[ ,.]|$)|(?:om|um|at|a las|alle|as) (?:\d|een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|ein|zwei|drei|sieben|neun|zehn|one|two|three|four|five|six|seven|eight|nine|ten|noon|midnight|middernacht|mitternacht))/u;

/** "Orange en revanche": who is set against another. */
export const CONTRASTED =
  /^ (?:en revanche|par contre|quant a|de son cote|pour sa part|en effet|sin embargo|en cambio|por su parte|por otro lado|en particular|invece|d'altra parte|al contrario|dal canto suo|por outro lado|por sua vez|em contrapartida|dagegen|hingegen|wiederum|jedoch|daarentegen|echter|on the other hand|by contrast|meanwhile|however)(?!\p{L})/u;

/** "Zara los vende": behind a pronoun is a verb, behind the article a plural: "Claro los días". */
export const SELLS_THEM = /^ (?:los|las|os|as|les) \p{Ll}{1,14}[^s\P{L}](?!\p{L})/u;

/** Whether the word goes on as no name does, whatever word it is. */
export const isVerbOfSentence = ({ opens, after, word }: Near): boolean =>
  opens && !/[^\p{L}]/u.test(word) && /^ i \p{Ll}{3}/u.test(after);

/** "Chase checking has", "Ring doorbells are": one to three words and a verb of theirs. */
const IS_SUBJECT =
  /^ (?:(?!(?:that|which|who|to|and|or|until|for|so|if|when|because|before|with|where) )[\p{L}\p{N}'-]{2,20} ){1,3}(?:is|are|was|were|has|have|had|isn't|aren't|can|will|would|do|does|don't|doesn't|comes?|costs?|starts?|offers?|works?|lasts?|holds?|reports?|say|like|love|gets?|needs?|want|pays?|earns?|lets?|includes?|charges?|runs?|sells?|makes?|looks?|feels?|tend|remains?|supports?|gives?|fails?|stands?)(?!\p{L})/u;

/** "Ring size" whatever the word; "target users" only where the word could be an adjective or a label. */
const isCompound = ({ word, next }: Near): boolean =>
  COMPOUND_NOUNS.has(next) || (PEOPLE_NOUNS.has(next) && (LABEL_WORDS.has(word) || ADJECTIVES.has(word)));

/** "Away's warranty"; "something's" is no owner. */
const isOwner = ({ word, after }: Near): boolean =>
  /^'s \p{L}/u.test(after) && (word === 'next' || !PRONOUNS.has(word));

/** "Best Buy", "Top Pick": grades that reviews give. */
const GRADE = /^(?:best|top)(?: |-)/u;

/** A label whose text, or the block below it, begins with the name that earns it: "LG C3", "The LG C3 offers ...". */
function isLabelOfName({ following }: Place, { afterExact }: Near): boolean {
  if (!/^[^\p{L}\p{N}]{0,20}(?::|–|—|-|$)/u.test(afterExact)) return false;
  const [first = '', second = ''] = following
    .replace(/^[^\p{L}\p{N}]{0,20}(?:(?:The|the|Our) )?/u, '')
    .split(/[ ,.:;]/u, 2);
  return isCapital(first) && (!isCommonWord(first) || /\d/u.test(second) || (isCapital(second) && second !== ''));
}

const isNoWord = (word: string): boolean => !isCommonWord(word);

/** "Purple is a calm colour", "Apple is a fruit". */
const IS_A_THING =
  /^ (?:is|are|was) (?:(?:an?|the|my|her|his|also|not) )?(?:\p{L}{1,16} ){0,2}(?:colou?rs?|fruits?|vegetables?|animals?|birds?|metals?|words?|nouns?|verbs?|planets?|months?|seasons?|spices?|stones?)(?!\p{L})/u;

/** "more than 3M users", "3M downloads": a count. */
function isQuantity({ previous, nextExact }: Near): boolean {
  if (/^(?:than|over|about|around|nearly|almost|of|to|raised|some|roughly|the first)$/u.test(previous)) return true;
  return /^\p{Ll}{2,30}s$/u.test(nextExact) && !WORDS_AFTER_BRANDS.has(nextExact);
}

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

const WORDS_BEFORE_DAYS = createWordSet(wordsBeforeDays);

const isNoDay = (word: string): boolean => !isAlwaysCapital(word) && !isAlwaysCapital(word.replace(/s$/u, ''));

/** What timetables are made of. */
const TIME_WORDS =
  /(?<!\p{L})(?:cut-?off|deadline|delivery|deliveries|delivered|deliver|ship(?:s|ped|ping)?|morning|afternoon|evening|night|noon|midnight|o'clock|weekend|weekdays?|holidays?|closed|opening|hours|(?:tues|wednes|thurs|fri|satur|sun)days?|mondays|\d{1,2}(?::\d\d)? ?[ap]\.?m)(?!\p{L})/u;

/** Before what is chosen: no one recommends a day for a team. */
const CHOOSING =
  /(?<!\p{L})(?:recommend|recommended|recommends|use|uses|using|choose|pick|prefer|consider|suggest|love|like|try|via|than|unlike|versus|vs\.?|go with|switch to) $/u;
