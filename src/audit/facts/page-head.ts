import type { Opener } from './page-elements.ts';
import { PAGE_LIMITS } from './page.ts';
import { type Frame, type Reading, absolute, attribute, hasRoom, tokens } from './page-state.ts';
import { oneLine } from './words.ts';

/** More titles than this say nothing new. */
const MAX_TITLES = 10;

const html: Opener = (reading, frame) => {
  if (reading.lang === '') reading.lang = attribute(frame, 'lang').trim();
};

/** Only the first `base[href]` counts (HTML, 4.2.3). */
const base: Opener = (reading, frame) => {
  const href = frame.attributes['href'];
  if (href === undefined || reading.baseUrl !== reading.url) return;
  const resolved = absolute(reading, attribute(frame, 'href'));
  if (/^https?:/i.test(resolved)) reading.baseUrl = resolved;
};

const meta: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'metas')) return;
  reading.metas.push({
    name: attribute(frame, 'name').trim().toLowerCase(),
    property: attribute(frame, 'property').trim().toLowerCase(),
    httpEquiv: attribute(frame, 'http-equiv').trim().toLowerCase(),
    content: attribute(frame, 'content').trim(),
    inHead: reading.inHead,
    line: frame.line,
  });
};

const link: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'linkTags')) return;
  const rawHref = attribute(frame, 'href');
  reading.linkTags.push({
    rels: tokens(attribute(frame, 'rel')),
    href: rawHref.trim() === '' ? '' : absolute(reading, rawHref),
    rawHref,
    type: attribute(frame, 'type').trim().toLowerCase(),
    hreflang: attribute(frame, 'hreflang').trim(),
    title: attribute(frame, 'title').trim(),
    inHead: reading.inHead,
    line: frame.line,
  });
};

const title: Opener = (reading) => {
  if (reading.titles.length >= MAX_TITLES) return undefined;
  return keepRaw(reading, PAGE_LIMITS.attributeChars, (text) => reading.titles.push(oneLine(text)));
};

const script: Opener = (reading, frame) => {
  countScript(reading, frame);
  if (
    !/^\s{0,9}application\/ld\+json\s{0,9}(?:;|$)/i.test(frame.attributes['type'] ?? '') ||
    !hasRoom(reading, 'jsonLd')
  )
    return undefined;
  return keepRaw(reading, PAGE_LIMITS.jsonLdChars, (text, truncated) => {
    reading.jsonLd.push({ text, line: frame.line, truncated });
  });
};

function countScript(reading: Reading, frame: Frame): void {
  const { scripts } = reading;
  scripts.total += 1;
  if (frame.attributes['src'] === undefined) scripts.inline += 1;
  else scripts.external += 1;
  if (frame.attributes['type']?.trim().toLowerCase() === 'module') scripts.module += 1;
}

function keepRaw(reading: Reading, limit: number, done: (text: string, truncated: boolean) => void): () => void {
  const raw = { parts: [] as string[], chars: 0, limit };
  reading.raw = raw;
  return () => {
    reading.raw = undefined;
    done(raw.parts.join(''), raw.chars > limit);
  };
}

export const headOpeners: readonly (readonly [string, Opener])[] = [
  ['html', html],
  ['base', base],
  ['meta', meta],
  ['link', link],
  ['title', title],
  ['script', script],
];
