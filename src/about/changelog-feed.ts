import { PRODUCT } from '../lib/product.ts';
import { escapeXml } from '../lib/safe-text.ts';

/** A section of the change log, as the build cuts it. */
export type ChangeSection = {
  /** `Unreleased`, or the version. */
  release: string;
  heading: string;
  /** Anchor on the page. */
  id: string;
  /** The day on which it changed last, `2026-11-29`. */
  changed: string;
  markdown: string;
};

/** The change log, as the build writes it. */
export type Changelog = { changed: string; sections: readonly ChangeSection[] };

/** Entries of the feed, and characters of the text of one: the page has all. */
export const FEED_ENTRIES = 50;
const ENTRY_CHARS = 4_000;

/**
 * What changed last, as Atom: an entry for each section of the change log. The text is that of its Markdown.
 * @see https://www.rfc-editor.org/rfc/rfc4287
 */
export function formatChangesFeed({ changed, sections }: Changelog, baseUrl: string): string {
  const newest = sections.toSorted((a, b) => (a.changed < b.changed ? 1 : a.changed > b.changed ? -1 : 0));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>${escapeXml(`${baseUrl}/changelog`)}</id>`,
    `<title>${escapeXml(`Changes of ${PRODUCT}`)}</title>`,
    `<updated>${formatMidnight(changed)}</updated>`,
    `<author><name>${escapeXml(PRODUCT)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${baseUrl}/feed.xml`)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${baseUrl}/changelog`)}"/>`,
    ...newest.slice(0, FEED_ENTRIES).map((section) => formatEntry(section, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

/** Days are all that the history of the file says. */
const formatMidnight = (day: string): string => `${day}T00:00:00Z`;

function formatEntry({ release, heading, id, changed, markdown }: ChangeSection, baseUrl: string): string {
  const address = escapeXml(`${baseUrl}/changelog#${id}`);
  const text = markdown.length > ENTRY_CHARS ? `${markdown.slice(0, ENTRY_CHARS)}…` : markdown;
  return [
    '<entry>',
    `<id>${address}</id>`,
    `<title>${escapeXml(`${heading} (${release})`)}</title>`,
    `<updated>${formatMidnight(changed)}</updated>`,
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<content type="text">${escapeXml(text)}</content>`,
    '</entry>',
  ].join('\n');
}
