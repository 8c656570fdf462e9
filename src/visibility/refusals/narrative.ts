import type { PromptLanguage } from '../prompts/prompt-set.ts';
import type { AnswerPart } from './parts.ts';
import { hasModel } from './substance.ts';

/** Words of a first sentence from which on it is no mere answer to "which". */
const MIN_OPENING_WORDS = 6;
const MIN_OPENING_SIGNS = 15;
/** Sentences of a text that may be of something else: longer texts are about what was asked. */
const MAX_WORLD_PARTS = 12;

/**
 * Speaker, reader, and conditions or choices: advice has one of them in nearly every sentence, a text about the
 * world has none. The closed words of each language, and endings that only address the reader.
 */
const PERSONAL: Readonly<Record<PromptLanguage, RegExp>> = {
  en: / (?:i|me|my|we|us|our|you|your|yours|if|or|either|neither|instead|unless|should|would|better|best) /u,
  de: / (?:ich|mir|mich|meine?[mnrs]?|wir|uns|unser\p{L}{0,2}|du|dir|dich|deine?[mnrs]?|euch|euer|eure\p{L}?|ihnen|wer|wenn|falls|oder|sonst|lieber|besser|beste[mnrs]?|sollten?) /u,
  fr: / (?:je|j|me|m|moi|mon|ma|mes|nous|nos|notre|vous|votre|vos|tu|te|toi|ton|ta|tes|si|ou|sinon|plutot|mieux|meilleure?s?|\p{L}{2,20}ez) /u,
  es: / (?:yo|me|mi|mis|nos|nosotros|tu|te|ti|tus|usted|ustedes|os|si|o|mejor|mejores) /u,
  pt: / (?:eu|me|mim|meus?|minhas?|nos|voce|voces|te|teu|tua|lhe|caso|ou|melhor|melhores|vale) /u,
  it: / (?:io|mi|me|mio|mia|noi|ti|te|tu|tuo|tua|voi|vostr[oaie]|vi|se|o|oppure|meglio|migliore|migliori|\p{L}{3,20}(?:atel[oaie]|ate|etel[oaie])) /u,
  nl: / (?:ik|me|mij|mijn|wij|we|ons|onze|je|jij|jou|jouw|u|uw|als|of|anders|liever|beter|beste) /u,
  ja: /なら|たら|れば|ほうが|方が|ください|ましょう|でしょう|思い|思う|おすすめ|お勧め|私|あなた|よい|良い|いいで|いい。|十分|向い|向き|べき|たい/u,
};

/** How a text speaks of what is past: auxiliaries and regular endings of the simple past, in small letters. */
const PAST: Readonly<Record<PromptLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:was|were|had|became|began|won|led|wrote|took|built|born|died)(?!\p{L})/gu,
  de: /(?<!\p{L})(?:wurden?|war|waren|hatten?|galt|\p{L}{3,16}ierten?|gewann|starb|entstand|begann|schrieb|leitete|lebte)(?!\p{L})/gu,
  fr: /(?<!\p{L})(?:fut|furent|était|étaient|avait|avaient|naquit|(?:a|ont) (?!les? |la |un )(?:été|\p{L}{2,14}(?:é|i|u)e?s?))(?!\p{L})/gu,
  es: /(?<!\p{L})(?:fue|fueron|era|eran|había|habían|\p{L}{2,14}(?:ó|aron|ieron))(?!\p{L})/gu,
  pt: /(?<!\p{L})(?:foi|foram|era|eram|havia|\p{L}{3,14}(?:aram|eram|iram|ou|eceu|eu-se)|nasceu|morreu|venceu|escreveu)(?!\p{L})/gu,
  it: /(?<!\p{L})(?:fu|furono|era|erano|aveva|avevano|nacque|vinse|scrisse|divenne|venne|\p{L}{2,14}(?:ò|arono|irono|erono))(?!\p{L})/gu,
  nl: /(?<!\p{L})(?:werd|werden|was|waren|had|hadden|won|begon|schreef|stierf|ontstond|bouwde|leidde|\p{L}{3,14}eerden?)(?!\p{L})/gu,
  ja: /(?:ました|でした|だった|[れしっい]た)(?=[。、])/gu,
};

/** A year, and no price, measure or number of a model. */
const YEAR =
  /(?<![\p{N}\p{L}.,€$£¥-]|[€$£¥]\s)\b1\d{3}\b(?!\s?[\p{N}€$£¥%.,-]\d|\s?(?:€|\$|£|¥|%|円|[kcm]?[gmlwv]\b|euro|usd|dol|watt|rpm|mm\b|mah))/iu;

/** "in the 19th century", "no século XIX". */
const CENTURY =
  /\b(?:\d{1,2}(?:st|nd|rd|th) centur|\d{1,2}\. jahrhundert|[ivx]{1,5}e si[eè]cle|siglo [ivx]{1,5}\b|s[eé]culo [ivx]{1,5}\b|(?:[ivx]{1,5} )?secolo|\d{1,2}e eeuw)|世紀/iu;

/** A firm that is offered has a founding; what is to be seen has a history. */
const FOUNDED =
  /found(?:ed|ing)|establish|opened|gegründet|eröffnet|fond(?:ée?|ata|ato|ata|ado|ada)|ouvert en|fundad|abri[uó]\b|apert[oa]|gesticht|opgericht|opende|heropen|創業|創立|設立|開館|開店/iu;
const IS_SEEN =
  /visit|besuch|besicht|führung|\btours?\b|museum|mus[ée]e|museo|museu|musei|galer|castle|château|schloss|\bburg|castillo|castelo|castello|kasteel|church|kirche|église|iglesia|chiesa|kerk|winer|distiller|brewer|brauerei|weingut|bodega|domaine|vinícola|cantina|birrific|theat|théât|teatr|musical|opera|hotel|hôtel|albergo|restaur|\bvoir\b|\bver en\b|vedere|history|geschichte|histoire|historia|storia|geschiedenis|美術館|博物館|寺|神社|酒蔵|城|観光|歴史|ホテル|旅館/iu;

/**
 * Whether a text speaks of the world and to no one: neither speaker nor reader nor a condition or choice, nothing with a price
 * or a model's number, and it begins with a sentence of its own, where an answer may name what was asked for.
 */
export function isImpersonal(parts: readonly AnswerPart[], language: PromptLanguage): boolean {
  const [first] = parts;
  if (first === undefined || parts.length > MAX_WORLD_PARTS) return false;
  if (parts.some((part) => part.isEntry || part.isQuestion || isPersonal(part, language) || hasModel(part)))
    return false;
  if (language !== 'ja') return first.wordCount >= MIN_OPENING_WORDS && !hasPoliteAddress(parts, language);
  return first.text.length >= MIN_OPENING_SIGNS && !/[A-Za-zＡ-Ｚ]/u.test(parts.map(({ text }) => text).join(''));
}

const isPersonal = ({ text, words }: AnswerPart, language: PromptLanguage): boolean =>
  PERSONAL[language].test(language === 'ja' ? text.normalize('NFKC') : words);

const hasPoliteAddress = (parts: readonly AnswerPart[], language: PromptLanguage): boolean =>
  language === 'de' && parts.some(({ text }) => /\s(?:Sie|Ihr|Ihre[mnrs]?)\b/u.test(text));

/** Whether a text is about what once was: a verb of the past beside a year or a century, but no founding. */
export const isNarrative = (text: string, language: PromptLanguage): boolean => {
  if (FOUNDED.test(text)) return false;
  const verbs = text.toLowerCase().match(PAST[language])?.length ?? 0;
  return verbs > 0 && (YEAR.test(text) || CENTURY.test(text));
};

/** Whether a market is one of things to be seen, whose history may be the answer. */
export const isForSeeing = (asked: string): boolean => IS_SEEN.test(asked);

const ARTICLES: Readonly<Record<PromptLanguage, RegExp>> = {
  en: /^ the /u,
  de: /^ (?:der|die|das) /u,
  fr: /^ (?:le|la|les|l) /u,
  es: /^ (?:el|la|los|las) /u,
  pt: /^ (?:o|a|os|as) /u,
  it: /^ (?:il|lo|la|i|gli|le|l) /u,
  nl: /^ (?:de|het) /u,
  ja: /^(?!)/u,
};

/** Whether a text begins with what it speaks of: advice without a name begins with a verb. */
export const isOpenedByArticle = (parts: readonly AnswerPart[], language: PromptLanguage): boolean =>
  ARTICLES[language].test(parts[0]?.words ?? '');
