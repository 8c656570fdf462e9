import { MAX_QUOTE_CHARS } from './one-line.ts';

/** A full stop after one of these ends no sentence. */
const SHORT_FORMS =
  /(?:^|[\s(])(?:vs|e\.g|i\.e|etc|approx|inc|ltd|co|dr|st|mr|mrs|no|z\.b|d\.h|bzw|ca|usw|p\. ?ex|ej)$/iu;

/**
 * The sentence of `text` in which something stands, word for word. One longer than 240 characters is cut at spaces
 * so that `start` to `end` stays in it, with an ellipsis where something is left out.
 */
export function quoteAt(text: string, { start, end }: { start: number; end: number }): string {
  const from = sentenceStart(text, start);
  const to = sentenceEnd(text, end);
  if (to - from <= MAX_QUOTE_CHARS) return text.slice(from, to).trim();
  const first = Math.max(from, Math.min(start, to - MAX_KEPT_CHARS, end - MAX_KEPT_CHARS / 2));
  const left = first === from ? from : wordStart(text, first, start);
  const right = Math.min(to, left + MAX_KEPT_CHARS);
  const space = right === to ? to : text.lastIndexOf(' ', right);
  const last = Math.min(left + MAX_KEPT_CHARS, space > end ? space : Math.max(end, right));
  const kept = text.slice(left, last).trim();
  return `${left > from ? ELLIPSIS : ''}${kept}${last < to ? ELLIPSIS : ''}`;
}

const ELLIPSIS = '…';
/** Room for an ellipsis at each end. */
const MAX_KEPT_CHARS = MAX_QUOTE_CHARS - 2 * ELLIPSIS.length;

function wordStart(text: string, at: number, limit: number): number {
  if (text.charAt(at - 1) === ' ') return at;
  const space = text.indexOf(' ', at);
  return space === -1 || space >= limit ? Math.min(at, limit) : space + 1;
}

function sentenceStart(text: string, before: number): number {
  const least = Math.max(0, before - 2 * MAX_QUOTE_CHARS);
  for (let at = before; at > least; at -= 1) if (endsSentence(text, at - 1)) return at;
  return least;
}

function sentenceEnd(text: string, after: number): number {
  const most = Math.min(text.length, after + 2 * MAX_QUOTE_CHARS);
  for (let at = after; at < most; at += 1) if (endsSentence(text, at)) return at + 1;
  return most;
}

/** Whether the character at `at` ends a sentence: a mark before a space, or one of East Asia. */
function endsSentence(text: string, at: number): boolean {
  const mark = text.charAt(at);
  if ('。！？'.includes(mark) && mark !== '') return true;
  if (!'.!?'.includes(mark) || mark === '' || !/^(?:\s|$)/u.test(text.charAt(at + 1))) return false;
  return mark !== '.' || !SHORT_FORMS.test(text.slice(Math.max(0, at - 8), at));
}
