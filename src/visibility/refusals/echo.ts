import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { functionWords } from '../prompts/function-words-data.ts';
import { mapLanguages } from './cue-stems.ts';
import { isAsked } from './known-words.ts';
import { type AnswerPart, normaliseSigns, normaliseWords } from './parts.ts';
import { listSpecific } from './plain-words.ts';
import { hasMark } from './substance.ts';

/** Share of the question's own words that come again in a sentence that only repeats it. */
const MIN_REPEATED = 0.6;
/** Own words of a question from which on repeating them is no chance, and letters of such a word. */
const MIN_OWN_WORDS = 2;
const MIN_OWN_CHARS = 4;
/** Words that neither the question nor other talk has, before the question is repeated. */
const MAX_LEADING_WORDS = 1;
/** Signs of a Japanese question that come again in one piece, and what may be beside them. */
const MIN_REPEATED_SIGNS = 6;
const MAX_SIGNS_BESIDE = 14;

const small = mapLanguages((language) =>
  language === 'ja' ? new Set<string>() : new Set(functionWords[language].map((word) => normaliseWords(word).trim())),
);

/** Words that open a question about a choice. Inside of a sentence they make it speak of the question, not answer it. */
const ASKS_WHICH: Readonly<Record<PromptLanguage, RegExp>> = {
  en: / (?:which|what|who|whom|where|how) /u,
  de: / (?:welche[mnrs]?|wer|wem|wen|was|wo|wie|womit) /u,
  fr: / (?:quel|quelle|quels|quelles|lequel|laquelle|qui|ou|comment) /u,
  es: / (?:que|cual|cuales|quien|quienes|donde|como) /u,
  pt: / (?:que|qual|quais|quem|onde|como) /u,
  it: / (?:quale|quali|qual|che|chi|dove|come) /u,
  nl: / (?:welke?|wie|wat|waar|hoe) /u,
  ja: /(?:お探し|お知りになりたい|知りたい|お悩み|ご質問|お尋ね|お考え|についてです)/u,
};

/** Whether a part says what was asked and nothing else: "you want to know which planks last". */
export function isEcho(part: AnswerPart, prompt: string, asked: string, language: PromptLanguage): boolean {
  if (part.isEntry || hasMark(part)) return false;
  if (language === 'ja') return isJapaneseEcho(part, prompt);
  const question = normaliseWords(prompt);
  if (!ASKS_WHICH[language].test(question.split(' ', 4).join(' ') + ' ')) return false;
  const at = part.words.search(ASKS_WHICH[language]);
  if (at === -1 || hasOwnWord(part.words.slice(at), asked, language, 0)) return false;
  if (hasOwnWord(part.words.slice(0, at), asked, language, MAX_LEADING_WORDS)) return false;
  const own = listOwn(question, language);
  const repeated = own.filter((word) => isAsked(word, part.words));
  return own.length >= MIN_OWN_WORDS && repeated.length >= own.length * MIN_REPEATED;
}

const hasOwnWord = (words: string, asked: string, language: PromptLanguage, most: number): boolean =>
  listSpecific({ text: '', words }, asked, language).length > most;

const listOwn = (question: string, language: PromptLanguage): readonly string[] =>
  question
    .trim()
    .split(' ')
    .filter((word) => word.length >= MIN_OWN_CHARS && !small[language].has(word));

function isJapaneseEcho(part: AnswerPart, prompt: string): boolean {
  const said = normaliseSigns(part.text);
  const question = normaliseSigns(prompt).replace(/[はを]?[?。]{0,3}$/u, '');
  if (question.length < MIN_REPEATED_SIGNS || !ASKS_WHICH.ja.test(said)) return false;
  return said.includes(question) && said.length - question.length <= MAX_SIGNS_BESIDE;
}

/** Words that point at what follows: in the last sentence of a text they point at nothing. */
const POINTERS: Readonly<Record<PromptLanguage, RegExp>> = {
  en: /^ (?:ok |okay |so |sure |great |and )?here (?:are|is|s|you ll find) | (?:below (?:i|you|we|are|find) |(?:listed|found|shown|see|detailed|collected|outlined|summarised|summarized) below |below $|as follows |let me (?:walk|take|show|introduce)|let s (?:take|look|dive|explore))/u,
  de: /^ hier (?:findest du|finden sie|(?:ist|sind|kommt|kommen) (?:eine?|meine|unsere|die|einige|ein paar|das ergebnis)) | (?:nachfolgend|nachstehend|im folgenden|untenstehend|weiter unten|im anhang|lass (?:uns|mich)|lassen sie (?:uns|mich)|schauen wir|sehen wir uns|werfen wir|stelle (?:ich )?(?:dir|ihnen)) /u,
  fr: /^ voici | (?:ci dessous|ci apres|ci joint|voyons|regardons|passons|je vous presente|je te presente) /u,
  es: /^ aqui (?:tienes|tiene|van|esta|estan|te|le) | (?:a continuacion|mas abajo|veamos|vamos a ver|te presento|le presento) /u,
  pt: /^ aqui (?:estao|esta|vao|vai) | (?:a seguir|abaixo (?!de )|mais abaixo|vejamos|vamos (?:ver|la)|apresento)/u,
  it: /^ ecco | (?:di seguito|qui sotto|sotto (?:trovi|trova|troverai)|vediamo|andiamo a vedere|in allegato|ti presento|le presento) /u,
  nl: /^ hier (?:zijn|is|volgt|volgen|komt|komen|vind) | (?:hieronder|hierbij|onderstaand|in de bijlage|laten we|laat me) /u,
  ja: /以下(?:に|の(?:通り|とおり|表|リスト))|下記(?:に|の)|ご紹介(?:します|いたします|させて)|まとめました/u,
};

/** Parts of a text that only leads to what should follow. */
const MAX_LEADING_PARTS = 5;

/** Whether the last sentence points at what follows, and nothing does. Behind a colon something would. */
export function isPointingNowhere(parts: readonly AnswerPart[], language: PromptLanguage): boolean {
  const last = parts.at(-1);
  if (last === undefined || parts.length > MAX_LEADING_PARTS || last.isEntry || /[:：](?!\s*$)/u.test(last.text))
    return false;
  return POINTERS[language].test(language === 'ja' ? last.text : last.words);
}
