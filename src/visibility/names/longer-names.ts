import { toOriginalIndex } from './folded-text.ts';
import { loadOtherSenses } from './common-words.ts';
import type { Near, Place } from './place.ts';

/**
 * Whether the letters of a name are a part of a longer one that is not of the brand here: a partnership ("Whitfield & Carter
 * LLP"), a practice that has the name of who runs it ("Clínica Joan Barceló"), a person behind what the person is ("la guida
 * alpina Paolo Ferrino"), a title with its article ("La Rana Golosa"), a part of a town. A longer name begins with the brand
 * where it is a product of it: only what precedes the name, or parts it from an equal one, makes it another's.
 */
export const isPartOfLonger = (place: Place, near: Near): boolean =>
  !/[^\p{L}'’ -]/u.test(near.word) &&
  (isPartner(place, near) ||
    isPractice(near) ||
    isPersonBehindNoun(near) ||
    isTitleWithArticle(place, near) ||
    isDistrict(near));

const AND_BEFORE = /\p{Lu}[\p{L}'-]{1,24} (?:&|et|y|e|und|and|en) $/u;
const AND_BEHIND = /^ (?:&|et|y|e|und|and|en) \p{Lu}\p{L}{1,24}/u;
/** What partnerships of people end in. */
const OF_PARTNERS =
  /^(?: (?:&|et|y|e|und|and|en) \p{Lu}\p{L}{1,24})?,? (?:LLP|LLC|PLLC|P\.?C\.|PartG|Partners?|Associates|Associes|Associati|Associados|Asociados|Rechtsanwalte|Anwalte|Notare|Steuerberater|Notaires|Avocats|Abogados|Advogados|Avvocati|Notai|Advocaten|Notarissen|Sons|Sohne|Fils|Hijos|Figli|Filhos|Zonen)(?!\p{L})/u;

/** An entry is one option: "A & B" in it is one name. */
function isPartner({ isTitle }: Place, { beforeExact, afterExact }: Near): boolean {
  if (OF_PARTNERS.test(afterExact) && (AND_BEFORE.test(beforeExact) || AND_BEHIND.test(afterExact))) return true;
  return (
    isTitle &&
    (/(?:^|[^\p{L}])\p{Lu}\p{Ll}{1,24} & $/u.test(beforeExact) ||
      (/^ & \p{Lu}\p{Ll}/u.test(afterExact) && isLast(afterExact)))
  );
}

/** Nothing but the other name is left of the title. */
const isLast = (afterExact: string): boolean =>
  /^ & \p{Lu}\p{L}{1,24}(?: \p{Lu}\p{L}{1,10})?(?:$| ?[:–—|(,.]| - )/u.test(afterExact);

/** Liberal professions and their rooms, with a capital as the first word of a name. */
const PRACTICE =
  /(?<!\p{L})(?:Clinica|Clinique|Klinik|(?:\p{L}{2,8}arzt)?[Pp]raxis|Zahnarzt(?:in)?|Arzt(?:in)?|(?:Rechtsanwalts|Anwalts)?[Kk]anzlei|Notariat|Notar(?:in)?|Etude|Cabinet|Notaria|Notaire|Despacho|Bufete|Gestoria|Asesoria|Escritorio|Consultorio|Studio|Advocatenkantoor|Notariskantoor|Notariaat|Tandarts(?:praktijk)?|Huisarts(?:enpraktijk)?|Fysiotherapie|Maitre|Me|Avv\.?|Avvocato|Abogad[oa]|Advogad[oa]|Dott\.?|Dr(?:es)?\.?|Dra\.?|Law Offices? of|Attorney) (?:\p{Lu}[\p{L}'.-]{0,20} ){0,2}$/u;

const isPractice = ({ beforeExact, afterExact, wordExact }: Near): boolean => {
  const practice = PRACTICE.exec(beforeExact)?.[0];
  if (practice === undefined || !/^\p{Lu}/u.test(wordExact)) return false;
  // "Dr. Oetker", "Studio Ghibli": with a given name between or a partner behind it is someone's.
  return (
    /^\P{L}*\p{L}+\.? \p{Lu}/u.test(practice.trim()) ||
    AND_BEHIND.test(afterExact) ||
    !/^(?:Dr|Studio|Me)/u.test(practice)
  );
};

/** An article, what someone is, and a given name: brands and makers have no given name behind their kind. */
const BEHIND_NOUN =
  /(?<!\p{L})(?:il|la|lo|l'|una?|el|le|un|une|o|a|um|uma|de|het|een|the|an?|der|die|den|dem|ein|eine|einer|einem|dell'|del|della|da|do|du|van|von|vom|zur|zum|by)[ ]?(?:[\p{Ll}-]{3,20} ){0,2}(?:\p{L}{4,24}) (\p{Lu}\p{Ll}{1,14}) $/u;
const KINDS_OF_BRANDS =
  /(?<!\p{L})(?:brand|marke|marca|marque|merk|maker|company|firma|empresa|azienda|entreprise|bedrijf|hersteller|anbieter|fabrikant|label|shop|store|tienda|negozio|magasin|loja|winkel|boutique|backerei|boulangerie|hotel|kette|chain|catena|cadena|rede|keten|app)(?!\p{L})/u;

function isPersonBehindNoun({ before, beforeExact, afterExact, wordExact }: Near): boolean {
  const given = BEHIND_NOUN.exec(beforeExact)?.[1];
  if (given === undefined || !/^\p{Lu}\p{Ll}/u.test(wordExact) || /^ (?:\p{Lu}|\d)/u.test(afterExact)) return false;
  return loadOtherSenses().firstNames.has(given.toLowerCase()) && !KINDS_OF_BRANDS.test(before);
}

const ARTICLES_OF_TITLES = /(?:^|[^\p{L}])(?:La|Le|Les|El|Los|Las|Il|Lo|Gli|I|O|Os|As|The|De|Het|Der|Die|Das|L') ?$/u;

/** A title that begins with an article and goes on behind the name with a capital and no number: it is a name of its own. */
function isTitleWithArticle({ isTitle, text, start }: Place, { beforeExact, afterExact, wordExact }: Near): boolean {
  if (!isTitle || !ARTICLES_OF_TITLES.test(beforeExact) || !/^\p{Lu}/u.test(wordExact)) return false;
  if (/\p{L}/u.test(beforeExact.replace(ARTICLES_OF_TITLES, ''))) return false;
  // A title has small letters behind it only in German, where nouns have capitals: "Die Bosch Professional".
  return toOriginalIndex(text, start) < MAX_TITLE_START && /^ \p{Lu}\p{Ll}{2,20}(?! ?\d| \p{Lu})/u.test(afterExact);
}
const MAX_TITLE_START = 20;

/** "no bairro de Vista Alegre", "im Stadtteil Linden": what precedes a place only. */
const DISTRICT =
  /(?<!\p{L})(?:(?:bairro|barrio|quartier|quartiere|freguesia|vila|aldeia|vilarejo|village|villaggio|pueblo|municipio|municipality|concelho|commune|comune|comunidad|localidad|localite|neighbou?rhood|suburb|town|city|cidade|ciudad|ville|citta|provincia|province|county|valle|vallee|valley|lago|lac|lake|ria|praia|playa|plage|spiaggia|strand|serra|sierra|isla|ilha|ile|isola|island|dorp|wijk|gemeente|stad) (?:of|de|di|do|da|dos|d'|del|della|von|van|du|des)|stadtteil|stadtviertel|ortsteil|gemeinde|landkreis|wijk|stadsdeel|dorp|gemeente) ?$/u;
/** Portuguese puts an article before companies, and none before towns: "em Porto Seguro", "no Nubank". */
const IN_TOWN = /(?<!\p{L})em $/u;
const PORTUGUESE = /(?<!\p{L})(?:nao|mais|uma|um|com|dos|das|muito|fora|ao|no|na|do|da|os|as)(?!\p{L})/u;

const isDistrict = ({ before, after, afterExact, wordExact }: Near): boolean =>
  /^\p{Lu}/u.test(wordExact) &&
  !/^ \d/u.test(afterExact) &&
  (DISTRICT.test(before) ||
    (IN_TOWN.test(before) && /^(?:[,.;:!?)]|$| \p{Ll})/u.test(afterExact) && PORTUGUESE.test(after)));
