import { formatPlainLine } from '../../lib/safe-text.ts';
import { classifyHost } from '../../net/address.ts';
import { type AnswerSource, MAX_CITATIONS, MAX_SOURCE_SPANS, MAX_SOURCE_TITLE_CHARS } from '../port.ts';

/** Longest URL of a source that is kept, in characters. */
const MAX_URL_CHARS = 2048;
/** Sources and marks of an answer that are read: beyond, the rest are dropped unseen. */
export const MAX_FOUND_SOURCES = 1_000;

/** A source as an engine gives it, once for each stretch of the text: UTF-16 offsets [from, to) in what it wrote. */
export type FoundSource = {
  url: string;
  title?: string | undefined;
  span?: readonly [number, number] | undefined;
};

/** The sources that an engine gives, and the text in which their stretches are measured. */
export type FoundSources = { text: string; found: readonly FoundSource[] };

/** A source as vendors spell it: a title that is null, or no text, is none. */
export const toFoundSource = (
  { url, title }: { url: string; title?: string | null | undefined },
  span?: readonly [number, number],
): FoundSource => ({ url, title: title ?? undefined, span });

/** The sources of a text; undefined where none were asked for and none came, which is "not measured". */
export const collectFoundSources = (
  text: string,
  found: readonly FoundSource[],
  { webSearch }: { webSearch: boolean },
): FoundSources | undefined => (webSearch || found.length > 0 ? { text, found } : undefined);

/** What is kept of the text that an engine wrote: it begins after `cutBefore` characters and has `length`. */
export type KeptText = { written: string; cutBefore: number; length: number };

/**
 * Sources that a reader could open, each once, in the order of the engine, with the stretches of the kept text that each is
 * given for. Stretches in another text than the one that was kept are left out.
 */
export function gatherSources({ text, found }: FoundSources, kept: KeptText): readonly AnswerSource[] {
  const byUrl = new Map<string, { title: string | undefined; spans: [number, number][] }>();
  const isMeasured = text === kept.written;
  for (const { url, title, span } of found.slice(0, MAX_FOUND_SOURCES)) {
    const known = byUrl.get(url);
    if (known === undefined && (byUrl.size >= MAX_CITATIONS || !isOpenable(url))) continue;
    const source = known ?? { title: undefined, spans: [] };
    source.title ??= cutTitle(title);
    if (isMeasured && span !== undefined) addSpan(source.spans, span, kept);
    byUrl.set(url, source);
  }
  return [...byUrl].map(([url, { title, spans }]) => ({
    url,
    ...(title === undefined ? {} : { title }),
    ...(spans.length === 0 ? {} : { spans }),
  }));
}

/** Whether an address is an http(s) one that is public and holds no password. */
export function isOpenable(text: string): boolean {
  if (text.length > MAX_URL_CHARS || !/^https?:\/\//iu.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return username === '' && password === '' && classifyHost(hostname).kind === 'public';
}

function addSpan(
  spans: [number, number][],
  [from, to]: readonly [number, number],
  { cutBefore, length }: KeptText,
): void {
  const [start, end] = [Math.max(0, from - cutBefore), Math.min(length, to - cutBefore)];
  if (spans.length >= MAX_SOURCE_SPANS || !Number.isInteger(start) || !Number.isInteger(end) || start >= end) return;
  if (!spans.some((span) => span[0] === start && span[1] === end)) spans.push([start, end]);
}

/** A title on one line, cut between two characters; undefined for one that says nothing. */
function cutTitle(title: string | undefined): string | undefined {
  const line = title === undefined ? '' : formatPlainLine(title, MAX_SOURCE_TITLE_CHARS);
  return line === '' ? undefined : line;
}
