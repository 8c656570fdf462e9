import { type AboutRow, listAboutRows } from '../../../src/about/about-data.ts';
import type { Changelog } from '../../../src/about/changelog-feed.ts';
import type { DocsEntry } from '../../../src/openapi/service-texts.ts';
import { CHANGELOG_PATH, FEED_PATH } from '../../../src/web/about/changelog-text.ts';
import { formatMarkdownPath } from '../../../src/web/start/page.tsx';
import type { SitemapPage } from '../../../src/web/start/sitemap.ts';
import { WORDS_CHANGED } from '../../../src/web/start/text.ts';
import type { AppContext } from '../context.ts';
import { listDocsPages } from '../pages/docs.ts';

/** Where the build writes the change log. */
const BUILT_CHANGELOG = '/web/changelog.json';

/** Change logs that were read, by the static files that they are of: they depend on nothing but the build. */
const read = new WeakMap<object, Changelog>();

/** Undefined where the static files were not built. */
export async function readChangelog(c: AppContext): Promise<Changelog | undefined> {
  const { ASSETS } = c.env;
  if (ASSETS === undefined) return undefined;
  const before = read.get(ASSETS);
  if (before !== undefined) return before;
  const found = await ASSETS.fetch(new Request(new URL(BUILT_CHANGELOG, c.req.url)));
  if (found.status !== 200) return undefined;
  const changelog = await found.json<Changelog>(); // Our own build wrote it.
  read.set(ASSETS, changelog);
  return changelog;
}

/** The rows that this deployment answers: some need a setting or a build. */
async function listAvailableRows(c: AppContext): Promise<readonly AboutRow[]> {
  const [changelog, docs] = await Promise.all([readChangelog(c), listDocsPages(c)]);
  const absent = new Set<string>([
    ...(c.get('settings').CONTACT_EMAIL === undefined ? ['/.well-known/security.txt'] : []),
    ...(changelog === undefined ? [CHANGELOG_PATH, FEED_PATH] : []),
    ...(docs.length === 0 ? ['/llms-full.txt'] : []),
  ]);
  return listAboutRows().filter(({ path }) => !absent.has(path));
}

/** What llms.txt lists: pages in Markdown, documents as they are. */
export async function listAboutEntries(c: AppContext): Promise<readonly DocsEntry[]> {
  const rows = await listAvailableRows(c);
  return rows.map(({ path, title, summary, kind }) => ({
    title,
    path: kind === 'page' ? formatMarkdownPath(path) : path,
    description: summary,
  }));
}

/** The pages that the sitemap lists. */
export async function listAboutPages(c: AppContext): Promise<readonly SitemapPage[]> {
  const [rows, changelog] = await Promise.all([listAvailableRows(c), readChangelog(c)]);
  return rows
    .filter(({ kind, isMomentary }) => kind === 'page' && isMomentary !== true)
    .map(({ path }) => ({
      path,
      changed: path === CHANGELOG_PATH && changelog !== undefined ? changelog.changed : WORDS_CHANGED,
    }));
}
