import * as z from 'zod';
import { readAtMost } from './read-body.ts';

/** The texts of the TXT records of a name; none where there is no such name or record. */
export type TxtAnswer = { ok: true; texts: readonly string[] } | { ok: false; reason: 'lookup_failed'; detail: string };

/** Reads the TXT records of a name. Never throws for what the network does. */
export type TxtResolver = (name: string) => Promise<TxtAnswer>;

type ResolverOptions = {
  /** A resolver that answers `application/dns-json`, of the settings. */
  url: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
};

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Records of one name that are read. */
const MAX_RECORDS = 100;
const TXT = 16;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

const answerSchema = z.object({
  Status: z.int(),
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
});

const fail = (detail: string): TxtAnswer => ({ ok: false, reason: 'lookup_failed', detail });

/**
 * A resolver over HTTPS, for runtimes without one of their own.
 * @see https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
export function createTxtResolver({ url, fetch }: ResolverOptions): TxtResolver {
  return async (name) => {
    const asked = new URL(url);
    asked.searchParams.set('name', name);
    asked.searchParams.set('type', 'TXT');
    try {
      const answer = await fetch(asked.href, {
        headers: { accept: 'application/dns-json' },
        redirect: 'manual', // Workers know no 'error': a redirect is an answer that is not good.
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        return fail(`the resolver answers ${answer.status}`);
      }
      const bytes = answer.body === null ? new Uint8Array() : await readAtMost(answer.body, MAX_ANSWER_BYTES);
      return bytes === undefined
        ? fail('the answer of the resolver is too long')
        : readAnswer(new TextDecoder().decode(bytes));
    } catch (error) {
      return fail(
        error instanceof Error && error.name === 'TimeoutError'
          ? 'no answer in time'
          : 'the resolver cannot be reached',
      );
    }
  };
}

function readAnswer(text: string): TxtAnswer {
  const parsed = answerSchema.safeParse(parseJson(text));
  if (!parsed.success) return fail('the resolver answers no DNS message');
  const { Status: status, TC: isCut, Answer: records = [] } = parsed.data;
  if (status === NO_SUCH_NAME) return { ok: true, texts: [] };
  if (status !== NO_ERROR) return fail(`the lookup ended with code ${status}`);
  if (isCut === true || records.length > MAX_RECORDS) return fail('the name has too many records');
  return { ok: true, texts: records.filter(({ type }) => type === TXT).map(({ data }) => joinStrings(data)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A record is one or more strings in quotation marks (RFC 1035, section 3.3.14); some resolvers leave the marks out. */
function joinStrings(data: string): string {
  if (!data.startsWith('"')) return data;
  let [text, isInside] = ['', false];
  for (let at = 0; at < data.length; at += 1) {
    const one = data.charAt(at);
    if (one === '"') isInside = !isInside;
    else if (isInside && one === '\\') {
      at += 1;
      text += data.charAt(at);
    } else if (isInside) text += one;
  }
  return text;
}
