import { SUMMARY_IDS, SUMMARY_UNSPACED, SUMMARY_WORDS, DANGLING } from './text-words-data.ts';

const DANGLING_BY_LANGUAGE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(DANGLING).map(([language, source]) => [language, new RegExp(`^["'“„«「『(]?(?:${source})`, 'iu')]),
);

/** The opening of a text that is looked at. */
const OPENING_CHARS = 80;

/** Whether a text opens with a word that stands for something outside it; undefined for a language we have no list of. */
export function opensDangling(text: string, language: string): boolean | undefined {
  return DANGLING_BY_LANGUAGE.get(language)?.test(text.trimStart().slice(0, OPENING_CHARS));
}

const SUMMARY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${SUMMARY_WORDS})(?![\\p{L}\\p{N}])|${SUMMARY_UNSPACED}`, 'iu');
const SUMMARY_START = new RegExp(`^(?:${SUMMARY_WORDS}|${SUMMARY_UNSPACED})\\s?[:：–—-]`, 'iu');
const SUMMARY_ID = new RegExp(`^${SUMMARY_IDS}$`, 'i');
const MAX_HEADING_CHARS = 80;

/** Whether a heading announces a summary. */
export const isSummaryHeading = (text: string): boolean => text.length <= MAX_HEADING_CHARS && SUMMARY.test(text);

/** Whether a paragraph says of itself that it is a summary ("In short: ..."). */
export const opensAsSummary = (text: string): boolean => SUMMARY_START.test(text.slice(0, OPENING_CHARS));

export const isSummaryId = (id: string): boolean => id.length <= MAX_HEADING_CHARS && SUMMARY_ID.test(id);
