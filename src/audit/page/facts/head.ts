import { noteSubresource } from './embeds.ts';
import type { Opener } from './opener.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { script } from './scripts.ts';
import { absolute, attribute, hasRoom, keepRaw, tokens } from './state.ts';
import { oneLine } from '../../language/words.ts';

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
  const rels = tokens(attribute(frame, 'rel'));
  const href = rawHref.trim() === '' ? '' : absolute(reading, rawHref);
  if (rels.includes('stylesheet')) noteSubresource(reading, frame, href);
  reading.linkTags.push({
    rels,
    href,
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

export const headOpeners: readonly (readonly [string, Opener])[] = [
  ['html', html],
  ['base', base],
  ['meta', meta],
  ['link', link],
  ['title', title],
  ['script', script],
];
