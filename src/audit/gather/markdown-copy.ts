import { registrableDomain } from '../../net/registrable-domain.ts';
import { pageOf } from '../facts/page-of.ts';
import type { Gather, Gatherer } from '../gather.ts';
import { gatherMarkdown } from './markdown.ts';
import { readStartPage } from './page.ts';

/** Decoded bytes of a Markdown copy that are read. */
const MAX_COPY_BYTES = 1024 * 1024;
const ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.1';

/**
 * Reads the Markdown copy of the start page: by content negotiation (role `markdown`, shared with the agent checks), at
 * the address that its `link[rel=alternate]` names (`markdown-alternate`), else at its own path with `.md`
 * (`markdown-suffix`). At most two requests of its own.
 */
export const gatherMarkdownCopy: Gatherer = async (gather) => {
  const [{ answer }] = await Promise.all([readStartPage(gather), gatherMarkdown(gather)]);
  const named = answer.ok ? namedCopy(pageOf(answer).linkTags, answer.url) : undefined;
  if (named !== undefined) await readCopy(gather, 'markdown-alternate', named);
  else await readCopy(gather, 'markdown-suffix', suffixed(gather.start));
};

const readCopy = (gather: Gather, role: string, url: string): Promise<unknown> =>
  gather.read(role, { url, headers: { accept: ACCEPT }, maxBytes: MAX_COPY_BYTES });

/** The copy that the page itself names, on a host of the same owner. */
function namedCopy(
  links: readonly { rels: readonly string[]; type: string; href: string }[],
  pageUrl: string,
): string | undefined {
  const owner = registrableDomain(new URL(pageUrl).hostname);
  return links.find(
    ({ rels, type, href }) =>
      rels.includes('alternate') &&
      type.startsWith('text/markdown') &&
      /^https?:/.test(href) &&
      registrableDomain(new URL(href).hostname) === owner,
  )?.href;
}

/** `/a` -> `/a.md`, `/a/` -> `/a/index.html.md`, as llms.txt (2026) describes both. */
function suffixed(start: URL): string {
  const url = new URL(start);
  url.search = '';
  url.hash = '';
  url.pathname += url.pathname.endsWith('/') ? 'index.html.md' : '.md';
  return url.href;
}
