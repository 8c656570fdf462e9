import * as z from 'zod';
import { escapeHtml, escapeMarkdownText, escapeXml, formatJsonForHtml } from '../../lib/safe-text.ts';
import { SLOTS, type Slot } from './fix-slots.ts';
import { getAnswerSchema, isAskedOnce, MAX_ANSWER_CHARS } from './slot-kinds.ts';

/** Answers of one facts file. */
const MAX_ANSWERS = 1000;
/** Characters of the line around a question. */
const MAX_NEAR_CHARS = 160;

/** What the owner of a site has answered, by the key of the question. */
export type Answers = ReadonlyMap<string, string>;

/**
 * One place that waits for a fact. `key` is its name in a facts file: that of the slot where one answer holds for
 * the whole site, else `<scope>/<slot>/<number>`. `near` is the line around it.
 */
export type Question = { key: string; scope: string; slot: Slot; asks: string; near: string };

/** The text with what is answered, and what it still asks for. */
export type Filled = { text: string; open: readonly Question[] };

/** A slot may carry the check that asks for it, until it is filled or shown. */
const TAGGED = /\[FACT NEEDED: ([^\][\r\n@]{1,200}?)(?: @([a-z0-9.-]{1,80}))?\]/gu;

const BY_TEXT: ReadonlyMap<string, Slot> = new Map(
  Object.entries(SLOTS).map(([name, asks]) => [asks, name as Slot] as const),
);

/** Marks the slots of a text as those of one check, unless they are marked. */
export const markSlots = (text: string, check: string): string =>
  text.replaceAll(TAGGED, (whole, asks: string, tag?: string) =>
    tag !== undefined || !BY_TEXT.has(asks) ? whole : `[FACT NEEDED: ${asks} @${check}]`,
  );

/**
 * Puts answers into the slots of a file, each as its place needs it. A slot without an answer stays, without its mark.
 * @param scope what keys begin with where a slot carries no check: the path of the file.
 */
export function fillSlots(text: string, mediaType: string, scope: string, answers: Answers): Filled {
  const open: Question[] = [];
  const counts = new Map<string, number>();
  const escapeAt = createEscapeChooser(text, mediaType);
  const filled = text.replaceAll(TAGGED, (whole, asks: string, tag: string | undefined, at: number) => {
    const slot = BY_TEXT.get(asks);
    if (slot === undefined) return whole;
    const place = `${tag ?? scope}/${slot}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
    const key = isAskedOnce(slot) ? slot : `${place}/${counts.get(place) ?? 1}`;
    const answer = answers.get(key);
    if (answer !== undefined) return escapeAnswer(answer, escapeAt(at));
    open.push({ key, scope: tag ?? scope, slot, asks, near: extractLine(text, at) });
    return `[FACT NEEDED: ${asks}]`;
  });
  return { text: filled, open };
}

type Escape = 'html' | 'json' | 'xml' | 'markdown' | 'plain';

/** How to write at ascending places of a file. Structured data inside a page is JSON, the rest of the page is HTML. */
function createEscapeChooser(text: string, mediaType: string): (at: number) => Escape {
  if (!mediaType.startsWith('text/html')) {
    const escape = selectEscape(mediaType);
    return () => escape;
  }
  const marks = [...text.matchAll(/<script\b[^<>]{0,500}ld\+json[^<>]{0,500}>|<\/script/giu)];
  let next = 0;
  return (at) => {
    while ((marks[next]?.index ?? Infinity) < at) next += 1;
    return marks[next - 1]?.[0].startsWith('</') === false ? 'json' : 'html';
  };
}

function selectEscape(mediaType: string): Escape {
  if (mediaType.includes('json')) return 'json';
  if (mediaType.includes('xml')) return 'xml';
  return mediaType.startsWith('text/markdown') ? 'markdown' : 'plain';
}

function escapeAnswer(answer: string, escape: Escape): string {
  if (escape === 'html') return escapeHtml(answer);
  if (escape === 'xml') return escapeXml(answer);
  if (escape === 'json') return formatJsonForHtml(answer).slice(1, -1);
  // An address has no sign that Markdown reads, and would lose its own by an escape.
  if (escape === 'markdown' && !/^(?:https:\/\/|mailto:)/u.test(answer))
    return escapeMarkdownText(answer, answer.length);
  return answer;
}

function extractLine(text: string, at: number): string {
  const from = Math.max(text.lastIndexOf('\n', at) + 1, at - MAX_NEAR_CHARS / 2);
  const end = text.indexOf('\n', at);
  const line = text.slice(from, Math.min(end === -1 ? text.length : end, from + MAX_NEAR_CHARS));
  return line.replaceAll(/ @[a-z0-9.-]{1,80}\]/gu, ']').trim();
}

/** A facts file that was read, or everything that is wrong with it. */
export type ParsedAnswers = { ok: true; answers: Answers } | { ok: false; faults: readonly string[] };

const factsSchema = z.record(z.string().max(300), z.string().max(2 * MAX_ANSWER_CHARS));

/** Reads a facts file: an object of answers by the key of their question. An empty answer is one that is not given yet. */
export function parseAnswers(value: unknown): ParsedAnswers {
  const read = factsSchema.safeParse(value);
  if (!read.success)
    return { ok: false, faults: ['A facts file is a JSON object whose values are texts: { "name": "Acme" }.'] };
  const entries = Object.entries(read.data).filter(([, answer]) => answer.trim() !== '');
  if (entries.length > MAX_ANSWERS) return { ok: false, faults: [`It has over ${MAX_ANSWERS} answers.`] };
  const faults: string[] = [];
  const answers = new Map<string, string>();
  for (const [key, answer] of entries) {
    const slot = findSlotOfKey(key);
    const parsed = slot === undefined ? undefined : getAnswerSchema(slot).safeParse(answer);
    if (!parsed) faults.push(`${JSON.stringify(key)} is no fact that a fix asks for${suggestKey(key)}`);
    else if (parsed.success) answers.set(key, parsed.data);
    else faults.push(`${JSON.stringify(key)} ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, answers };
}

/** A key of the whole site is a slot that is asked once; that of a place ends in the name of its slot and a number. */
function findSlotOfKey(key: string): Slot | undefined {
  if (Object.hasOwn(SLOTS, key)) return isAskedOnce(key as Slot) ? (key as Slot) : undefined;
  const name = /^[A-Za-z0-9._/-]{1,200}\/([A-Za-z]{1,40})\/\d{1,4}$/u.exec(key)?.[1] ?? '';
  return Object.hasOwn(SLOTS, name) && !isAskedOnce(name as Slot) ? (name as Slot) : undefined;
}

function suggestKey(key: string): string {
  const last = key.split('/').at(-2) ?? key;
  if (Object.hasOwn(SLOTS, key)) return `: each place has its own answer, "<place>/${key}/1"`;
  if (Object.hasOwn(SLOTS, last)) return `: one answer holds for the whole site, "${last}"`;
  return ': facts.json of the folder lists those that are asked for';
}
