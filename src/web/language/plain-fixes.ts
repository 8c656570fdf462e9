import { checks } from '../../audit/core/catalogue.ts';
import type { FirstStep, SitePreview } from '../../audit/core/preview.ts';
import { germanPlainFixes } from './german/plain-fixes-data.ts';
import type { PageLanguage, Translated } from './language.ts';
import { plainFixes } from './plain-fixes-data.ts';

/** How to make a check pass, in plain words and each language: the same checks in all. */
export const plainFixTables: Translated<Readonly<Record<string, string>>> = { en: plainFixes, de: germanPlainFixes };

const ownFixes: ReadonlyMap<string, string> = new Map(checks.map(({ id, fix }) => [id, fix]));

/** How to make a check pass: in plain words, else as the check says it, in English; nothing for a check we do not have. */
export function getPlainFix(id: string, language: PageLanguage): Pick<FirstStep, 'how' | 'how_lang'> {
  const table = plainFixTables[language];
  const how = Object.hasOwn(table, id) ? table[id] : undefined;
  if (how !== undefined) return { how };
  const own = ownFixes.get(id);
  if (own === undefined) return {};
  return language === 'en' ? { how: own } : { how: own, how_lang: 'en' };
}

/** A preview whose things to do first say how. The script of the page has no table of them. */
export const addPlainFixes = <Made extends SitePreview>(made: Made, language: PageLanguage): Made => ({
  ...made,
  preview: {
    ...made.preview,
    first_steps: made.preview.first_steps.map((step) => ({ ...step, ...getPlainFix(step.check_id, language) })),
  },
});
