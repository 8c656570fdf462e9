import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, lookup } from '../../core/snapshot.ts';
import { ABOUT_PATHS, ABOUT_TEXTS, CONTACT_PATHS, CONTACT_TEXTS } from './about-words-data.ts';
import type { Anchor, PageFacts } from '../../page/facts/page-facts.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** The two pages that say who owns a site; also the roles of their exchanges. */
export const aboutRoles = ['about', 'contact'] as const;
export type AboutRole = (typeof aboutRoles)[number];

/** `link` is what the start page links to, undefined when it links to none; `exchange` what came back, undefined when not asked. */
export type AboutPage = { link: Anchor | undefined; exchange: Exchange | undefined };

/** `control` is the answer for a path that cannot exist: what tells a page from a catch-all. */
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
export function aboutLink(page: Pick<PageFacts, 'anchors'>, role: AboutRole, host: string): Anchor | undefined {
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
  const find = lookup(snapshot);
  const { host } = new URL(snapshot.url);
  const of = (role: AboutRole): AboutPage => ({ link: aboutLink(page.value, role, host), exchange: find(role) });
  return { state: 'ready', value: { about: of('about'), contact: of('contact'), control: find('control') } };
}

const isInternal = (href: string, host: string): boolean => /^https?:/.test(href) && URL.parse(href)?.host === host;

/** A path with more than this many segments is a page about something, not about the site. */
const MAX_SEGMENTS = 2;

function isNamedByPath(href: string, role: AboutRole): boolean {
  const segments = decoded(new URL(href).pathname)
    .split('/')
    .filter((segment) => segment !== '');
  const last = (segments.at(-1) ?? '').toLowerCase().replace(/\.(?:html?|php|aspx?)$/, '');
  return segments.length <= MAX_SEGMENTS && NAMES[role].paths.has(last);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A stray percent sign: the path is compared as it is.
  }
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
