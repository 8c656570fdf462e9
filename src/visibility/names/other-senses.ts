import { loadOtherSenses } from './common-words.ts';
import type { Near, Place } from './place.ts';

/**
 * Whether a name is that of a person, a place, a god or a greeting here, or a sum or count of things, whatever its capitals:
 * "Frau Mueller", "Zara, la profesora", "Une journée à Orange", "1 & 1 macht 2".
 */
export function isOtherSense(place: Place, near: Near): boolean {
  if (place.isBold && place.isHead) return false;
  return isPerson(near) || isGreeting(near) || isSum(near) || isPlaceName(place, near) || isGod(place, near);
}

/** The word before, with or without its full stop: "Dr." */
function getWordBefore(before: string): string {
  const bare = before.trimEnd().replace(/\.$/u, '');
  return bare.slice(bare.lastIndexOf(' ') + 1).replace(/^[^\p{L}]{1,4}/u, '');
}

/** Surnames that a first name makes a brand all the same. */
const BRANDS_WITH_FIRST_NAMES = /(?:hugo|jack|ralph|calvin|tommy|paul|albert|john|mary|karl|yves|marc|michael|tom) $/u;

/** "作家サミュエル・ジョンソン", "本田美奈子さん"; a company may have "さん" straight behind it. */
const JAPANESE_PROFESSION =
  /(?:作家|歌手|俳優|女優|詩人|画家|監督|首相|大統領|将軍|武将|選手|作曲家|小説家|タレント|教授|博士|声優|哲学者|科学者|発明家)の?(?:[\p{Script=Katakana}ー]{2,12}・)?$/u;
const JAPANESE_PERSON = /^\p{Script=Han}{1,3}(?:さん|氏|選手|監督|先生|社長|容疑者|様|くん|ちゃん)/u;

const IS_UNSPACED = /[\u3040-\u9FFF]/u;

function isPerson({ before, beforeExact, after, word }: Near): boolean {
  if (
    (IS_UNSPACED.test(before.slice(-1)) && JAPANESE_PROFESSION.test(before)) ||
    (/\p{Script=Han}$/u.test(word) && JAPANESE_PERSON.test(after))
  )
    return true;
  if (/[^\p{L}'’-]/u.test(word)) return false;
  const { titles, firstNames, personNouns } = loadOtherSenses();
  const previous = before.endsWith(' ') ? getWordBefore(before.slice(-24)) : '';
  if (titles.has(previous)) return true;
  const isFirstName = firstNames.has(previous) && /\p{Lu}\p{Ll}{1,20} $/u.test(beforeExact.slice(-24));
  if (isFirstName && !BRANDS_WITH_FIRST_NAMES.test(before)) return true;
  if (!after.startsWith(', ')) return false;
  const [, first = '', second = ''] = APPOSITION.exec(after) ?? [];
  return personNouns.has(first) || personNouns.has(second);
}

/** An article and one or two words behind a comma: "Zara, la profesora". */
const APPOSITION =
  /^, (?:(?:the|our|my|le|la|mon|ma|notre|el|mi|nuestr[oa]|il|lo|un[ae]?|o|a|meu|minha|der|die|mein|meine|unser|unsere|de|mijn|onze|een) |l')(\p{L}{2,16})(?: (\p{L}{2,16}))?/u;

/** "Oi! Tudo bem?", "Claro, sin problema". */
const GREETINGS = new Set([
  'oi',
  'hola',
  'ola',
  'ciao',
  'hey',
  'hi',
  'hello',
  'salut',
  'bonjour',
  'claro',
  'hallo',
  'hoi',
  'moin',
  'viva',
  'bravo',
  'vale',
  'bene',
  'bom',
  'bien',
]);

const isGreeting = ({ word, opens, after, before, afterExact }: Near): boolean =>
  GREETINGS.has(word) &&
  !/^, \p{Lu}/u.test(afterExact) &&
  opens &&
  !/[:|]/u.test(before.slice(-3)) &&
  /^(?:[!,.]| (?:que|gente|pessoal|tudo|a todos|a todas)(?!\p{L}))/u.test(after);

/** "1 & 1 macht 2", "1 + 1 = 2". */
const isSum = ({ word, before, after }: Near): boolean =>
  (/^\d{1,3}$/u.test(word) &&
    (/(?<!\p{L})(?!(?:di|da|con|de|bei|von|mit|per|the|il|la|der|die|das|chez|by|with|and|und|or|oder|e|y|et|o)(?!\p{L}))\p{L}{2,20} $/u.test(
      before,
    ) ||
      /^ (?!(?:is|has|ist|hat|ha|offre|und|and|e|o|or|oder|bietet|costa|kostet)(?!\p{L}))\p{Ll}{3,}/u.test(after))) ||
  (/^\d{1,4} ?(?:&|\+|und) ?\d{1,4}$/u.test(word) &&
    /^ (?:=|macht|machen|ergibt|ist|sind|is|are|makes?|equals?|gives?|fait|font|égale|son|es|hacen|fa|fanno|é|são|dá|maakt) (?:\p{L}{1,8} ){0,2}(?:\d|zwei|two|deux|dos|due|dois|twee|drei|three|nicht|kein)/u.test(
      after,
    ));

/** Right before a name of a place: where something is. "bei" and "chez" precede companies. */
const LOCATIVE =
  /(?:^|[^\p{L}])(?:in|en|a|a|em|te|nach|near|cerca de|pres de|vicino a|perto de|around|outside|downtown) $/u;
const FROM_TO = /(?:^|[^\p{L}])(?:a|ad|da|de|di|to|from|van|naar|aus|von|per|hacia|hasta|vers|para|ate|d') ?$/u;
const CIVIC =
  /(?<!\p{L})(?:city|town|university|province|county|region|airport|station|island|beach|stadt|universitat|flughafen|bahnhof|insel|kreis|kanton|ville|universite|gare|ile|aeroport|plage|theatre|ciudad|universidad(?: \p{L}{3,14})?|provincia|municipio|estacion|aeropuerto|playa|isla|bahia|citta|comune|universita|stazione|aeroporto|isola|spiaggia|golfo|cidade|universidade|municipio|estacao|ilha|praia|stad|gemeente|universiteit|eiland|strand|haven) (?:of|de|di|do|da|d'|von|van) ?$/u;
const TRAVEL =
  /(?<!\p{L})(?:hotels?|flights?|vol(?:s|a|i|o|ano)?|vuelos?|voos?|vlucht(?:en)?|fluge?|reise|urlaub|trip|journey|viaje|viaggio|viagem|voyage|journee|beach(?:es)?|strande?|plages?|playas?|spiagg(?:ia|e)|praias?|theater|theatre|theatre|teatro|museum|musee|museo|museu|wind|aliseo|surf(?:en)?|kitesurf|stadt|ville|ciudad|citta|cidade|taller|ferry|traghetto|train station|bahnhof|gare|estacion|stazione|estacao|kathedrale|cathedrale|catedral|cattedrale|inhabitants|einwohner|habitants|habitantes|abitanti)(?!\p{L})/u;
/** Who speaks of a company in the same breath. */
const COMPANY =
  /(?<!\p{L})(?:movil|mobil|mobile|internet|telefon\p{L}{0,6}|opera(?:dor|dora|teur|tore)|compania|compr(?:ar|a|e|o|as)|acheter|commander|kaufen|bestellen|pedir|buy|order|shop|online|contrat(?:ar|a)|banco|banca|bank|banque|tarif(?:e|as|fe|fs)?|konto|cuenta|compte|conto|conta|app|abo|forfait|fibra|fibre|hosting|router|tarjeta|carte|carta|cartao|kunden|clientes|customers|account|plan|hipoteca|prestamo)(?!\p{L})/u;

function isPlaceName({ text, from, to }: Place, { word, before, after, opens }: Near): boolean {
  if (!loadOtherSenses().places.has(word)) return false;
  if (CIVIC.test(before)) return true;
  const sentence = text.lower.slice(Math.max(from, 0), Math.min(to, from + MAX_SENTENCE_CHARS));
  if (COMPANY.test(sentence)) return false;
  if (LOCATIVE.test(` ${before}`) && !/(?:^|[^\p{L}])a $/u.test(` ${before}`)) return true;
  if (/^, (?:en|in|à|em|te|a|near|cerca|vicino) /u.test(after)) return true;
  const isReached = FROM_TO.test(` ${before}`) || LOCATIVE.test(` ${before}`);
  return isReached && (TRAVEL.test(sentence) || /^(?:a|ad) $/u.test(before.trimStart())) && !opens;
}

const MYTH =
  /(?<!\p{L})(?:myth(?:s|ology|os|en|e|ologie|isch)?|mythes?|mitos?|mitologia|mitologia|mito|miti|mythe|gods?|goddess|gott|gottin|gotter|dieux?|deesse|dios(?:a|es)?|dea|dei|deus(?:a|es)?|goden|godin|zeus|apollon?|olymp(?:us|e|o)?|legend|legende|leyenda|leggenda|lenda|sage|planets?|planete|planeta|pianeta|planeet|homer|ilias|odyssee)(?!\p{L})/u;

function isGod({ text, from, to }: Place, { word }: Near): boolean {
  return loadOtherSenses().gods.has(word) && MYTH.test(text.lower.slice(from, Math.min(to, from + MAX_SENTENCE_CHARS)));
}

const MAX_SENTENCE_CHARS = 600;

/** Words of German prose that precede a company and not an ordinary noun without its article. */
const BEFORE_GERMAN_NAMES =
  /(?:^|[^\p{L}])(?:bei|von|mit|uber|marke|anbieter|hersteller|app|firma|handler|shop|magazin|zeitschrift|portal|gegenuber|wie|nimm|zu|statt|oder|und|als|via|per|plattform|dienst|software|tool) "?$/u;
const GERMAN_WORDS =
  /(?<!\p{L})(?:der|die|das|und|ist|ein|eine|einem|einen|mit|fur|nicht|du|ich|sie|auf|von)(?!\p{L})/u;

/** A German noun is a name only where something says so: its place, its neighbours, quotes, or a verb of companies. */
export function isGermanNoun(
  { isHead, isBold, isTitle, text, from, to }: Place,
  near: Near,
  isVerb: (word: string) => boolean,
): boolean {
  const { word, wordExact, before, next, opens, after } = near;
  if (
    !loadOtherSenses().germanNouns.has(word) ||
    !GERMAN_WORDS.test(text.lower.slice(from, Math.min(to, from + MAX_SENTENCE_CHARS)))
  )
    return false;
  const isShouted = !/\p{Ll}/u.test(wordExact);
  if (isShouted) return /(?:\p{L}{2,12}(?:en|e|er|es|em|eine?|der|die|das)) $/u.test(before);
  if (isHead || isBold || isTitle || /^["'“”]/u.test(after) || /^-\p{Ll}/u.test(after)) return false;
  if (opens) return next !== '' && !isVerb(next);
  return !BEFORE_GERMAN_NAMES.test(` ${before}`);
}

/** A Japanese word in katakana is a thing where a noun or adjective precedes it or a verb takes it: "床のラインをそろえる". */
export const isKanaWord = ({ isHead, isBold }: Place, { word, before, after }: Near): boolean =>
  loadOtherSenses().kana.has(word) &&
  !(isHead || isBold) &&
  /(?:[のなたるい]|\p{Script=Han})$/u.test(before) &&
  !/^(?:[」』・、]|公式|株式会社|アプリ|で送|の(?:アプリ|公式|トーク))/u.test(after);
