import type { PageLanguage } from '../../language/language.ts';
import type { CheckTitles } from '../../language/word-tables.ts';

/** Largest table of titles that is read, in characters. */
const MAX_TITLES = 131_072;

/** The table is a file of our own build: a parser for one form would be larger than the rest of this script. */
function readTitles(json: unknown): CheckTitles {
  const rows = Object.entries(Object(json) as Record<string, unknown>);
  return Object.fromEntries(rows.filter((row): row is [string, [string, string]] => isPair(row[1])));
}

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');

/** Titles of checks in the language of the page. None in English, and none where they cannot be read: the titles of the checks serve. */
export async function fetchCheckTitles(language: PageLanguage): Promise<CheckTitles> {
  if (language === 'en') return {};
  try {
    const answer = await fetch(`/web/checks-${language}.json`);
    const text = answer.ok ? await answer.text() : '';
    return text.length > MAX_TITLES ? {} : readTitles(JSON.parse(text || '{}'));
  } catch {
    return {}; // Away or no JSON: English titles are better than no audit.
  }
}
