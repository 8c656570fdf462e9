import type { PageFacts } from '../../page/facts/page-facts.ts';
import { getMetaContent } from '../../page/facts/page.ts';
import type { JsonLd } from './json-ld.ts';
import { listNodesOfType, listPropertyNodes, listPropertyTexts } from './schema-nodes.ts';

/** A name of the brand and the place that gives it. */
export type BrandName = { from: string; name: string };

const MAX_NAME_CHARS = 100;
const LEGAL_SUFFIX =
  /(?<![\s,])[\s,]+(?:inc|incorporated|llc|ltd|limited|plc|corp|corporation|company|co|gmbh|mbh|ag|kg|ug|se|sarl|sas|sa|srl|spa|bv|nv|ab|oy|as|aps|kk|pty|pte|ev|eg|kgaa|media|ооо|зао|株式会社|有限公司)$/iu;
const MAX_SUFFIXES = 4;
const COPYRIGHT =
  /(?:©|\(c\)|copyright)\s{0,3}(?:©\s{0,3})?(?:(?:19|20)\d\d(?:\s?[-–—]\s?(?:(?:19|20)?\d\d|present|heute))?[\s,]{0,3})?(?:by\s)?([^\n©|•·]{2,80})/giu;
const RIGHTS =
  /(?<![.,;\s])[.,;\s]*(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti|(?:19|20)\d\d)/iu;

/** News sites end a title with its date. */
const DATE =
  /^(?:\p{L}{3,10}\.?\s\d{1,2},?\s(?:19|20)\d\d|\d{1,2}\.?\s\p{L}{3,10}\.?\s(?:19|20)\d\d|(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2})$/u;

/** One spelling for comparison: no accents nor umlauts (`ö`, `oe` and `o` are one), lower case, no legal forms, no `www.` nor top-level domain, letters and digits only. */
export function normaliseBrandName(name: string): string {
  let plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll('ß', 'ss')
    .replace(/([aou])e/giu, '$1')
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/^([\p{L}\p{N}-]{2,60})\.(?:com|net|org|info|de|at|ch|fr|es|it|nl|pl|ru|co\.uk|uk|eu|io|tv|us)\/?$/u, '$1')
    .replace(/\.(?=\s|$)/g, '')
    .replace(/(?<=\p{L})\.(?=\p{L}(?:\s|$))/gu, '');
  for (let cut = 0; cut < MAX_SUFFIXES; cut += 1) {
    const shorter = plain.replace(LEGAL_SUFFIX, '');
    if (shorter === plain) break;
    plain = shorter;
  }
  return plain.replace(/^(?:the|der|die|das|la|le|el|los|il)\s/u, '').replace(/[^\p{L}\p{N}]/gu, '');
}

/** A shorter key is too common a part of other names. */
const MIN_CONTAINED = 3;

/** Whether two names are one brand: the same key, or one that contains the other. */
export function isSameBrand(one: string, other: string): boolean {
  const [a, b] = [normaliseBrandName(one), normaliseBrandName(other)];
  if (a === '' || b === '') return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return a === b || (short.length >= MIN_CONTAINED && long.includes(short));
}

/** The brand's name as the page gives it: in structured data and metadata, title, logo and copyright line. */
export function listBrandNames(page: PageFacts, jsonLd: JsonLd): readonly BrandName[] {
  const stated = listStatedNames(page, jsonLd).filter(({ name }) => normaliseBrandName(name) !== '');
  const copyright = { from: 'footer ©', name: extractCopyrightName(page.text) };
  const shown = [copyright].filter(({ name }) => normaliseBrandName(name) !== '');
  const host = new URL(page.url).hostname.replace(/^www\./, '');
  const home = listHomeTexts(page).map((name) => ({ from: 'logo', name }));
  const title = extractTitleName(page, [...stated, ...shown, { from: 'host', name: host }, ...home]);
  const titled = title === '' ? [] : [{ from: 'title', name: title }];
  const logo = findLogoName(page, [host, ...[...titled, ...stated, ...shown].map(({ name }) => name)]);
  return [...titled, ...stated, ...(logo === '' ? [] : [{ from: 'logo', name: logo }]), ...shown];
}

function listStatedNames(page: PageFacts, { graph }: JsonLd): readonly BrandName[] {
  const [webSite] = listNodesOfType(graph, 'WebSite').flatMap((node) => listPropertyTexts(graph, node, 'name'));
  const publisher = ['Article', 'WebPage', 'WebSite']
    .flatMap((type) => listNodesOfType(graph, type))
    .flatMap((node) => listPropertyNodes(graph, node, 'publisher'))
    .filter(({ types }) => types.length > 0 && !types.includes('Person'))
    .flatMap((node) => listPropertyTexts(graph, node, 'name'))[0];
  const organizations = listNodesOfType(graph, 'Organization');
  // Several organisations are those that the page writes about.
  const only = organizations.length === 1 ? organizations : [];
  const organization = only.flatMap((node) => listPropertyTexts(graph, node, 'name'))[0];
  return [
    { from: 'og:site_name', name: page.openGraph['site_name']?.[0] ?? '' },
    { from: 'application-name', name: getMetaContent(page, 'application-name') },
    { from: 'WebSite.name', name: webSite ?? '' },
    publisher === undefined
      ? { from: 'Organization.name', name: organization ?? '' }
      : { from: 'publisher.name', name: publisher },
  ];
}

const MAX_LOGO_CHARS = 80;

/** Texts of links to the start page, outside of the footer. */
function listHomeTexts(page: PageFacts): readonly string[] {
  const { origin } = new URL(page.url);
  return page.anchors
    .filter(({ href, region }) => region !== 'footer' && (href === `${origin}/` || href === origin))
    .map(({ text }) => text)
    .filter((text) => text.length >= MIN_CONTAINED && text.length <= MAX_LOGO_CHARS);
}

/**
 * The name in the link to the start page, which is the logo of most sites, if it is the name of the host or one that the
 * title or metadata have: such links say other things too.
 */
const findLogoName = (page: PageFacts, known: readonly string[]): string =>
  listHomeTexts(page).find((text) => known.some((name) => isSameBrand(text, name))) ?? '';

/** The part of a title that is the brand: one that another place names too. */
function extractTitleName(page: PageFacts, others: readonly BrandName[]): string {
  const parts = (page.titles[0] ?? '')
    .split(/\s[|–—·•:»«›/-]\s|\s?[|»«]\s?|:\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !DATE.test(part));
  const headline = normaliseBrandName(page.headings.find(({ level }) => level === 1)?.text ?? '');
  const known = parts
    .toReversed()
    .find((part) => normaliseBrandName(part) !== headline && others.some(({ name }) => isSameBrand(part, name)));
  return known ?? '';
}

/** Whose picture it is follows the sign too: only a line of its own near the end of the page names the owner. */
const NEAR_END_CHARS = 3000;
const CREDIT = /[/]|\b(?:foto|photo|getty|reuters|dpa|afp|imago|picture|bild)\b/iu;

function extractCopyrightName(text: string): string {
  const tail = text.slice(-NEAR_END_CHARS);
  const last = [...tail.matchAll(COPYRIGHT)].at(-1)?.[1] ?? '';
  const name = last.slice(0, RIGHTS.exec(last)?.index ?? last.length).trim();
  return CREDIT.test(name) || name.split(/\s+/).length > MAX_COPYRIGHT_WORDS ? '' : name;
}

/** A longer text behind the sign is a sentence. */
const MAX_COPYRIGHT_WORDS = 7;
