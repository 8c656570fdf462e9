import { promptLanguages, type PromptLanguage } from '../prompts/prompt-set.ts';
import { hasPossibleName } from './known-words.ts';
import { type AnswerPart, normaliseSigns, normaliseWords } from './parts.ts';
import { FURTHER_SUBJECT_ROWS, GOODS_ROWS, LEARNED_SUBJECT_ROWS } from './subjects-data.ts';

export type AskedMarket = { prompt: string; niche: string };

/** Characters by which words of the question and the answer are compared: inflection is behind them. */
const STEM_CHARS = 5;
/** The same for entries of lexicons, which have the relatives of a word too. */
const LEXICON_STEM_CHARS = 8;
/** Stems in compounds of German and Dutch are found inside of words too, from so many characters on. */
const MIN_INNER_CHARS = 5;

type Subjects = Readonly<Record<PromptLanguage, readonly (readonly string[])[]>>;

/** Stems of each subject, by language. */
const goods: Subjects = compileSubjects(GOODS_ROWS);
const furtherSubjects: Subjects = compileSubjects(FURTHER_SUBJECT_ROWS);
const learnedSubjects: Subjects = compileSubjects(LEARNED_SUBJECT_ROWS);

function compileSubjects(text: string): Subjects {
  const rows = text
    .trim()
    .split('\n')
    .map((row) => row.split(' | '));
  const compile = (at: number, language: PromptLanguage): readonly (readonly string[])[] =>
    rows.map((row) => splitStems(row[at] ?? '', language));
  return Object.fromEntries(promptLanguages.map((language, at) => [language, compile(at, language)])) as Subjects;
}

function splitStems(cell: string, language: PromptLanguage): readonly string[] {
  const stems = cell.split(',').filter((stem) => stem.trim() !== '');
  if (language === 'ja') return stems.map(normaliseSigns);
  const hasCompounds = language === 'de' || language === 'nl';
  return stems.map((stem) =>
    hasCompounds && stem.trim().length >= MIN_INNER_CHARS ? stem.trim() : ` ${stem.trimStart()}`,
  );
}

/** `hasNames`: a part has what answers are made of; `mayName`: one has a word that may be a name. */
type Seen = { language: PromptLanguage; hasNames: boolean; mayName: boolean };

/**
 * Whether a text is plainly about something else than was asked: a verse, a lexicon's entry, or another subject, where no
 * word of the question comes again. A foreign word or two is no evidence: real answers are full of them. A text with names
 * is judged only where the niche is a subject that we know: shops of any kind sell what other markets are about.
 */
export function isOffTopic(text: string, parts: readonly AnswerPart[], asked: AskedMarket, seen: Seen): boolean {
  const { language, hasNames } = seen;
  const normalise = language === 'ja' ? normaliseSigns : normaliseWords;
  const [said, niche] = [normalise(text), normalise(asked.niche)];
  const question = normalise(`${asked.niche} ${asked.prompt}`);
  if (isLexiconEntry(text, { said, niche, hasNames }, language)) return true;
  if (hasSharedWord(said, niche, language)) return false;
  const opening = said.length < MIN_OPENED_CHARS ? '' : normalise(readOpening(parts));
  if (isOnOtherSubject({ said, niche, question, opening }, { ...seen, hasNames: hasNames || seen.mayName }))
    return true;
  return !hasNames && !hasSharedWord(said, question, language) && isVerse(text, parts, language);
}

type Texts = { said: string; niche: string; question: string; opening: string };

function isOnOtherSubject({ said, niche, question, opening }: Texts, { language, hasNames }: Seen): boolean {
  const isForeign = (stems: readonly string[]): boolean => !stems.some((stem) => question.includes(stem));
  const foreign = goods[language].filter(isForeign);
  const isOneMarket = niche.trim() !== '' && !SELLS_ANYTHING.test(niche);
  const isJudged = !hasNames || isKnownSubject(niche, language) || isOneMarket;
  const opened =
    isJudged && !hasSharedWord(opening, question, language) ? listOpenedSubjects(opening, foreign, language) : [];
  if (opened.some((stems) => !hasNames || countMentions(stems, said) >= MIN_MENTIONS)) return true;
  if (hasSharedWord(said, question, language)) return false;
  if (opened.length > 0 && isOneMarket && said.length >= (language === 'ja' ? MIN_NAMED_CHARS / 2 : MIN_NAMED_CHARS))
    return true;
  if (isJudged && foreign.some((stems) => countFound(stems, said) >= MIN_FOREIGN_STEMS)) return true;
  const learned = learnedSubjects[language].filter(isForeign);
  if (hasNames) return learned.some((stems) => countFound(stems, said) >= MIN_LEARNED_STEMS);
  const all = [...furtherSubjects[language].filter(isForeign), ...learned];
  return all.some((stems) => countFound(stems, said) >= MIN_FOREIGN_STEMS);
}

/** Whether a niche is a subject of the tables, so that another subject is another market. */
const isKnownSubject = (niche: string, language: PromptLanguage): boolean =>
  [...goods[language], ...furtherSubjects[language]].some((stems) => countFound(stems, niche) > 0);

/** Characters of a text with names that is judged by its opening alone. */
const MIN_NAMED_CHARS = 110;

/** Markets in which any goods may be named: shops, gifts, insurers, renters, movers, menders, courses. */
const SELLS_ANYTHING =
  /shop|store|retail|market|mall|outlet|gift|present|insur|rent|hire|repair|mover|moving|deliver|courier|storage|pawn|auction|second|used |brand|discount|compar|review|loan|course|lesson|school|club|sport|hobby|craft|laden|geschaft|handler|kauf|markt|geschenk|versicher|verleih|vermiet|miet|reparat|werkstatt|umzug|liefer|lager|gebraucht|marke|vergleich|kurs|schule|verein|drogeri|werkzeug|magasin|magazzin|boutique|enseigne|surface|marche|cadeau|assur|location|reparat|demenag|livr|occasion|marque|compar|cours|ecole|loisir|tienda|comercio|almacen|mercad|regalo|seguro|alquil|reparac|mudanza|envio|segunda mano|marca|curso|escuela|academia|loja|comercio|mercad|presente|prenda|aluguel|aluguer|conserto|mudanc|entrega|usado|escola|negozi|mercat|regal|assicur|nolegg|riparaz|traslo|consegn|usat|march|cors|scuol|winkel|markt|warenhui|cadeau|verzeker|verhuur|huur|reparat|verhui|bezorg|tweedehands|merk|vergelijk|cursus|school|店|百貨|通販|ショップ|モール|市場|ギフト|プレゼント|贈|保険|レンタル|修理|引っ越し|引越|配送|中古|ブランド|比較|教室|スクール|講座|スポーツ/u;

/** Stems of one subject of knowledge that a text with names must have: hotels had kings in some century. */
const MIN_LEARNED_STEMS = 4;
/** How often a text with names must speak of the foreign subject that it opens with. */
const MIN_MENTIONS = 2;

const countMentions = (stems: readonly string[], said: string): number =>
  stems.reduce((sum, stem) => sum + said.split(stem).length - 1, 0);

/** Stems of one foreign subject that a text must have. */
const MIN_FOREIGN_STEMS = 3;
/** Characters of a text that is judged by its opening: "for cake, Acme" may be half an answer. */
const MIN_OPENED_CHARS = 60;
/** Words that may be between an opener and its subject, and signs of Japanese in which an opening names its own. */
const MAX_WORDS_BETWEEN = 5;
const OPENING_SIGNS = 16;
/** Letters of an inflection behind a stem in a language with compounds. */
const MAX_INFLECTION = 3;

const readOpening = (parts: readonly AnswerPart[]): string =>
  parts
    .slice(0, 2)
    .map(({ text }) => text)
    .join(' ');

const countFound = (stems: readonly string[], said: string): number =>
  stems.filter((stem) => said.includes(stem)).length;

/** How an answer begins that says what market it is about. */
const OPENERS: Readonly<Record<PromptLanguage, readonly string[]>> = {
  en: [' for ', ' if you ', ' if you re ', ' when ', ' when it comes to ', ' among ', ' looking for '],
  de: [' bei ', ' fur ', ' wer ', ' wenn ', ' unter ', ' suchst du ', ' willst du '],
  fr: [' pour ', ' si vous ', ' si tu ', ' parmi ', ' cote ', ' cherchez vous '],
  es: [' para ', ' si ', ' entre ', ' en cuanto '],
  pt: [' para ', ' se ', ' entre ', ' quanto '],
  it: [' per ', ' se ', ' tra ', ' fra ', ' quanto '],
  nl: [' voor ', ' bij ', ' als ', ' wie ', ' zoek je ', ' wil je '],
  ja: [],
};

/** Subjects that the first words name: "for tyres" or the like. */
function listOpenedSubjects(
  opening: string,
  foreign: readonly (readonly string[])[],
  language: PromptLanguage,
): readonly (readonly string[])[] {
  if (language === 'ja') {
    const head = opening.slice(0, OPENING_SIGNS);
    if (!/なら|選ぶ|買う/u.test(head)) return [];
    return foreign.filter((stems) => stems.some((stem) => stem.length > 2 && head.includes(stem)));
  }
  const heads = OPENERS[language]
    .filter((opener) => opening.startsWith(opener))
    .map((opener) => readHead(opening, opener));
  return foreign.filter((stems) => heads.some((head) => stems.some((stem) => hasSubject(head, stem))));
}

const readHead = (opening: string, opener: string): string =>
  ` ${opening
    .slice(opener.length)
    .split(' ', MAX_WORDS_BETWEEN + 2)
    .join(' ')} `;

/** Stems without a space before them may end a compound, not begin one. */
function hasSubject(head: string, stem: string): boolean {
  const at = head.indexOf(stem);
  if (at === -1) return false;
  const end = at + stem.length;
  return stem.startsWith(' ') || head.indexOf(' ', end) - end <= MAX_INFLECTION;
}

/** Words that any question to buy has, and any answer. */
const COMMON =
  /^ ?(?:best|good|recom|choos|buy|cheap|price|begin|compa|servi|onlin|produ|worth|would|shoul|which|there|empfe|geeig|anfan|gunst|kaufe|lohnt|unter|achet|chois|meill|conse|recom|quell|quels|debut|compr|mejor|princ|barat|melho|inici|migli|consi|compr|princ|quale|beste|goede|welke|welch|gesch|kopen|waar |small|suits|vale |entre|pour |para |para|buena|numer)/u;

/** Whether a word of the question, or a part of one, comes again. */
function hasSharedWord(said: string, question: string, language: PromptLanguage, chars = STEM_CHARS): boolean {
  if (language === 'ja') return listSignRuns(question).some((run) => said.includes(run));
  const words = question.trim().split(' ');
  return words.some((word) => {
    if (word.length < 4 || (COMMON.test(word.slice(0, STEM_CHARS)) && word.length < 20)) return false;
    const stem = word.slice(0, chars);
    return said.includes(word.length >= 7 ? stem : ` ${stem}`);
  });
}

/** Runs of kanji, katakana or Latin letters of a question, and pairs within longer runs of kanji. */
function listSignRuns(question: string): readonly string[] {
  const runs = question.match(/\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{2,}|[A-Za-z]{2,}/gu) ?? [];
  const common = new Set([
    '初心',
    '心者',
    '初心者',
    'おすすめ',
    '紹介',
    '一番',
    '最適',
    '比較',
    '人気',
    '安全',
    '日本',
    '東京',
    '方法',
  ]);
  return runs
    .flatMap((run) =>
      /\p{Script=Han}/u.test(run) && run.length > 2
        ? Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
        : [run],
    )
    .filter((run) => !common.has(run));
}

const MIN_VERSES = 3;
const MAX_VERSE_CHARS = 70;

/** Lines of like length that are neither entries nor sentences of their own, without figures. */
function isVerse(text: string, parts: readonly AnswerPart[], language: PromptLanguage): boolean {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length < MIN_VERSES || lines.length > 40) return false;
  if (parts.some(({ isEntry }) => isEntry) || /[\d*#|`:：]/u.test(text)) return false;
  if (lines.some((line) => line.length > MAX_VERSE_CHARS)) return false;
  if (language === 'ja') return lines.every(isJapaneseVerse);
  const open = lines.filter((line) => !/[.!?]$/u.test(line)).length;
  const named = lines.filter((line) => hasPossibleName(readFirstWord(line), ' ', language)).length;
  return lines.every(isLatinVerse) && open >= lines.length / 3 && named < lines.length / 2;
}

const readFirstWord = (line: string): Pick<AnswerPart, 'text'> => ({ text: line.split(/\s/u, 1)[0] ?? '' });

const isJapaneseVerse = (line: string): boolean =>
  line.length >= 6 && /\p{Script=Hiragana}{2}/u.test(line) && !/。|です|ます/u.test(line);

/** Three words or more, half of them in small letters: a line of names has few. */
function isLatinVerse(line: string): boolean {
  const words = line.split(/\s+/u);
  return words.length >= 3 && words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 >= words.length;
}

/** Words of lexicons: two of them make an entry, one of which says where a word is from or what part of speech it is. */
const LEXICON: Readonly<Record<PromptLanguage, readonly [plain: string, sure: string]>> = {
  en: [
    ' plural , the word , the term , derived from, century, is defined as, dictionary',
    ' noun , adjective , in this sense, goes back to the, etymology, from latin, from old , from the latin, middle english',
  ],
  de: [
    ' ohne plural, der plural, herkunft , lateinisch, das wort , der begriff , bezeichnet , jahrhundert, duden',
    ' substantiv, neutrum, maskulinum, femininum, etymologie, althochdeutsch, mittelhochdeutsch, wortart',
  ],
  fr: [
    ' pluriel, emprunte a, le mot , le terme , designe , siecle, synonyme, definition ',
    ' nom masculin, nom feminin, etymologie, du latin, ancien francais, adjectif, derive du verbe, n m , n f ',
  ],
  es: [
    ' la palabra , el termino , femenino, masculino, vease, veanse, siglo , plural , definicion, proviene d, se denomina',
    ' sustantivo, del latin, etimologia, del griego',
  ],
  pt: [
    ' a palavra , o termo , feminino, masculino, seculo , plural , definicao, provem d, designa , sinonimo',
    ' substantivo, do latim, etimologia, do grego, palavra inglesa, do sufixo, s m , s f ',
  ],
  it: [
    ' la parola , il termine , femminile, maschile, secolo, plurale, definizione, deriva d, sinonim, vocabolario',
    ' sostantivo, dal latino, etimologia, dal greco, s m , s f , suffisso',
  ],
  nl: [
    ' meervoud, herkomst, het woord , de term , latijn, eeuw , afgeleid van, afkomstig uit, mannelijk, onzijdig, woordenboek',
    ' zelfstandig naamwoord, etymologie, middelnederlands, van latijn, uit het latijn',
  ],
  ja: ['由来,意味する,世紀,漢字,読み,とは、,を指す,英語で,辞書,広辞苑', '名詞,語源,という言葉,ラテン語'],
};
const splitCommas = (words: string): readonly string[] => words.split(',');
const MAX_LEXICON_CHARS = 700;

/** Markets where words, languages and their history may be the answer. */
const ABOUT_WORDS =
  /dictionar|thesaur|language|worterb|lexik|sprach|dictionn|langue|diccion|idioma|dicionar|vocabol|dizionar|lingu|woordenb|taal|taler|辞典|辞書|漢字|英語|英会話|語学|言語|日本語/u;

/** A headword, what follows it in a lexicon, and nothing of what answers begin with. */
const HEADWORD =
  /^[\W_]{0,4}\p{L}[\p{L}’'-]{2,30}(?:,\s\p{L}{2,20})?\s?(?::|\(|,\s(?:das|der|die|de|het|le|la|o|a|il|lo)\b)/u;
/** Words of lexicons that make an entry of a text that speaks of the niche or has names. */
const MIN_SURE_WORDS = 3;

/** Prices and domains are in no lexicon. */
function isLexiconEntry(
  text: string,
  { said, niche, hasNames }: { said: string; niche: string; hasNames: boolean },
  language: PromptLanguage,
): boolean {
  if (said.length > MAX_LEXICON_CHARS || /[€$£¥%]|\d円|https?:|\.com\b/u.test(text)) return false;
  if (ABOUT_WORDS.test(niche)) return false;
  const [plain, sure] = LEXICON[language].map(splitCommas);
  const found = countFound(sure ?? [], said);
  const all = found + countFound(plain ?? [], said);
  if (HEADWORD.test(text) && found > 0) return true;
  if (hasNames || hasSharedWord(said, niche, language, LEXICON_STEM_CHARS)) return found > 0 && all >= MIN_SURE_WORDS;
  return found > 0 && all >= 2;
}
