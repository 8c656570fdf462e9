import { loadOtherSenses } from './common-words.ts';
import { isAboutCompany } from './company-words.ts';
import { isArrival, isOtherName } from './other-names.ts';
import { isPerson } from './persons.ts';
import type { Near, Place } from './place.ts';

/**
 * Whether a name is that of a person, a place, a god or a greeting here, or a sum or count of things, whatever its capitals:
 * "Frau Mueller", "Zara, la profesora", "Une journée à Orange", "1 & 1 macht 2". Only where something beside it says so: what
 * could be either is the brand.
 */
export function isOtherSense(place: Place, near: Near): boolean {
  if (place.isBold && place.isHead) return false;
  return (
    isPerson(near) ||
    isOtherName(place, near) ||
    isArrival(near) ||
    isGreeting(near) ||
    isSum(near) ||
    isCounting(near) ||
    isPlaceName(place, near) ||
    isGod(place, near)
  );
}

/** "Oi! Tudo bem?", "Claro, sin problema", "Hey, how are you". */
const GREETINGS: ReadonlySet<string> = new Set(
  'oi hola ola ciao hey hi hello salut bonjour claro hallo hoi moin viva bravo vale bene bom bien'.split(' '),
);
const GREETED =
  /^(?: ?!| que|,? (?:gente|pessoal|tudo|a todos|a todas|sin problema|sem problema|tambien|tambem|pero|mas|hay|ha|existen|existem|tienes|puedes|pode|con gusto|com prazer|con mucho gusto|te (?:ayudo|explico|cuento|dejo|paso|puedo|recomiendo)|aqui (?:tienes|van?|esta)|vamos|posso|segue|vou|puedo|depende|que tal|como (?:vai|estas|esta)|how (?:are|is)|what's up|there|everyone|wie geht|comment|come (?:stai|va)|hoe gaat|here (?:is|are)|here's|i (?:can|would|am)|let me|happy to|voici|gern|ecco|sicuro)(?!\p{L}))/u;

const isGreeting = ({ word, opens, after, before }: Near): boolean =>
  GREETINGS.has(word) && opens && !/[:|]/u.test(before.slice(-3)) && GREETED.test(after);

/** "1 & 1 macht eben nicht immer 2", "1 + 1 = 2": the number ends the sum; "1&1 ist zwei Euro teurer" is the company. */
const SUM =
  /^ (?:=|macht|machen|ergibt|ist|sind|is|are|makes?|equals?|gives?|fait|font|egale|son|es|hacen|fa|fanno|e|sao|da|maakt)(?: (?:nicht|not|nie|eben|auch|immer|always|never|pas|toujours|no|siempre|non|sempre|nao|niet|altijd|gleich)){0,3} (?:\d{1,4}|zwei|two|deux|dos|due|dois|twee|drei|three|trois|tres|tre|drie)(?: ?[.,;:!?)]|$| (?:und|and|et|y|e|en|wenn|if|si|se|als|weil|because|aber|but)(?!\p{L}))/u;

const isSum = ({ word, after }: Near): boolean => /^\d{1,4} ?(?:&|\+|und) ?\d{1,4}$/u.test(word) && SUM.test(after);

/** "quesito 3", "Mazda 3", "3 minuti": a number that is a part of something, or counts. */
const NUMBERED =
  /(?<!\p{L})(?:chapter|step|question|part|page|level|version|phase|option|type|tip|number|no\.?|kapitel|schritt|frage|teil|seite|stufe|nummer|nr\.?|chapitre|etape|partie|niveau|numero|capitulo|paso|pregunta|parte|pagina|nivel|opcion|capitolo|passo|domanda|quesito|punto|livello|opzione|pergunta|etapa|hoofdstuk|stap|vraag|deel|optie) $/u;
const COUNTED =
  /^ (?:minut|hour|day|week|month|year|person|people|user|time|step|thing|option|item|stunde|tag|woche|monat|jahr|mal\b|schritt|dinge|personen|heure|jour|semaine|mois|an(?:s|nees)|fois|personne|etape|hora|dia|semana|mes|ano|vez|veces|vezes|persona|pessoa|paso|passo|opcion|opcao|or[ae]\b|giorn|settiman|mes[ei]\b|ann[oi]\b|volt[ae]|person[ae]|pass[oi]\b|opzion|uur|dag|weken|maand|jaar|keer|stap|opties|sterne|stars|etoiles|estrellas|stelle|estrelas|sterren|percent|prozent|gb|mb|tb|kg|km|cm|euro|dollar)\p{L}{0,4}(?!\p{L})/u;

const isCounting = ({ word, before, beforeExact, after }: Near): boolean =>
  /^\d{1,3}$/u.test(word) &&
  (NUMBERED.test(before) ||
    COUNTED.test(after) ||
    // "Mazda 3", not "nehmen Sie 3".
    /[\p{L}\d,] (?!(?:Sie|Ihnen|Ich|Usted|Lei|U) )\p{Lu}\p{Ll}{1,20} $/u.test(beforeExact));

/** Right before a name of a place: where something is. "bei" and "chez" precede companies, and "en" may. */
const LOCATIVE = /(?:^|[^\p{L}])(?:in|te|nach|near|cerca de|pres de|vicino a|perto de|around|outside|downtown) $/u;
/** "I trust in Columbia", "investiert in Boston". */
const BELIEVED =
  /(?<!\p{L})(?:faith|trust\p{L}{0,3}|invest\p{L}{0,6}|interest\p{L}{0,3}|confidence|believ\p{L}{1,3}|vertrauen|fiducia|vertrouwen|shares|aktien|stake) in $/u;
const CIVIC =
  /(?<!\p{L})(?:city|town|university|province|county|region|airport|station|island|beach|stadt|universitat|flughafen|bahnhof|insel|kreis|kanton|ville|universite|gare|ile|aeroport|plage|theatre|ciudad|universidad(?: \p{L}{3,14})?|provincia|municipio|estacion|aeropuerto|playa|isla|bahia|citta|comune|universita|stazione|aeroporto|isola|spiaggia|golfo|cidade|universidade|municipio|estacao|ilha|praia|stad|gemeente|universiteit|eiland|strand|haven) (?:of|de|di|do|da|d'|von|van) ?$/u;
const TRAVEL =
  /(?<!\p{L})(?:hotels?|flights?|vol(?:s|a|i|o|ano)?|vuelos?|voos?|vlucht(?:en)?|fluge?|reise|urlaub|trip|journey|viaje|viaggio|viagem|voyage|journee|beach(?:es)?|strande?|plages?|playas?|spiagg(?:ia|e)|praias?|theater|theatre|teatro|museum|musee|museo|museu|wind|aliseo|surf(?:en)?|kitesurf|stadt|ville|ciudad|citta|cidade|taller|ferry|traghetto|train station|bahnhof|gare|estacion|stazione|estacao|kathedrale|cathedrale|catedral|cattedrale|inhabitants|einwohner|habitants|habitantes|abitanti)(?!\p{L})/u;
/** "Columbia University". */
const CIVIC_AFTER =
  /^ (?:university(?! press)|airport|county|beach|hauptbahnhof|universitat|flughafen|universiteit|station)(?!\p{L})/u;
/** "Une journée à Orange", "flights to Malta", "le théâtre antique d'Orange". */
const TRAVEL_TO =
  /(?<!\p{L})(?:(?:theater|theatre|teatro|cathedrale|catedral|cattedrale|museum|musee|museo) \p{L}{3,14}|trains?|zuge?|tren|treno|trem|trein|fahrt|volo|voli|hotels?|flights?|vols?|vuelos?|voos?|vlucht(?:en)?|fluge?|reise|urlaub|trip|journey|viaje|viaggio|viagem|voyage|journee|week-?end|fin de semana|strande?|museum|musee|museo|theater|theatre|teatro|cathedrale|catedral|cattedrale|ferry|traghetto) (?:in|en|em|a|ad|da|de|di|to|from|van|naar|aus|von|nach|hacia|hasta|vers|pour|para|per|ate|d') ?$/u;

function isPlaceName({ text, from, to }: Place, { word, before, after, afterExact }: Near): boolean {
  if (!loadOtherSenses().places.has(word)) return false;
  if (CIVIC.test(before) || CIVIC_AFTER.test(after)) return true;
  const sentence = text.lower.slice(Math.max(from, 0), Math.min(to, from + MAX_SENTENCE_CHARS));
  if (isAboutCompany(sentence)) return false;
  if (TRAVEL_TO.test(before) || (LOCATIVE.test(before) && !BELIEVED.test(before))) return true;
  // "Sabadell, a diez minutos" says nothing; "Columbia, near Nashville" with its theatre does.
  const isPlaced =
    /(?:^|[^\p{L}])(?:en|em) $|^\P{L}{0,4}(?:a|ad|desde|hasta|from|von|van|ab|depuis) $/u.test(before) ||
    (/^, (?:en|in|a|em|te|near|cerca de|vicino a) $/u.test(after.slice(0, 14).replace(/\p{L}{1,12}$/u, '')) &&
      /^, [\p{Ll} ]{1,10} \p{Lu}/u.test(afterExact));
  return isPlaced && TRAVEL.test(sentence);
}

/** "the goddess Nike", "Gott Hermes"; "Saturn ist der zweitgrößte Planet". */
const DIVINE_BEFORE =
  /(?<!\p{L})(?:god|goddess|planet|gott|gottin|dieu|deesse|dios|diosa|dio|dea|deus|deusa|godin|planete|planeta|pianeta|planeet)(?:,| named| called| namens)? $/u;
const DIVINE_AFTER =
  /^,? (?:(?:is|was|ist|war|est|etait|es|era|e) )?(?:the|der|die|das|le|la|el|il|lo|o|de|het|l'|(?:an?|une?|una|ein|eine|um|uma|een) (?=\p{L}{0,8} ?(?:gre|gri|rom|planet|pianet)))(?: ?\p{L}{2,14}){0,2} ?(?:gods?|goddess|planet|gott|gottin|gotterbote|dieux?|deesse|dios|diosa|dio|dea|deus|deusa|godin|planete|planeta|pianeta|planeet)(?: (?:of|der|des|du|de|del|della|van)| gre| gri| rom|[.,;!?)]|$)/u;
const MYTH =
  /(?<!\p{L})(?:myth(?:s|ology|os|en|e|ologie|isch)?|mythes?|mitos?|mitologia|miti|gods?|goddess|gott|gottin|gotter|dieux?|deesse|dios(?:a|es)?|deus(?:a|es)?|goden|godin|zeus|apollon?|olymp(?:us|e|o)?|planets?|planeten?|planete|planeta|pianeta|planeet|homer|ilias|odyssee)(?!\p{L})/gu;
/** So many words of myths beside the name are a story. */
const MIN_MYTH_WORDS = 2;

function isGod({ text, start, end, from, to }: Place, { word, before, after }: Near): boolean {
  if (!loadOtherSenses().gods.has(word)) return false;
  const high = Math.min(to, from + MAX_SENTENCE_CHARS);
  const around = `${text.lower.slice(from, start)} ${text.lower.slice(end, Math.max(end, high))}`;
  if (isAboutCompany(around)) return false;
  if (DIVINE_BEFORE.test(before) || DIVINE_AFTER.test(after)) return true;
  return (around.match(MYTH)?.length ?? 0) >= MIN_MYTH_WORDS;
}

const MAX_SENTENCE_CHARS = 600;

/** A verb that handles a thing: "床のラインをそろえる". No one handles a company so. */
const HANDLED =
  /^を(?:[\p{Script=Han}\p{Script=Katakana}]{1,4}に|まっすぐ|きれいに|少し)?(?:そろえ|揃え|引|ひ[いく]|描|整え|出[しす]|見せ|置|作|消|塗|合わせ|切|押|締|開け|閉め|飾|並べ|付け|つけ|外|貼|拭|洗)/u;

/** A Japanese word in katakana is a thing where a noun or adjective precedes it and a verb handles it. */
export const isKanaWord = ({ isHead, isBold }: Place, { word, before, after }: Near): boolean =>
  loadOtherSenses().kana.has(word) &&
  !(isHead || isBold) &&
  /(?:[のなたるい]|\p{Script=Han})$/u.test(before) &&
  HANDLED.test(after);
