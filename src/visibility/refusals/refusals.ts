import { promptLanguages, type PromptLanguage } from '../prompts/prompt-set.ts';
import { isOffTopic } from './off-topic.ts';
import { type AnswerPart, normaliseSigns, normaliseWords, readEnds, splitParts } from './parts.ts';
import { countStems, isAnyRuleMet, measureOpening, type PhraseKind, phraseKinds } from './phrases/phrase-table.ts';
import { phrasesOf } from './phrases/phrases.ts';
import { requestStems } from './phrases/requests-data.ts';
import { classifyRawText } from './raw-text.ts';
import type { RefusalKind } from './refusal-kinds.ts';
import { hasSubstance } from './substance.ts';
import { identifyLanguage, isInOtherLanguage } from './written-language.ts';

/** What an answer is judged by. Without `language` nothing is said of the language it is in. */
export type AnswerContext = { prompt: string; language: PromptLanguage | undefined; niche: string };

/**
 * Why a text is no answer to its prompt; undefined for a real answer, and wherever that is unsure, since a refusal that is
 * none takes an answer from the measurement. Reads phrases, not meaning: eight languages have their tables.
 */
export function classifyAnswer(text: string, about: AnswerContext): RefusalKind | undefined {
  const read = readEnds(text);
  const raw = classifyRawText(read, `${about.niche} ${about.prompt}`);
  if (raw !== undefined) return raw;
  const guess = identifyLanguage(read);
  const known = guess === 'other' ? undefined : guess;
  const language = about.language ?? known ?? 'en';
  const parts = splitParts(read);
  const talk = classifyTalk(parts, about, selectTables(about.language, guess), known ?? language);
  if (about.language !== undefined && isInOtherLanguage(read, about.language)) return 'wrong_language';
  if (talk !== undefined) return talk;
  return isOffTopic(read, parts, about, language) ? 'off_topic' : undefined;
}

/** Languages whose phrases are looked for: that of the question, that of the text, and English, which engines fall back to. */
function selectTables(
  asked: PromptLanguage | undefined,
  guess: ReturnType<typeof identifyLanguage>,
): readonly PromptLanguage[] {
  if (asked === undefined && guess === undefined) return promptLanguages;
  const found = [asked, guess === 'other' ? undefined : guess, 'en' as const];
  return [...new Set(found.filter((one): one is PromptLanguage => one !== undefined))];
}

/** What a part is: one of the kinds of talk, a caution, nothing that we know, or what answers are made of. */
type PartKind = PhraseKind | 'caution' | 'plain' | 'substance';

type ReadPart = { part: AnswerPart; kind: PartKind };

/** Words from which on a sentence with names or prices is an answer, whatever phrase is in it. */
const MAX_TALK_WORDS = 36;
/** Longest greeting in words, and characters of one that is plain wherever it is. */
const MAX_COURTESY_WORDS = 16;
const MIN_COURTESY_CHARS = 12;
/** Share of the words that may be plain where a refusal was read, and where only talk was. */
const MAX_PLAIN_BESIDE_REFUSAL = 0.45;
const MAX_PLAIN_BESIDE_TALK = 0.34;
/** Cautions that make a refusal where the reader is sent to someone else and nothing else is said. */
const MIN_CAUTIONS = 2;

function classifyTalk(
  parts: readonly AnswerPart[],
  { prompt, niche }: AnswerContext,
  tables: readonly PromptLanguage[],
  language: PromptLanguage,
): RefusalKind | undefined {
  const asked =
    language === 'ja' ? normaliseSigns(`${prompt}${niche}`).toLowerCase() : normaliseWords(`${prompt} ${niche}`);
  const read: ReadPart[] = [];
  for (const part of parts) {
    const kind = readKind(part, read.at(-1), { asked, tables, language });
    read.push({ part, kind });
  }
  return decide(read);
}

type Reading = { asked: string; tables: readonly PromptLanguage[]; language: PromptLanguage };

function readKind(part: AnswerPart, before: ReadPart | undefined, reading: Reading): PartKind {
  const { language, asked } = reading;
  if (part.wordCount === 0) return 'announces';
  if (part.isEntry && before?.kind === 'asks') return 'asks';
  const kinds = findKinds(part, reading);
  if (part.wordCount > MAX_TALK_WORDS && hasSubstance(part, asked, language)) return 'substance';
  // "I cannot recommend Acme: ..." is an answer.
  if (kinds.has('refuses'))
    return !kinds.has('offers') && hasSubstance(part, asked, language) ? 'substance' : 'refuses';
  if (kinds.has('limits')) return 'limits';
  if (kinds.has('fails')) return 'fails';
  if (part.isQuestion) return kinds.has('asks') ? 'asks' : 'fills';
  if (hasSubstance(part, asked, language)) return kinds.has('offers') ? 'offers' : 'substance';
  if (language !== 'ja' && !requestStems.some((stem) => part.words.includes(stem))) kinds.delete('asks');
  for (const kind of ['asks', 'offers', 'announces', 'courtesy', 'fills'] as const) if (kinds.has(kind)) return kind;
  if (part.isEntry) return 'substance';
  return countCautions(part, reading) > 0 ? 'caution' : 'plain';
}

function findKinds(part: AnswerPart, { tables }: Reading): Set<PhraseKind> {
  const found = new Set<PhraseKind>();
  const signs = normaliseSigns(part.text);
  for (const table of tables) {
    const { rules } = phrasesOf[table];
    const text = table === 'ja' ? signs : part.words;
    for (const kind of phraseKinds) {
      if (found.has(kind)) continue;
      const holds = kind === 'courtesy' ? isCourtesy(part, table, text) : isAnyRuleMet(rules[kind], text);
      if (holds) found.add(kind);
    }
  }
  return found;
}

/** A short part that opens with a greeting, or one that holds a whole sentence of them. */
function isCourtesy(part: AnswerPart, table: PromptLanguage, text: string): boolean {
  const { courtesy } = phrasesOf[table].rules;
  if (table === 'ja') return isAnyRuleMet(courtesy, text);
  if (part.wordCount <= MAX_COURTESY_WORDS && measureOpening(courtesy, text) > 0) return true;
  return courtesy.flat(2).some((phrase) => phrase.length >= MIN_COURTESY_CHARS && text.includes(phrase));
}

const countCautions = (part: AnswerPart, { tables }: Reading): number => {
  const signs = normaliseSigns(part.text);
  return Math.max(...tables.map((table) => countStems(phrasesOf[table].caution, table === 'ja' ? signs : part.words)));
};

function decide(read: readonly ReadPart[]): RefusalKind | undefined {
  const count = (kind: PartKind): number => read.filter((one) => one.kind === kind).length;
  if (count('substance') > 0) return undefined;
  const share = computePlainShare(read);
  const declines = count('refuses') + count('limits');
  if (declines > 0) return share <= MAX_PLAIN_BESIDE_REFUSAL ? 'refusal' : undefined;
  if (share > MAX_PLAIN_BESIDE_TALK) return undefined;
  if (count('fails') > 0) return 'stock_phrase';
  if (count('asks') > 0) return 'refusal';
  if (count('caution') >= MIN_CAUTIONS && count('offers') > 0 && share === 0) return 'refusal';
  const talk = count('courtesy') + count('announces') + count('fills') + count('offers');
  return talk > 0 && count('caution') <= talk ? 'stock_phrase' : undefined;
}

/** Share of the words in parts that nothing is known of. */
function computePlainShare(read: readonly ReadPart[]): number {
  const sizeOf = ({ part }: ReadPart): number => Math.max(part.wordCount, part.text.length / 12);
  const all = read.reduce((sum, one) => sum + sizeOf(one), 0);
  const plain = read.filter(({ kind }) => kind === 'plain').reduce((sum, one) => sum + sizeOf(one), 0);
  return all === 0 ? 0 : plain / all;
}
