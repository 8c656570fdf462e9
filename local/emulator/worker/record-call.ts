import { match } from '../../../src/management/core/table/router.ts';
import { parseJson, type Json } from '../../../src/lib/json.ts';
import { decodeUtf8Text } from '../../../src/lib/utf8.ts';
import { inflateAtMost } from '../../../src/net/inflate.ts';
import { readAtMost } from '../../../src/net/read-body.ts';
import { type BatchedCall, isBatchPath } from './batched-calls.ts';
import { MAX_BODY_CHARS, type ReceivedCalls, scrubBody, selectHeaders, selectQuery } from './received-calls.ts';

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

/** Whose a request is, and the parts that it has. */
type Sender = { tenant: string | null; batched: readonly BatchedCall[] };

/**
 * Answers a request and keeps what it was. The body is read beside the app; parts of a batch are kept as calls of
 * their own, which name it.
 */
export async function recordCall(
  request: Request,
  { tenant, batched }: Sender,
  calls: ReceivedCalls,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { headers } = request;
  const url = new URL(request.url);
  const time = new Date().toISOString();
  const reading = request.body === null ? undefined : readCopy(request.clone(), MAX_BODY_BYTES);
  const response = await answer(request);
  const bytes = reading && (await Promise.race([reading, scheduler.wait(BODY_WAIT_MS).then(() => undefined)]));
  const batch = calls.keep({
    time,
    tenant,
    httpMethod: request.method,
    path: url.pathname,
    method: findMethodId(request.method, url.pathname, headers),
    status: response.status,
    query: selectQuery(url.searchParams),
    headers: selectHeaders(headers),
    body: await readBody(bytes, headers),
  });
  if (batched.length > 0 && response.status === 200) await keepParts(response.clone(), { batched, time, batch }, calls);
  return response;
}

type Parts = { batched: readonly BatchedCall[]; time: string; batch: number };

async function keepParts(answer: Response, { batched, time, batch }: Parts, calls: ReceivedCalls): Promise<void> {
  const answered = await readCopy(answer, MAX_ANSWER_BYTES);
  if (answered === undefined) return;
  const statuses = [...new TextDecoder().decode(answered).matchAll(STATUS_LINE)].map(([, status]) => Number(status));
  for (const [place, { call, tenant }] of batched.entries()) {
    if (call === undefined) continue;
    const { method, path, query, body } = call;
    const headers = new Headers({ ...call.headers });
    calls.keep({
      time,
      tenant,
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
}

/** The id of the method that the router finds, after method override. */
function findMethodId(httpMethod: string, path: string, headers: Headers): string | null {
  if (httpMethod === 'POST' && isBatchPath(path)) return BATCH;
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
