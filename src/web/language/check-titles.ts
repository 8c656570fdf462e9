import { agentCheckTitles } from './german/agent-checks-data.ts';
import { aeoCheckTitles } from './german/aeo-checks-data.ts';
import { geoCheckTitles } from './german/geo-checks-data.ts';
import { mcpCheckTitles } from './german/mcp-checks-data.ts';
import { type CheckTitles, selectTitle } from './word-tables.ts';
import type { PageLanguage, Translations } from './language.ts';

/** Titles of all checks in the languages other than English, whose titles are those of the checks. */
export const checkTitles: Translations<CheckTitles> = {
  de: { ...aeoCheckTitles, ...geoCheckTitles, ...agentCheckTitles, ...mcpCheckTitles },
};

/**
 * The title of a check in the language of a page.
 * @param fallback the English title, which also serves for checks of earlier rubrics
 * @param status where the check was judged: one that asks for a fix is named by what to do
 */
export const getCheckTitle = (id: string, language: PageLanguage, fallback: string, status?: string): string =>
  language === 'en' ? fallback : selectTitle(checkTitles[language], { id, title: fallback, status });

/** The title of the fix of a check: what to do, as an order. */
export const getFixTitle = (id: string, language: PageLanguage, fallback: string): string =>
  getCheckTitle(id, language, fallback, 'fail');
