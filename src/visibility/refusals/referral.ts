import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { cueStems, hasAnyStem, mapLanguages } from './cue-stems.ts';
import { isDeclining, isOpposing, readWords } from './cues.ts';
import { hasBareName, hasPlacedName } from './known-words.ts';
import type { AnswerPart } from './parts.ts';
import { hasUnknownCapital } from './plain-words.ts';
import { referralStems } from './referral-words-data.ts';
import { hasModel, hasSubstance } from './substance.ts';
import type { TalkReading } from './talk.ts';

/** Parts of a refusal that sends the reader elsewhere. */
const MAX_REFERRAL_PARTS = 8;
/** Share of the words in parts that neither decline nor send the reader anywhere. */
const MAX_BESIDE_REFERRAL = 0.34;
const MIN_INNER_CHARS = 5;

const referral = mapLanguages((language) =>
  referralStems[language].split(',').map((stem) => {
    const isInner = language === 'ja' || ((language === 'de' || language === 'nl') && stem.length >= MIN_INNER_CHARS);
    return isInner ? stem : ` ${stem}`;
  }),
);

/** Markets in which those who help are what is asked for. */
const FOR_HELP =
  / (?:help|advice|counsel|support|hilf|hilft|hilfe|beratung|aide|ecoute|ayuda|apoyo|ajuda|apoio|aiut|hulp|helpt)|相談|支援/u;

/**
 * A denied verb of the speaker's behind what is denied ("dazu rate ich nicht"), or in front, where it needs no pronoun ("não
 * indico ..."). Who has, sees or uses nothing may yet recommend.
 */
const DENIED_FIRST: Readonly<Partial<Record<PromptLanguage, RegExp>>> = {
  de: / (?!habe |hatte |weiss |kenne |sehe |nutze |brauche )(?:\p{L}{3,14}e|darf|will) ich (?:(?:dir|ihnen|euch|hier|leider|daher) ){0,3}(?:nicht|kein\p{L}{0,2}) /u,
  nl: / (?!heb |had |weet |ken |zie |gebruik |ben )\p{L}{2,14} ik (?:(?:je|u|hier|helaas|liever|me) ){0,3}(?:niet|geen) /u,
  es: /^ no (?:(?:me|te|le|les|lo|la|los|las|os|se) ){0,2}(?!todo |solo |mucho |tanto |cuando |tengo |puedo |uso |veo |he )\p{L}{2,14}o /u,
  pt: /^ nao (?:(?:me|te|lhe|lhes|o|a|se) ){0,2}(?!todo |so |muito |tanto |quando |tenho |posso |uso |vejo )\p{L}{2,14}o /u,
  it: /^ non (?:(?:mi|ti|le|vi|lo|la|ne|ci|si) ){0,2}(?!solo |molto |tanto |tutto |quando |ho |ne ho |posso |uso |vedo |possiedo )\p{L}{2,14}o /u,
};

/** Who knows none may yet say how to find one, which is advice. */
const KNOWS: Readonly<Record<PromptLanguage, RegExp>> = {
  en: / (?:know|familiar|aware|heard) /u,
  de: / (?:kenne|bekannt) /u,
  fr: / (?:connais|connaissance|sais) /u,
  es: / (?:conozco|no se (?:de|que|cual|quien)|consta) /u,
  pt: / (?:conheco|sei) /u,
  it: / (?:conosco|so) /u,
  nl: / (?:ken|bekend|weet) /u,
  ja: /知り|知ら|存じ|把握/u,
};

/** What goes on after all: "that said, ..." */
const GOES_ON =
  / (?:(?:that|having) said|even so|nevertheless|nonetheless|though|trotzdem|dennoch|allerdings|immerhin|jedoch|dafur|cela (?:etant|dit)|ceci dit|toutefois|neanmoins|en revanche|dicho (?:esto|eso)|aun asi|sin embargo|no obstante|dito isto|dito isso|ainda assim|no entanto|contudo|todavia|detto (?:questo|cio)|cio detto|tuttavia|comunque|desondanks|desalniettemin|dat gezegd|wel) |ただ(?:し|、)|とはいえ|しかし|一方で/u;

/**
 * Whether the speaker declines first, in a sentence without a name, and every name that follows is in a sentence that sends
 * the reader to someone else: a body, a register, an adviser. Names there are no options. "But" makes an answer of it.
 */
export function isReferral(parts: readonly AnswerPart[], reading: TalkReading): boolean {
  const { language } = reading;
  if (FOR_HELP.test(reading.asked)) return false;
  if (parts.length < 2 || parts.length > MAX_REFERRAL_PARTS || parts.some(hasModel)) return false;
  const first = parts.findIndex((part) => isDeclined(part, reading));
  if (first === -1 || parts.slice(0, first + 1).some((part) => isNaming(part, reading))) return false;
  const after = parts.slice(first + 1);
  const isOpposed = (part: AnswerPart): boolean => isOpposing(part.words) && !isDeclined(part, reading);
  if (after.some((part) => isOpposed(part) || GOES_ON.test(readWords(part, language)))) return false;
  const sizeOf = (part: AnswerPart): number => (language === 'ja' ? part.text.length : part.wordCount);
  const isSending = (part: AnswerPart): boolean =>
    referral[language].some((stem) => readWords(part, language).includes(stem));
  const beside = after.filter((part) => !isSending(part) && !isDeclined(part, reading));
  if (
    beside.length === after.length ||
    parts.some(({ text }) => TITLED.test(text)) ||
    beside.some((part) => isNaming(part, reading))
  )
    return false;
  const sum = (some: readonly AnswerPart[]): number => some.reduce((all, part) => all + sizeOf(part), 0);
  return sum(beside) + sum(parts.slice(0, first)) <= sum(parts) * MAX_BESIDE_REFERRAL;
}

/** Who does not pick a single one names several. */
const NOT_ONE =
  / (?:just one|only one|(?:a|one) single|kein(?:e|en)? einzeln(?:e|en|es)|(?:un|une) seule?|(?:uno|una) sol[oa]|sol[oa] un[oa]?|so um[a]?|apenas um[a]?|niet een|(?:een|één) enkel[e]?) |一つだけ|ひとつだけ|一つに/u;

/** Only the speaker is humble, so no word for "I" is needed. */
const HUMBLE = /おりません|いたしません|致しません|かねます|できません|控え(?:て|させ)/u;

const isDeclined = (part: AnswerPart, { language }: TalkReading): boolean => {
  const text = readWords(part, language);
  if (part.isEntry || KNOWS[language].test(text) || NOT_ONE.test(text)) return false;
  if (DENIED_FIRST[language]?.test(text) === true) return true;
  if (language === 'ja' && HUMBLE.test(text) && hasAnyStem(cueStems.ja.act, text)) return true;
  return isDeclining(part, text, language);
};

/** People who are named with a title are options. */
const TITLED = /(?:^|\s)(?:M(?:r|s|rs)|Drs?|Dra|Prof|Dott|Me|Maître|docteur|doctor|doctora|Herr|Frau)\.?\s\p{Lu}/u;

function isNaming(part: AnswerPart, { asked, language }: TalkReading): boolean {
  if (hasSubstance(part, asked, language)) return true;
  if (language === 'de') return hasPlacedName(part, asked) || hasBareName(part, asked);
  return hasUnknownCapital(part, asked, language);
}
