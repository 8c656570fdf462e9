import type { LlmsPage } from './llms-txt-pages.ts';
import { siteText } from './safe-site.ts';

/** Pages below one folder from which they get a section of their own. */
const MIN_GROUP = 2;
const MAX_TITLE_CHARS = 60;

export type LlmsSection = { title: string; pages: readonly LlmsPage[] };

const MAIN = 'Main pages';
const MORE = 'More pages';
const OPTIONAL = 'Optional';

/**
 * Pages in sections: those of the navigation and the start page, a section for each folder that holds several pages,
 * what is left, and `Optional` last. A folder is named as the site names the page at its top, else by its path.
 */
export function llmsSections(pages: readonly LlmsPage[]): readonly LlmsSection[] {
  const required = pages.filter(({ optional }) => !optional);
  const folders = countBy(required.map(({ path }) => folderOf(path)));
  const titles = new Map<string, LlmsPage[]>([[MAIN, []]]);
  for (const page of required) {
    const folder = folderOf(page.path);
    const grouped = folder !== '' && (folders.get(folder) ?? 0) >= MIN_GROUP;
    const rest = page.from === 'sample' ? MORE : MAIN;
    const title = grouped ? folderTitle(folder, required) : rest;
    titles.set(title, [...(titles.get(title) ?? []), page]);
  }
  const more = titles.get(MORE) ?? [];
  titles.delete(MORE);
  const optional = pages.filter((page) => page.optional);
  return [...titles, [MORE, more] as const, [OPTIONAL, optional] as const]
    .map(([title, members]) => ({ title, pages: members }))
    .filter((section) => section.pages.length > 0);
}

/** The first part of a path, a language code before it left out: `docs` for `/en/docs/start`; '' for `/`. */
function folderOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', second = ''] = parts;
  const folder = /^[a-z]{2}(?:-[a-z]{2})?$/iu.test(first) ? second : first;
  return folder.replace(/\.\w{1,5}$/u, '').toLowerCase();
}

function folderTitle(folder: string, pages: readonly LlmsPage[]): string {
  const top = pages.find(({ path }) => folderOf(path) === folder && path.replace(/\/$/u, '').endsWith(`/${folder}`));
  const words = siteText(folder.replaceAll(/%[0-9A-Fa-f]{2}|[-_+.]/gu, ' '), MAX_TITLE_CHARS);
  const title = siteText(top?.name ?? '', MAX_TITLE_CHARS) || words.charAt(0).toUpperCase() + words.slice(1);
  return title === '' || title === OPTIONAL ? MORE : title;
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
