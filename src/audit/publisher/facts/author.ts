import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listPropertyNodes, listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** Where a page says that its author can be looked up; `name` is '' when the page names no author there. */
export type AuthorLink = { url: string; name: string; from: 'author.url' | 'rel=author' };

/** Role of the exchange for the author's page. */
export const AUTHOR_ROLE = 'author';

/** Link texts that name the page, not the person. */
const NO_NAME = /^(?:about|author|bio|profile|more|view|see|read)\b/i;

/** The author's page: `url` of an article's author in structured data, else a link with `rel=author`. */
export function findAuthorLink(page: PageFacts): AuthorLink | undefined {
  const { graph } = getJsonLd(page);
  for (const author of listNodesOfType(graph, 'Article').flatMap((article) =>
    listPropertyNodes(graph, article, 'author'),
  )) {
    const url = listPropertyTexts(graph, author, 'url').map((text) => findPageUrl(text, page.baseUrl))[0];
    const name = listPropertyTexts(graph, author, 'name')[0] ?? '';
    if (url !== undefined) return { url, name, from: 'author.url' };
  }
  const anchor = page.anchors.find(
    ({ rels, href }) => rels.includes('author') && findPageUrl(href, page.baseUrl) !== undefined,
  );
  const tag = page.linkTags.find(
    ({ rels, href }) => rels.includes('author') && findPageUrl(href, page.baseUrl) !== undefined,
  );
  const url = findPageUrl(anchor?.href ?? tag?.href ?? '', page.baseUrl);
  if (url === undefined) return undefined;
  const text = anchor?.text.trim() ?? '';
  return { url, name: NO_NAME.test(text) ? '' : text, from: 'rel=author' };
}

/** The http(s) address without its fragment; undefined for anything else. */
function findPageUrl(text: string, base: string): string | undefined {
  if (text === '' || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Artifact `authorPage`: the author's link and what its address answered; `exchange` is undefined when it was not asked. */
export function readAuthorPage(
  snapshot: Snapshot,
): Artifact<{ link: AuthorLink; exchange: Exchange | undefined; control: Exchange | undefined } | 'none'> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const find = getExchangeLookup(snapshot);
  const link = findAuthorLink(page.value);
  return {
    state: 'ready',
    value: link === undefined ? 'none' : { link, exchange: find(AUTHOR_ROLE), control: find('control') },
  };
}
