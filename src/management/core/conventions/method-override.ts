import { Refusal } from '../../../lib/refusal.ts';
import { badRequest, shownText, unreadable } from './invalid.ts';
import { utf8Bytes } from './names.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { MAX_QUERY_CHARS } from './standard-parameters.ts';

/** A request as its method override reads it. `override` is the header X-HTTP-Method-Override. */
export type Overridable = {
  method: string;
  override?: string | null | undefined;
  contentType?: string | null | undefined;
  /** The query string without `?`. */
  query: string;
  body: Uint8Array | string;
};

const OVERRIDES: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE', 'GET']);

/**
 * The method, query and body that a request means (seed 2, "Patch" 2). Only POST is overridden. A GET in a POST has its query
 * in a form body: clients do so with URLs over 2,048 characters. 400 for another word or another GET.
 */
export function overridden(sent: Overridable): Outcome<Pick<Overridable, 'method' | 'query' | 'body'>> {
  return outcomeOf(() => {
    const { method, query, body } = sent;
    const word = (sent.override ?? '').trim().toUpperCase();
    if (method !== 'POST' || word === '') return { method, query, body };
    if (!OVERRIDES.has(word)) throw new Refusal(unknownOverride(word));
    if (word !== 'GET') return { method: word, query, body };
    return { method: word, query: joined(query, formOf(sent)), body: '' };
  });
}

function formOf({ body, contentType }: Overridable): string {
  const bytes = typeof body === 'string' ? utf8Bytes(body) : body.byteLength;
  if (bytes === 0) return '';
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new Refusal(unreadable('An overridden GET takes its query as application/x-www-form-urlencoded.'));
  if (bytes > MAX_QUERY_CHARS) throw new Refusal(unreadable(`The form is too long: at most ${MAX_QUERY_CHARS} bytes.`));
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

const joined = (query: string, form: string): string => [query, form.trim()].filter((part) => part !== '').join('&');

const unknownOverride = (word: string) =>
  badRequest([{ description: `X-HTTP-Method-Override may be PATCH, PUT, DELETE or GET, not ${shownText(word)}.` }]);
