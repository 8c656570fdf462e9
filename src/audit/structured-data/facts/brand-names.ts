import type { JsonLd } from './json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { bestOrganization } from './organization.ts';
import { nodesOfType, textsAt } from './schema-nodes.ts';

/** A name of the brand and the place that gives it. */
export type BrandName = { from: string; name: string };

const MAX_NAME_CHARS = 100;
const LEGAL_SUFFIX =
  /(?<![\s,])[\s,]+(?:inc|incorporated|llc|ltd|limited|plc|corp|corporation|company|co|gmbh|mbh|ag|kg|ug|se|sarl|sas|sa|srl|spa|bv|nv|ab|oy|as|aps|kk|pty|pte|ооо|зао|株式会社|有限公司)\.?$/iu;
const COPYRIGHT =
  /(?:©|\(c\)|copyright)\s{0,3}(?:©\s{0,3})?(?:(?:19|20)\d\d(?:\s?[-–—]\s?(?:(?:19|20)?\d\d|present))?[\s,]{0,3})?(?:by\s)?([^\n©|•·]{2,80})/giu;
const RIGHTS =
  /(?<![.,;\s])[.,;\s]*(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti|(?:19|20)\d\d)/iu;

/** News sites end a title with its date. */
const DATE =
  /^(?:\p{L}{3,10}\.?\s\d{1,2},?\s(?:19|20)\d\d|\d{1,2}\.?\s\p{L}{3,10}\.?\s(?:19|20)\d\d|(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2})$/u;

/** One spelling for comparison: NFKC, lower case, no legal suffix, letters and digits only. */
export function brandKey(name: string): string {
  const plain = name.normalize('NFKC').trim().slice(0, MAX_NAME_CHARS);
  return plain
    .replace(/\.(?=\s|$)/g, '')
    .replace(LEGAL_SUFFIX, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The brand's name as the page gives it in up to five places. */
export function brandNames(page: PageFacts, { graph }: JsonLd): readonly BrandName[] {
  const webSite = nodesOfType(graph, 'WebSite').flatMap((node) => textsAt(graph, node, 'name'))[0] ?? '';
  const others = [
    { from: 'og:site_name', name: page.openGraph['site_name']?.[0] ?? '' },
    { from: 'WebSite.name', name: webSite },
    { from: 'Organization.name', name: bestOrganization(graph)?.name ?? '' },
    { from: 'footer ©', name: copyrightName(page.text) },
  ].filter(({ name }) => brandKey(name) !== '');
  const title = titleName(page.titles[0] ?? '', others);
  return title === '' ? others : [{ from: 'title', name: title }, ...others];
}

/** The part of a title that is the brand: one that another place names too, else the last of several. */
function titleName(title: string, others: readonly BrandName[]): string {
  const parts = title
    .split(/\s[|–—·•:-]\s|\s?\|\s?|:\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !DATE.test(part));
  const keys = new Set(others.map(({ name }) => brandKey(name)));
  const known = parts.find((part) => keys.has(brandKey(part)));
  if (known !== undefined) return known;
  return parts.length > 1 ? (parts.at(-1) ?? '') : '';
}

function copyrightName(text: string): string {
  const tail = text.slice(-20_000);
  const last = [...tail.matchAll(COPYRIGHT)].at(-1)?.[1] ?? '';
  return last.slice(0, RIGHTS.exec(last)?.index ?? last.length).trim();
}
