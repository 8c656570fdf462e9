import * as z from 'zod/mini';
import type { Preview } from '../../../audit/core/preview.ts';
import type { PageLanguage } from '../../language/language.ts';
import { type CheckTitles, selectTitle } from '../../language/word-tables.ts';

/** Largest table of titles that is read, in characters. */
const MAX_TITLES = 131_072;

const titlesSchema = z.record(z.string(), z.tuple([z.string(), z.string()]));

/** Titles of checks in the language of the page. None in English, and none where they cannot be read: the titles of the checks serve. */
export async function fetchCheckTitles(language: PageLanguage): Promise<CheckTitles> {
  if (language === 'en') return {};
  try {
    const answer = await fetch(`/web/checks-${language}.json`);
    const text = answer.ok ? await answer.text() : '';
    const parsed = text.length > MAX_TITLES ? undefined : titlesSchema.safeParse(JSON.parse(text));
    return parsed?.data ?? {};
  } catch {
    return {}; // Away or no JSON: English titles are better than no audit.
  }
}

/** A preview with the titles of a table. */
export const translatePreview = (preview: Preview, titles: CheckTitles): Preview => ({
  ...preview,
  checks: preview.checks.map((check) => ({ ...check, title: translateTitle(check, titles) })),
  first_steps: preview.first_steps.map((step) => ({
    ...step,
    title: selectTitle(titles, { id: step.check_id, title: step.title, status: 'fail' }),
  })),
});

/** The title of a check of a preview; one whose result is not shown is named by what it asks. */
export const translateTitle = (check: Preview['checks'][number], titles: CheckTitles): string =>
  selectTitle(titles, { id: check.id, title: check.title, status: check.open ? check.status : undefined });
