import { modelContextIn } from '../../controls/facts/model-context.ts';
import { oneLine } from '../../language/words.ts';
import { noteCaptcha, noteSubresource } from './embeds.ts';
import type { Opener } from './opener.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { absolute, attribute, type Frame, hasRoom, keepRaw, type Reading, tokens } from './state.ts';

/** Media types that a browser runs as a script (MIME Sniffing, JavaScript MIME type), `module`, and none at all. */
const RUNS =
  /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:jscript|livescript|javascript1\.\d))?$/;
const JSON_LD = /^application\/ld\+json$/;
/** Data that a client-side application reads at its start. */
const JSON_STATE = /^(?:text\/json|application\/(?:[\w.-]{1,60}\+)?json)$/;

/** Names under which frameworks put their state into the page, in the beginning of a script. */
const STATE =
  /\b(?:__NEXT_DATA__|__next_f|__NUXT__|__NUXT_DATA__|__remixContext|__reactRouterContext|__sveltekit_\w{1,20}|ytInitialData)\b|\b__(?:[A-Z]{1,20}_){0,4}(?:STATE|DATA|STORE|PROPS|CACHE)__/;
const STATE_HEAD_CHARS = 300;

/** Counts a script, keeps JSON-LD as written, and searches what may run. */
const script: Opener = (reading, frame) => {
  countScript(reading, frame);
  const type = (attribute(frame, 'type').split(';')[0] ?? '').trim().toLowerCase();
  if (JSON_LD.test(type)) return keepJsonLd(reading, frame);
  if (JSON_STATE.test(type)) return keepRaw(reading, 0, (_, chars) => void (reading.inlineChars.state += chars));
  if (!RUNS.test(type)) return undefined;
  noteScriptTag(reading, frame, type);
  if (frame.attributes['src'] !== undefined) return undefined;
  return keepRaw(reading, PAGE_LIMITS.scriptChars, (text, chars) => {
    if (chars > text.length) reading.capped.add('scriptChars');
    if (STATE.test(text.slice(0, STATE_HEAD_CHARS))) reading.inlineChars.state += chars;
    for (const host of modelContextIn(text)) reading.modelContext.add(host);
  });
};

function countScript(reading: Reading, frame: Frame): void {
  const { scripts } = reading;
  scripts.total += 1;
  if (frame.attributes['src'] === undefined) scripts.inline += 1;
  else scripts.external += 1;
  if (frame.attributes['type']?.trim().toLowerCase() === 'module') scripts.module += 1;
}

function keepJsonLd(reading: Reading, frame: Frame): (() => void) | undefined {
  if (!hasRoom(reading, 'jsonLd')) return undefined;
  return keepRaw(reading, PAGE_LIMITS.jsonLdChars, (text, chars) => {
    reading.jsonLd.push({ text, line: frame.line, truncated: chars > text.length });
  });
}

function noteScriptTag(reading: Reading, frame: Frame, type: string): void {
  const raw = attribute(frame, 'src');
  const src = raw.trim() === '' ? '' : absolute(reading, raw);
  noteSubresource(reading, frame, src);
  noteCaptcha(reading, src);
  if (!hasRoom(reading, 'scriptTags')) return;
  reading.scriptTags.push({
    src,
    type,
    async: frame.attributes['async'] !== undefined,
    defer: frame.attributes['defer'] !== undefined,
    inHead: reading.inHead,
    line: frame.line,
  });
}

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
