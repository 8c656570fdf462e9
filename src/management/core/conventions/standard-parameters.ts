import { parseMediaType } from '../../../lib/media-type.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { countUtf8Bytes } from '../../../lib/utf8.ts';
import { refuseBadParameter, refuseViolations, truncateSentText, refuseUnreadableRequest } from './invalid.ts';
import { MAX_LONG_TEXT_CHARS } from './names.ts';
import { type JudgementOutcome, captureOutcome } from './outcome.ts';

/** A query parameter as it was sent, decoded. */
export type QueryPair = readonly [name: string, value: string];

/** What every method takes beside its own parameters. */
export type StandardParameters = {
  /** The selection of a partial response, as sent. */
  fields?: string;
  prettyPrint: boolean;
  /** How enums are written in the answer. */
  enums: 'names' | 'numbers';
  /** `alt=media`: the content is asked for. */
  media?: true;
  /** An arbitrary word for counting one caller's users apart; at most 40 characters. */
  quotaUser?: string;
};

/** How an error is written, known even for a request that is refused for its parameters. */
export type ErrorFormat = { prettyPrint: boolean; xgafv?: '1' | '2' };

/** Of a whole query string as sent: a filter of 20,000 characters may be three times as long encoded. */
export const MAX_QUERY_CHARS = 65_536;
const MAX_PAIRS = 2_000;
const MAX_QUOTA_USER_CHARS = 40;

/** Names of the standard parameters, as the discovery documents have them, with the spellings of gRPC transcoding. */
const STANDARD: ReadonlySet<string> = new Set([
  '$.xgafv',
  'access_token',
  'alt',
  '$alt',
  'callback',
  '$callback',
  'fields',
  '$fields',
  'key',
  '$key',
  'oauth_token',
  'pp',
  'prettyPrint',
  '$prettyPrint',
  'quotaUser',
  'uploadType',
  'upload_protocol',
  // In no document: clients send them of their own (`STACK_QUERY_PARAMETERS` in Python, `googleapi.Trace` in Go).
  'strict',
  'trace',
  'userIp',
  'userip',
]);

export const isStandard = (name: string): boolean => STANDARD.has(name);

/** The pairs of a query string (with or without `?`), decoded. Broken percent-encoding becomes U+FFFD. */
export function parseQuery(text: string): JudgementOutcome<readonly QueryPair[]> {
  return captureOutcome(() => {
    if (text.length > MAX_QUERY_CHARS) throw new Refusal(refuseLongQuery(`${MAX_QUERY_CHARS} characters`));
    const pairs = [...new URLSearchParams(text)];
    if (pairs.length > MAX_PAIRS) throw new Refusal(refuseLongQuery(`${MAX_PAIRS} parameters`));
    return pairs;
  });
}

/** How the error of a request is written, whatever is wrong with its parameters. */
export function readErrorFormat(pairs: readonly QueryPair[]): ErrorFormat {
  const xgafv = findLastValue(pairs, '$.xgafv');
  const prettyPrint = parseTruth(findPrettyParameter(pairs)) ?? true;
  return xgafv === '1' || xgafv === '2' ? { prettyPrint, xgafv } : { prettyPrint };
}

/** What `alt` may ask for. */
export type Alt = 'json' | 'media';

/**
 * The standard parameters of a call; sent twice, the last one counts. Tokens in the query are refused with 401 and JSONP
 * with 400 (rule K5); `key` identifies nothing and is passed over.
 * @param alts what the method answers: most have JSON only
 */
export function readStandardParameters(
  pairs: readonly QueryPair[],
  alts: readonly Alt[] = ['json'],
): JudgementOutcome<StandardParameters> {
  return captureOutcome(() => {
    refuseTokens(pairs);
    for (const name of ['callback', '$callback', 'uploadType', 'upload_protocol'])
      if ((findLastValue(pairs, name) ?? '') !== '')
        throw new Refusal(refuseBadParameter(name, `The parameter '${name}' is not supported by this method.`));
    const fields = findLastValue(pairs, 'fields', '$fields');
    const quotaUser = findLastValue(pairs, 'quotaUser');
    if (fields !== undefined && fields.length > MAX_LONG_TEXT_CHARS)
      throw new Refusal(refuseBadParameter('fields', `Invalid field selection ${truncateSentText(fields)}`));
    if (quotaUser !== undefined && quotaUser.length > MAX_QUOTA_USER_CHARS)
      throw new Refusal(refuseBadParameter('quotaUser', `quotaUser has more than ${MAX_QUOTA_USER_CHARS} characters.`));
    return {
      ...(fields !== undefined && { fields }),
      ...(quotaUser !== undefined && { quotaUser }),
      prettyPrint: isPrettyPrinted(pairs),
      ...readAlt(pairs, alts),
    };
  });
}

function refuseTokens(pairs: readonly QueryPair[]): void {
  const name = pairs.find(([each]) => each === 'access_token' || each === 'oauth_token')?.[0];
  if (name !== undefined) throw new Refusal(refuseTokenInQuery(name));
}

function isPrettyPrinted(pairs: readonly QueryPair[]): boolean {
  const text = findPrettyParameter(pairs);
  const value = text === undefined ? true : parseTruth(text);
  if (value !== undefined) return value;
  const shown = JSON.stringify(truncateSentText(text ?? ''));
  throw new Refusal(refuseBadParameter('prettyPrint', `Invalid value at 'prettyPrint' (TYPE_BOOL), ${shown}`));
}

/** `alt=json`, and what gRPC transcoding adds: `$alt=json;enum-encoding=int`. */
function readAlt(pairs: readonly QueryPair[], alts: readonly Alt[]): Pick<StandardParameters, 'enums' | 'media'> {
  const alt = findLastValue(pairs, 'alt', '$alt') ?? 'json';
  const [type = '', ...options] = alt.split(';', MAX_ALT_PARTS).map((part) => part.trim().toLowerCase());
  if (type !== '' && !alts.some((each) => each === type))
    throw new Refusal(
      refuseBadParameter('alt', `Invalid value '${truncateSentText(alt)}'. Allowed values: [${alts.join(', ')}]`),
    );
  const enums = options.includes('enum-encoding=int') ? 'numbers' : 'names';
  return type === 'media' ? { enums, media: true } : { enums };
}

const MAX_ALT_PARTS = 8;

const findPrettyParameter = (pairs: readonly QueryPair[]): string | undefined =>
  findLastValue(pairs, 'prettyPrint', '$prettyPrint', 'pp');

const findLastValue = (pairs: readonly QueryPair[], ...names: readonly string[]): string | undefined =>
  pairs.findLast(([name]) => names.includes(name))?.[1];

function parseTruth(text: string | undefined): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** 401 that names the parameter and never its value. */
const refuseTokenInQuery = (name: string): RefusalData => ({
  status: 401,
  word: 'UNAUTHENTICATED',
  reason: 'required',
  message: `Login Required: send the token in the Authorization header, not as ${name}.`,
  location: { name: 'Authorization', type: 'header' },
});

const refuseLongQuery = (limit: string): RefusalData =>
  refuseViolations([{ description: `The query of the request is too long: at most ${limit} are allowed.` }]);

/** A request as its method override reads it. `override` is the header X-HTTP-Method-Override. */
type Overridable = {
  method: string;
  override?: string | null | undefined;
  contentType?: string | null | undefined;
  /** The query string without `?`. */
  query: string;
  body: Uint8Array | string;
};

const OVERRIDES: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE', 'GET']);

/**
 * The method, query and body that a request means. Only POST is overridden. A GET in a POST has its query in a form
 * body: clients do so with URLs over 2,048 characters. 400 for another word or another GET.
 */
export function applyOverride(sent: Overridable): JudgementOutcome<Pick<Overridable, 'method' | 'query' | 'body'>> {
  return captureOutcome(() => {
    const { method, query, body } = sent;
    const word = (sent.override ?? '').trim().toUpperCase();
    if (method !== 'POST' || word === '') return { method, query, body };
    if (!OVERRIDES.has(word)) throw new Refusal(refuseUnknownOverride(word));
    if (word !== 'GET') return { method: word, query, body };
    return { method: word, query: joinQueryParts(query, readFormBody(sent)), body: '' };
  });
}

/** Whether a body is a form by its type. */
export const isFormType = (contentType: string | null): boolean => parseMediaType(contentType ?? '') === FORM_TYPE;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The query of a call whose method takes no body and that came as a form: Ruby's client sends the query of such a POST so. */
export const readFormQuery = (
  sent: Omit<Overridable, 'override'>,
): JudgementOutcome<Pick<Overridable, 'method' | 'query'>> =>
  captureOutcome(() => ({ method: sent.method, query: joinQueryParts(sent.query, readFormBody(sent)) }));

function readFormBody({ body, contentType }: Omit<Overridable, 'override'>): string {
  const bytes = typeof body === 'string' ? countUtf8Bytes(body) : body.byteLength;
  if (bytes === 0) return '';
  if (!isFormType(contentType ?? ''))
    throw new Refusal(
      refuseUnreadableRequest('An overridden GET takes its query as application/x-www-form-urlencoded.'),
    );
  if (bytes > MAX_QUERY_CHARS)
    throw new Refusal(refuseUnreadableRequest(`The form is too long: at most ${MAX_QUERY_CHARS} bytes.`));
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

const joinQueryParts = (query: string, form: string): string =>
  [query, form.trim()].filter((part) => part !== '').join('&');

const refuseUnknownOverride = (word: string) =>
  refuseViolations([
    { description: `X-HTTP-Method-Override may be PATCH, PUT, DELETE or GET, not ${truncateSentText(word)}.` },
  ]);
