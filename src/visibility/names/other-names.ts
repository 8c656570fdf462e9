import { isCommonWord, loadOtherSenses } from './common-words.ts';
import { isAboutCompany } from './company-words.ts';
import type { Near, Place } from './place.ts';

/**
 * Whether the letters of a name are part of another one here, or what formulas, tables and counts are written with: an
 * association ("Allianz Deutscher Tierheilpraktiker e. V."), another company ("三井住友銀行"), oxygen ("saturación de O2"), a
 * cell of a table, a date ("8月31日"). Only where something beside it says so.
 */
export const isOtherName = (place: Place, near: Near): boolean =>
  isAssociation(near) ||
  isHanCompany(near) ||
  isPractice(near) ||
  isBehindOwnArticle(near) ||
  isCounter(near) ||
  isFormula(place, near) ||
  isNature(near);

/** "... e. V.": a registered association whose name goes on behind the word. */
const isAssociation = ({ afterExact }: Near): boolean =>
  /^ (?:(?:Deutsche[rn]?|der|des|für|von) )?\p{Lu}[^,.;:!?]{2,48} e\. ?V\.(?!\p{L})/u.test(afterExact);

/** What Japanese companies are, at the end of their names. */
const HAN_KINDS =
  /(?:銀行|生命|証券|保険|海上|火災|不動産|商事|物産|建設|電機|自動車|化学|製薬|鉄道|重工|信託|石油|海運|造船|製作所|工業|産業|食品|百貨店|倉庫)/gu;

/** "三井住友銀行" of 三井: between the name and what the company is is another name. "楽天銀行" is a company of 楽天. */
function isHanCompany({ word, after }: Near): boolean {
  if (!/\p{Script=Han}$/u.test(word)) return false;
  const rest = /^\p{Script=Han}{3,10}/u.exec(after)?.[0] ?? '';
  const kinds = rest.match(HAN_KINDS);
  return kinds !== null && rest.endsWith(kinds.at(-1) ?? '') && rest.replaceAll(HAN_KINDS, '').length >= 2;
}

/** Japanese and Chinese counters right behind a number: "31個", "8月31日". */
const isCounter = ({ word, after }: Near): boolean =>
  /^\d{1,4}$/u.test(word) &&
  /^(?:個|个|日|月|年|人|円|元|分|時|点|回|本|枚|台|件|歳|岁|つ|種類|店舗|部屋|階|番|号|週|秒|%|杯|冊|足|着|匹|頭|章|話|巻|度)/u.test(
    after,
  );

/** Words of chemistry and medicine, folded: gases and not companies. */
const OF_GASES =
  /(?<!\p{L})(?:sauerstoff\p{L}{0,16}|oxygen|oxigeno|ossigeno|oxygene|oxigenio|zuurstof|satur\p{L}{2,8}|sattigung|pulsoxi\p{L}{3,8}|pulsossim\p{L}{2,8}|oximet\p{L}{1,4}|oximetro|blut\p{L}{0,12}|blood|sangre|sangue|sang|bloed|vol\.?-?%|ppm|mg\/l|atemluft|messgerat\p{L}{0,3}|sensor|lambdasonde|gases?|molecul\p{L}{1,4}|molekul\p{L}{0,3})(?!\p{L})|vol\.-%/u;
/** A cell of a table: "la cellule C8". */
const CELL_BEFORE =
  /(?<!\p{L})(?:cells?|zellen?|cellules?|celdas?|cell[ae]|cel(?:len)?|celulas?|spalten?|colonnes?|column|range|bereich|plage|rango)(?: en| in| de| da| a| nach)? \$?$/u;
const OF_GAS = /^(?:c?o2|h2|n2|co|no2|o3|ch4)$/u;

function isFormula({ text, from, to, isHead, isBold }: Place, { word, before }: Near): boolean {
  if (!/^[a-z]{1,3}\d{1,3}$|^co$/u.test(word)) return false;
  if (CELL_BEFORE.test(before)) return true;
  if (isHead || isBold || !OF_GAS.test(word)) return false;
  const sentence = text.lower.slice(from, Math.min(to, from + MAX_SENTENCE_CHARS));
  return OF_GASES.test(sentence) && !OF_TELEPHONES.test(sentence);
}

const MAX_SENTENCE_CHARS = 600;
const OF_TELEPHONES =
  /(?<!\p{L})(?:mobilfunk|handy\p{L}{0,12}|netz|tarif\p{L}{0,4}|vodafone|telekom|movistar|orange|vertrag|sim|esim|roaming|datos|fibra|gb|prepaid|anbieter|operador)(?!\p{L})/u;

/** "the Amazon basin", "la Mediolanum romana": rivers and towns of long ago. */
const isNature = ({ word, before, after }: Near): boolean =>
  !/[^\p{L}]/u.test(word) &&
  (/^(?: |-)(?:basin|rainforest|river|jungle|delta|forest|becken|regenwald|fluss)(?!\p{L})/u.test(after) ||
    /(?<!\p{L})(?:the|la|le|il|el|die|das|der) $/u.test(before)) &&
  /^(?: |-)(?:basin|rainforest|river|jungle|delta|forest|becken|regenwald|fluss|roman[ao]?|romaine?|romisch\p{L}{0,2}|antic[ao]|antique|ancien(?:ne)?|medieval\p{L}{0,2}|medievale|mittelalterlich\p{L}{0,2})(?!\p{L})/u.test(
    after,
  );

/** "Chegando ao Porto": who arrives somewhere or leaves it speaks of the place. */
const ARRIVED =
  /(?<!\p{L})(?:cheg(?:ando|ar|amos|uei|ou)|parti(?:ndo|r|mos)|viaj(?:ando|ar|amos)|ir|vamos|voo|voos|lleg(?:ando|ar|amos)|viajar|volar|arriv(?:ant|er|ons|ing|e|ed|are|iamo|ando)|partir|partant|ankommen|anreise|reisen|fahren|fliegen|flying|travel(?:ling|ing)?|aankomen|vliegen|andare|andando|volare) (?:ao|a|as?|al|alla|to|in|en|na|naar|nach|do|da|de|del|from|von|par) $/u;

/** Whether a place of the lists is where someone goes: nothing in the sentence may be of a company. */
export const isArrival = ({ before, word, after }: Near): boolean =>
  loadOtherSenses().places.has(word) && ARRIVED.test(before) && !isAboutCompany(after);

const AND_BEHIND = /^ (?:&|et|y|e|und|and|en) \p{Lu}\p{L}{1,24}/u;

/** Liberal professions and their rooms, with a capital as the first word of a name. */
const PRACTICE =
  /(?<!\p{L})(?:Clinica|Clinique|Klinik|(?:\p{L}{2,8}arzt)?[Pp]raxis|Zahnarzt(?:in)?|Arzt(?:in)?|(?:Rechtsanwalts|Anwalts)?[Kk]anzlei|Notariat|Notar(?:in)?|Etude|Cabinet|Notaria|Notaire|Despacho|Bufete|Gestoria|Asesoria|Escritorio|Consultorio|Studio|Advocatenkantoor|Notariskantoor|Notariaat|Tandarts(?:praktijk)?|Huisarts(?:enpraktijk)?|Fysiotherapie|Maitre|Me|Avv\.?|Avvocato|Abogad[oa]|Advogad[oa]|Dott\.?|Dr(?:es)?\.?|Dra\.?|Law Offices? of|Attorney) (?:\p{Lu}[\p{L}'.-]{0,20} ){0,2}$/u;

/** These precede brands as well: German nouns have a capital anyhow. */
const NOT_BY_ITSELF =
  /^(?:Dr(?:es)?\.?|Dra\.?|Dott\.?|Avv\.?|Studio|Me|Klinik|\p{L}{0,8}[Pp]raxis|\p{L}{0,8}arzt|Arzt|\p{L}{0,12}[Kk]anzlei|Notar(?:in|iat)?) /u;

const isPractice = ({ beforeExact, afterExact, wordExact }: Near): boolean => {
  if (!beforeExact.endsWith(' ') || !/^\p{Lu}/u.test(wordExact)) return false;
  const practice = PRACTICE.exec(beforeExact)?.[0];
  if (practice === undefined) return false;
  // "Dr. Oetker", "Studio Ghibli", "in der Praxis Notion nutzen": with a given name between or a partner behind it is someone's.
  return (
    /^\P{L}{0,4}\p{L}{1,30}\.? \p{Lu}/u.test(practice.trim()) ||
    AND_BEHIND.test(afterExact) ||
    !NOT_BY_ITSELF.test(practice)
  );
};

/** An article that has a capital inside a sentence begins a name. */
const OWN_ARTICLE = /[\p{Ll},] (?:La|Le|Les|El|Los|Las|Il|Lo|O|Os|As|De|Het|Der|Die|Das) (?:\p{Lu}\p{Ll}{1,20} )?$/u;

/** "chez La Rose": a common word with such an article is another's name, unless a number makes it a product. */
const isBehindOwnArticle = ({ beforeExact, afterExact, wordExact, word }: Near): boolean =>
  /^\p{Lu}/u.test(wordExact) && isCommonWord(word) && OWN_ARTICLE.test(beforeExact) && !/^ \d/u.test(afterExact);
