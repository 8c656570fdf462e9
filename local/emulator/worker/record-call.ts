import { planBatch } from '../../../src/management/core/conventions/batch.ts';
import { match } from '../../../src/management/core/table/router.ts';
import { parseJson, type Json } from '../../../src/lib/json.ts';
import { decodeUtf8Text } from '../../../src/lib/utf8.ts';
import { inflateAtMost } from '../../../src/net/inflate.ts';
import { readAtMost } from '../../../src/net/read-body.ts';
import {
  MAX_BODY_CHARS,
  type ReceivedCall,
  type ReceivedCalls,
  scrubBody,
  selectHeaders,
  selectQuery,
} from './received-calls.ts';

/** Bytes of a body that are looked at. A longer one is not kept. */
const MAX_BODY_BYTES = 8 * 1_048_576;
/** After the answer, for a body whose end has not come: it is not kept then. */
const BODY_WAIT_MS = 100;
/** Of a compressed body: more would not be kept. */
const MAX_INFLATED_BYTES = 4 * MAX_BODY_CHARS;
/** Of the answer to a batch, whose parts have statuses of their own. */
const MAX_ANSWER_BYTES = 33 * 1_048_576;
/** Each part of an answer begins with its status line; JSON has no line breaks in its texts, so no body has such a line. */
const STATUS_LINE = /^HTTP\/1\.1 (\d{3})/gm;
const BATCH = 'conventions.batch';

/**
 * Answers a request and keeps what it was. The body is read beside the app; parts of a batch are kept as calls of
 * their own, which name it.
 */
export async function recordCall(
  request: Request,
  tenant: string | null,
  calls: ReceivedCalls,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { headers } = request;
  const url = new URL(request.url);
  const time = new Date().toISOString();
  const reading = request.body === null ? undefined : readCopy(request.clone(), MAX_BODY_BYTES);
  const response = await answer(request);
  const bytes = reading && (await Promise.race([reading, scheduler.wait(BODY_WAIT_MS).then(() => undefined)]));
  const common = { time, tenant };
  const number = calls.keep({
    ...common,
    httpMethod: request.method,
    path: url.pathname,
    method: findMethodId(request.method, url.pathname, headers),
    status: response.status,
    query: selectQuery(url.searchParams),
    headers: selectHeaders(headers),
    body: await readBody(bytes, headers),
  });
  if (url.pathname.startsWith('/batch') && bytes !== undefined && response.status === 200)
    return keepParts(response, { request, bytes, common, batch: number }, calls);
  return response;
}

type Batch = {
  request: Request;
  bytes: Uint8Array;
  common: Pick<ReceivedCall, 'time' | 'tenant'>;
  batch: number;
};

async function keepParts(
  response: Response,
  { request, bytes, common, batch }: Batch,
  calls: ReceivedCalls,
): Promise<Response> {
  const outer = { headers: Object.fromEntries(request.headers), query: new URL(request.url).search.slice(1) };
  const plan = planBatch(outer, bytes, request.headers.get('content-type'));
  const answered = await readCopy(response.clone(), MAX_ANSWER_BYTES);
  if (!plan.ok || answered === undefined) return response;
  const statuses = [...new TextDecoder().decode(answered).matchAll(STATUS_LINE)].map(([, status]) => Number(status));
  for (const [place, part] of plan.value.entries()) {
    if (!part.ok) continue;
    const { method, path, query, body } = part.call;
    const headers = new Headers({ ...part.call.headers });
    calls.keep({
      ...common,
      httpMethod: method,
      path,
      method: findMethodId(method, path, headers),
      status: statuses[place] ?? 0,
      query: selectQuery(new URLSearchParams(query)),
      headers: selectHeaders(headers),
      body: toKeptBody(body),
      batch,
    });
  }
  return response;
}

/** The id of the method that the router finds, after method override. */
function findMethodId(httpMethod: string, path: string, headers: Headers): string | null {
  if (httpMethod === 'POST' && /^\/batch(?:\/|$)/.test(path)) return BATCH;
  const override = headers.get('x-http-method-override')?.trim().toUpperCase();
  const method = httpMethod === 'POST' && override ? override : httpMethod === 'HEAD' ? 'GET' : httpMethod;
  const found = match(method, path);
  return found !== undefined && 'row' in found ? found.row.id : null;
}

async function readBody(bytes: Uint8Array | undefined, headers: Headers): Promise<Json> {
  if (bytes === undefined || !/\bjson\b/i.test(headers.get('content-type') ?? '')) return null;
  if (!/gzip$/i.test(headers.get('content-encoding')?.trim() ?? '')) return toKeptBody(decodeUtf8Text(bytes) ?? '');
  const { bytes: plain, end } = await inflateAtMost(new Uint8Array(bytes), 'gzip', MAX_INFLATED_BYTES);
  return end === 'whole' ? toKeptBody(decodeUtf8Text(plain) ?? '') : null;
}

function toKeptBody(text: string): Json {
  if (text.length > MAX_BODY_CHARS) return null;
  const parsed = parseJson(text);
  return parsed === undefined ? null : scrubBody(parsed);
}

/** The body of a copy; undefined where it is too long, or its sender broke off. */
const readCopy = ({ body }: Request | Response, maxBytes: number): Promise<Uint8Array | undefined> =>
  body === null ? Promise.resolve(undefined) : readAtMost(body, maxBytes).catch(() => undefined);
