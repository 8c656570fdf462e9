import type { Metadata } from '@grpc/grpc-js';
import { parseJson, type Json } from '../../src/lib/json.ts';
import { readAtMost } from '../../src/net/read-body.ts';
import type { RestCall } from './bindings.ts';

/** An answer of the control Worker is not longer; what says so is not ours. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A call without a deadline of its own. */
const CALL_TIMEOUT_MS = 120_000;
/** Metadata that goes along as headers. */
const FORWARDED = ['authorization', 'x-goog-request-params', 'x-goog-user-project', 'x-goog-api-client', 'traceparent'];

/** Where calls go. */
export type Upstream = {
  /** Origin of the control Worker. */
  control: string;
  /** `Authorization` of calls that bring none. */
  authorization: string | undefined;
};

/** The control Worker could not be asked, or what it said is no JSON. */
export class UpstreamFailed extends Error {
  override name = 'UpstreamFailed';
}

/** Asks the control Worker. The body of the answer is not read. @throws UpstreamFailed; an AbortError when the signal says so */
export async function openCall(
  call: RestCall,
  metadata: Metadata,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<Response> {
  const { method, path, body } = call;
  try {
    return await fetch(`${upstream.control}${path}`, {
      method,
      headers: {
        ...readHeaders(metadata, upstream),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpstreamFailed('The control Worker does not answer', { cause: error });
  }
}

/** The signal of a call: its client's, and a time limit. */
export const limitCall = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);

/** What the reading of an answer threw, by whom: a signal that aborted, or the control Worker. */
const toReadError = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted ? error : new UpstreamFailed('The answer of the control Worker breaks off', { cause: error });

/**
 * The body of an answer; undefined where it has none.
 * @throws UpstreamFailed for one that breaks off, is too long or no JSON; an AbortError when the signal says so
 */
export async function readAnswer(response: Response, signal: AbortSignal): Promise<Json | undefined> {
  if (response.body === null) return undefined;
  const bytes = await readAtMost(response.body, MAX_ANSWER_BYTES).catch((error: unknown) => {
    throw toReadError(error, signal);
  });
  if (bytes === undefined) throw new UpstreamFailed('The answer of the control Worker is too long');
  if (bytes.byteLength === 0) return undefined;
  const json = parseJson(new TextDecoder().decode(bytes));
  if (json === undefined) throw new UpstreamFailed('The answer of the control Worker is no JSON');
  return json;
}

/** The body of an answer as text, as it comes. @throws UpstreamFailed where it breaks off; an AbortError when the signal says so */
export async function* readTexts(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* body.pipeThrough(new TextDecoderStream());
  } catch (error) {
    throw toReadError(error, signal);
  }
}

function readHeaders(metadata: Metadata, { authorization }: Upstream): Record<string, string> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  for (const name of FORWARDED) {
    const [value] = metadata.get(name);
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
