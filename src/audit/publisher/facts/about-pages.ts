import { decodePercentOrKeep } from '../../../lib/percent.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import type { Anchor, PageFacts } from '../../page/facts/page-facts.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import {
  ABOUT_PATHS,
  ABOUT_TEXTS,
  CONTACT_PATHS,
  CONTACT_TEXTS,
  FOUNDER_UNSPACED,
  FOUNDER_WORDS,
  PLACE_UNSPACED,
  PLACE_WORDS,
  SINCE_UNSPACED,
  SINCE_WORDS,
  STREET_FORMS,
} from './publisher-words-data.ts';

/** What an About page says of an organisation: whether it names it, since when it exists, who began it, where it is. */
type AboutFacts = { named: boolean; facts: readonly ('year' | 'founder' | 'place')[]; excerpt: string };

/** The part of an About page that is read: the facts are at its beginning, or it does not state them. */
const MAX_CHARS = 30_000;

const YEAR = '(?:1[6-9]|20)\\d\\d';
const SINCE = new RegExp(
  `(?<!\\p{L})(?:${SINCE_WORDS})(?!\\p{L})[^.!?\\n]{0,40}?(?<!\\d)${YEAR}(?!\\d)|${SINCE_UNSPACED}`,
  'iu',
);
const FOUNDER = new RegExp(`(?<!\\p{L})(?:${FOUNDER_WORDS})(?!\\p{L})|${FOUNDER_UNSPACED}`, 'iu');
const PLACE = new RegExp(`(?<!\\p{L})(?:${PLACE_WORDS})\\s\\p{L}|${PLACE_UNSPACED}`, 'iu');
const STREETS = STREET_FORMS.map((source) => new RegExp(source, 'u'));

/** Whether a text holds a postal address, by the forms of streets and numbers. */
export const hasStreet = (text: string): boolean => STREETS.some((street) => street.test(text));

/** @param names of the organisation, any of which counts. */
export function buildAboutFacts(page: PageFacts, names: readonly string[]): AboutFacts {
  const main = getMainText(page).text;
  const text = (main === '' ? page.text : main).slice(0, MAX_CHARS);
  const lower = text.toLowerCase();
  const year = SINCE.exec(text);
  const founder = FOUNDER.exec(text);
  const place = PLACE.exec(text);
  const facts = [
    ...(year ? ['year' as const] : []),
    ...(founder ? ['founder' as const] : []),
    ...(place || hasStreet(text) || hasStatedLocality(page, lower) ? ['place' as const] : []),
  ];
  const at = year?.index ?? founder?.index ?? place?.index ?? 0;
  return {
    named: names.some((name) => name !== '' && lower.includes(name.toLowerCase())),
    facts,
    excerpt: text.slice(Math.max(0, at - 60), at + 140),
  };
}

/** The town of an address in structured data that the text names too. */
function hasStatedLocality(page: PageFacts, lower: string): boolean {
  const { graph } = getJsonLd(page);
  const towns = listNodesOfType(graph, 'PostalAddress').flatMap((node) =>
    listPropertyTexts(graph, node, 'addressLocality'),
  );
  return towns.slice(0, 20).some((town) => town.length > 2 && lower.includes(town.toLowerCase()));
}

/** The two pages that say who owns a site; also the roles of their exchanges. */
export const aboutRoles = ['about', 'contact'] as const;
export type AboutRole = (typeof aboutRoles)[number];

/** `link` is what the start page links to, undefined when it links to none; `exchange` what came back, undefined when not asked. */
export type AboutPage = { link: Anchor | undefined; exchange: Exchange | undefined };

/** `control` is the answer for a path that cannot exist: it separates a page from a catch-all. */
export type AboutPages = Readonly<Record<AboutRole, AboutPage>> & { control: Exchange | undefined };

const NAMES: Readonly<Record<AboutRole, { texts: ReadonlySet<string>; paths: ReadonlySet<string> }>> = {
  about: { texts: new Set(ABOUT_TEXTS.split('|')), paths: new Set(ABOUT_PATHS.split('|')) },
  contact: { texts: new Set(CONTACT_TEXTS.split('|')), paths: new Set(CONTACT_PATHS.split('|')) },
};

/**
 * The first internal link of a page that names its About or Contact page: by the last segment of its path, else by its
 * text ("About", "About Acme"). Twelve languages. Hidden links do not count.
 * @param host of the audited site: a link to another host is not its own page.
 */
export function findAboutLink(page: Pick<PageFacts, 'anchors'>, role: AboutRole, host: string): Anchor | undefined {
  const internal = page.anchors.filter(
    ({ href, hidden }) => isInternal(href, host) && (hidden === undefined || hidden === 'aria-hidden'),
  );
  return (
    internal.find(({ href }) => isNamedByPath(href, role)) ?? internal.find(({ text }) => isNamedByText(text, role))
  );
}

/** Artifact `aboutPages`: the About and Contact pages that the start page links to. */
export function readAboutPages(snapshot: Snapshot): Artifact<AboutPages> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const find = getExchangeLookup(snapshot);
  const { host } = new URL(snapshot.url);
  const of = (role: AboutRole): AboutPage => ({ link: findAboutLink(page.value, role, host), exchange: find(role) });
  return { state: 'ready', value: { about: of('about'), contact: of('contact'), control: find('control') } };
}

const isInternal = (href: string, host: string): boolean => /^https?:/.test(href) && URL.parse(href)?.host === host;

/** A path with more than this many segments is a page about something, not about the site. */
const MAX_SEGMENTS = 2;

function isNamedByPath(href: string, role: AboutRole): boolean {
  const segments = decodePercentOrKeep(new URL(href).pathname)
    .split('/')
    .filter((segment) => segment !== '');
  const last = (segments.at(-1) ?? '').toLowerCase().replace(/\.(?:html?|php|aspx?)$/, '');
  return segments.length <= MAX_SEGMENTS && NAMES[role].paths.has(last);
}

const MAX_TEXT_CHARS = 60;

/** The whole text, or its first word or two with the site's name behind ("About Acme"). */
function isNamedByText(text: string, role: AboutRole): boolean {
  const plain = text
    .toLowerCase()
    .replace(/[\s.:>›→»]{1,10}$/u, '')
    .trim();
  if (plain === '' || plain.length > MAX_TEXT_CHARS) return false;
  return NAMES[role].texts.has(plain) || (role === 'about' && /^about \p{L}[\p{L}\p{N}.’'-]{1,30}$/u.test(plain));
}
