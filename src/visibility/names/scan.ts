import type { FoldedText } from './folded-text.ts';
import { type NameForm, type NamePart, TOP_LEVEL } from './forms.ts';
import { isInsideWord } from './word-edges.ts';

/** A place where a form of a name stands as complete words. Positions are in the folded text. */
export type NameHit = {
  start: number;
  end: number;
  form: NameForm;
  /** Whether its words are written apart there. */
  isSplit: boolean;
  /** Whether it is the first part of a domain: "acme.com". */
  isDomain: boolean;
};

/** Places of one form in one block that are looked at: a name that stands behind so many others of it is not seen. */
const MAX_HITS = 1000;

/** Where the forms of a name stand in a text, whatever their capitals, in order and without overlap; the longest first. */
export function hitsOf(text: FoldedText, forms: readonly NameForm[]): readonly NameHit[] {
  const found = forms.flatMap((form) => hitsOfForm(text, form));
  if (found.length < 2) return found;
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((hit) => {
    if (hit.start < end) return false;
    end = hit.end;
    return true;
  });
}

function hitsOfForm(text: FoldedText, form: NameForm): readonly NameHit[] {
  const [first, ...rest] = form.parts;
  if (first === undefined) return [];
  const hits: NameHit[] = [];
  let from = text.lower.indexOf(first.lower);
  for (; from !== -1 && hits.length < MAX_HITS; from = text.lower.indexOf(first.lower, from + 1)) {
    const end = endOf(text.lower, rest, from + first.lower.length);
    if (end === undefined) continue;
    const hit = hitAt(text, form, from, end);
    if (hit === undefined) continue;
    hits.push(hit);
    from = end - 1;
  }
  return hits;
}

/** The end of the parts that follow `position`; undefined when the text goes on otherwise. */
function endOf(lower: string, parts: readonly NamePart[], position: number): number | undefined {
  let end: number | undefined = position;
  for (const part of parts) {
    end = part.kind === 'and' ? andEnd(lower, end) : partEnd(lower, part, end);
    if (end === undefined) return undefined;
  }
  return end;
}

function partEnd(lower: string, part: NamePart, position: number): number | undefined {
  if (lower.startsWith(part.lower, position)) return position + part.lower.length;
  const { ownGap } = part;
  if (ownGap !== '' && lower.startsWith(ownGap + part.lower, position))
    return position + ownGap.length + part.lower.length;
  if (part.isQuotable) {
    const gap = QUOTED_GAP.exec(lower.slice(position, position + MAX_QUOTED_GAP))?.[0] ?? '';
    if (gap !== '' && lower.startsWith(part.lower, position + gap.length))
      return position + gap.length + part.lower.length;
  }
  const isGap = position < lower.length && part.gap.includes(lower.charAt(position));
  return isGap && lower.startsWith(part.lower, position + 1) ? position + 1 + part.lower.length : undefined;
}

/** A quote on either side of a space, or without one. */
const QUOTED_GAP = /^"?[ -]?"?/u;
const MAX_QUOTED_GAP = 3;

const AND = [' & ', '&', ' and ', ' und ', ' et ', ' y ', ' + '] as const;
/** Between numbers only these are a name: "1 + 1" and "1 and 1" are sums. */
const AND_OF_NUMBERS = [' & ', '&', ' und ', 'und'] as const;

function andEnd(lower: string, position: number): number | undefined {
  const isNumber = /\d/u.test(lower.charAt(position - 1));
  const sign = (isNumber ? AND_OF_NUMBERS : AND).find((one) => lower.startsWith(one, position));
  return sign === undefined ? undefined : position + sign.trimEnd().length;
}

function hitAt(text: FoldedText, form: NameForm, start: number, end: number): NameHit | undefined {
  if (isInsideWord(text.lower, start, end)) return undefined;
  const { exact } = text;
  const domain = domainAfter(exact, end);
  if (domain === 'other_host' || isMailHost(exact, start)) return undefined;
  if (domain === 'domain' && isHostPart(exact, start)) return undefined;
  const letters = form.parts.reduce((sum, { lower }) => sum + lower.length, 0);
  const isMarked = form.mark !== '' && exact.charAt(end) === form.mark;
  return {
    start,
    end: isMarked ? end + 1 : end,
    form,
    isSplit: end - start > letters,
    isDomain: domain === 'domain',
  };
}

/** Longest run of letters, digits and dots that is read as the rest of a host name. */
const MAX_HOST_CHARS = 80;
const HOST_REST = /^\.([a-z0-9-]{1,24}(?:\.[a-z0-9-]{1,24}){0,4})(?![a-z0-9-])/iu;

/** What a dot right after a name makes of it: a domain, the host of somebody else, or nothing. */
function domainAfter(exact: string, end: number): 'domain' | 'other_host' | undefined {
  if (exact.charAt(end) !== '.') return undefined;
  const rest = HOST_REST.exec(exact.slice(end, end + MAX_HOST_CHARS))?.[1];
  if (rest === undefined || /^\p{Lu}/u.test(rest)) return undefined;
  const labels = rest.split('.');
  if (labels.length === 1) return TOP_LEVEL.test(rest) ? 'domain' : undefined;
  const isCountry = labels.length === 2 && /^(?:com?|org|net|ac|gov)\.[a-z]{2}$/u.test(rest);
  return isCountry ? 'domain' : 'other_host';
}

/** Whether the name is the host of a mail address: nobody speaks of a brand there. */
const isMailHost = (exact: string, start: number): boolean =>
  exact.charAt(start - 1) === '@' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 2));

/** Whether a domain starts before the name: "on-target.com". */
const isHostPart = (exact: string, start: number): boolean =>
  exact.charAt(start - 1) === '-' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 2));
