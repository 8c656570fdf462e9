import { parseMediaType } from '../../../lib/media-type.ts';
import { findModelContextHosts } from '../../controls/facts/scripts.ts';
import { toOneLine } from '../../language/words.ts';
import { recordCaptcha, recordSubresource } from './embeds.ts';
import {
  getAttribute,
  hasListRoom,
  keepRaw,
  splitAttributeTokens,
  toAbsolutePageUrl,
  type ElementCollector,
  type Frame,
  type PageReadState,
} from './state.ts';
import { PAGE_LIMITS } from './page-facts.ts';

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
const collectScript: ElementCollector = (reading, frame) => {
  countScript(reading, frame);
  const type = parseMediaType(getAttribute(frame, 'type'));
  if (JSON_LD.test(type)) return keepJsonLd(reading, frame);
  if (JSON_STATE.test(type)) return keepRaw(reading, 0, (_, chars) => void (reading.inlineChars.state += chars));
  if (!RUNS.test(type)) return undefined;
  recordScriptTag(reading, frame, type);
  if (frame.attributes['src'] !== undefined) return undefined;
  return keepRaw(reading, PAGE_LIMITS.scriptChars, (text, chars) => {
    if (chars > text.length) reading.capped.add('scriptChars');
    if (STATE.test(text.slice(0, STATE_HEAD_CHARS))) reading.inlineChars.state += chars;
    for (const host of findModelContextHosts(text)) reading.modelContext.add(host);
  });
};

function countScript(reading: PageReadState, frame: Frame): void {
  const { scripts } = reading;
  scripts.total += 1;
  if (frame.attributes['src'] === undefined) scripts.inline += 1;
  else scripts.external += 1;
  if (frame.attributes['type']?.trim().toLowerCase() === 'module') scripts.module += 1;
}

function keepJsonLd(reading: PageReadState, frame: Frame): (() => void) | undefined {
  if (!hasListRoom(reading, 'jsonLd')) return undefined;
  return keepRaw(reading, PAGE_LIMITS.jsonLdChars, (text, chars) => {
    reading.jsonLd.push({ text, line: frame.line, truncated: chars > text.length });
  });
}

function recordScriptTag(reading: PageReadState, frame: Frame, type: string): void {
  const raw = getAttribute(frame, 'src');
  const src = raw.trim() === '' ? '' : toAbsolutePageUrl(reading, raw);
  recordSubresource(reading, frame, src);
  recordCaptcha(reading, src);
  if (!hasListRoom(reading, 'scriptTags')) return;
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

const collectHtml: ElementCollector = (reading, frame) => {
  if (reading.lang === '') reading.lang = getAttribute(frame, 'lang').trim();
};

/** Only the first `base[href]` counts (HTML, 4.2.3). */
const collectBase: ElementCollector = (reading, frame) => {
  const href = frame.attributes['href'];
  if (href === undefined || reading.baseUrl !== reading.url) return;
  const resolved = toAbsolutePageUrl(reading, getAttribute(frame, 'href'));
  if (/^https?:/i.test(resolved)) reading.baseUrl = resolved;
};

const collectMeta: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'metas')) return;
  reading.metas.push({
    name: getAttribute(frame, 'name').trim().toLowerCase(),
    property: getAttribute(frame, 'property').trim().toLowerCase(),
    httpEquiv: getAttribute(frame, 'http-equiv').trim().toLowerCase(),
    content: getAttribute(frame, 'content').trim(),
    inHead: reading.inHead,
    line: frame.line,
  });
};

const collectLink: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'linkTags')) return;
  const rawHref = getAttribute(frame, 'href');
  const rels = splitAttributeTokens(getAttribute(frame, 'rel'));
  const href = rawHref.trim() === '' ? '' : toAbsolutePageUrl(reading, rawHref);
  if (rels.includes('stylesheet')) recordSubresource(reading, frame, href);
  reading.linkTags.push({
    rels,
    href,
    rawHref,
    type: getAttribute(frame, 'type').trim().toLowerCase(),
    hreflang: getAttribute(frame, 'hreflang').trim(),
    title: getAttribute(frame, 'title').trim(),
    inHead: reading.inHead,
    line: frame.line,
  });
};

const collectTitle: ElementCollector = (reading) => {
  if (reading.titles.length >= MAX_TITLES) return undefined;
  return keepRaw(reading, PAGE_LIMITS.attributeChars, (text) => reading.titles.push(toOneLine(text)));
};

export const headOpeners: readonly (readonly [string, ElementCollector])[] = [
  ['html', collectHtml],
  ['base', collectBase],
  ['meta', collectMeta],
  ['link', collectLink],
  ['title', collectTitle],
  ['script', collectScript],
];
