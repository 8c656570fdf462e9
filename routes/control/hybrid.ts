import { readSentObject } from '../../src/management/core/conventions/body.ts';
import { applyFields } from '../../src/lib/member-mask.ts';
import { readAnswerMask } from '../../src/management/core/conventions/fields.ts';
import { readCallQuery } from '../../src/management/core/conventions/parameters.ts';
import {
  readErrorFormat,
  parseQuery,
  type QueryPair,
  readStandardParameters,
} from '../../src/management/core/conventions/standard-parameters.ts';
import { authorizeCaller, toCallDenial, requireValue } from './authorize-call.ts';
import { type Answered, answeredJson, answeredRefusal } from '../../src/management/core/conventions/response-data.ts';
import type { IncomingCall, CallContext } from './call-context.ts';
import { hybridSchemas } from '../../src/management/interfaces/hybrid/answers-data.ts';
import { type HybridRow, findHybridRow } from '../../src/management/interfaces/hybrid/handlers.ts';

/** Twice the largest overrides file: line breaks and quotes take two characters in JSON. */
const MAX_BODY_BYTES = 2 * 1_024 * 1_024;

/**
 * Answers the methods that upgrade an overrides file of the hybrid runtime, by the conventions of all management methods.
 * They work on what is sent and nothing else: no object of a tenant is asked, nothing is kept or logged of a body.
 * Undefined: the request is none of these, and is refused as any other path.
 */
export async function answerHybrid(asked: IncomingCall, world: CallContext): Promise<Answered | undefined> {
  const row = asked.method === 'POST' && !isOverridden(asked) ? findHybridRow(asked.path) : undefined;
  if (row === undefined) return undefined;
  world.seen?.(row);
  const parsed = parseQuery(asked.query);
  const pairs = parsed.ok ? parsed.value : [];
  try {
    requireValue(parsed);
    return await run(row, pairs, asked, world);
  } catch (error) {
    const { refusal, challenge } = toCallDenial(error, row, world);
    return answeredRefusal(refusal, 'status', readErrorFormat(pairs), challenge);
  }
}

async function run(
  row: HybridRow,
  pairs: readonly QueryPair[],
  asked: IncomingCall,
  world: CallContext,
): Promise<Answered> {
  const { fields } = requireValue(readStandardParameters(pairs));
  await authorizeCaller(asked, row, world);
  requireValue(readCallQuery(pairs, row));
  const mask = requireValue(readAnswerMask(row, fields, hybridSchemas));
  const content = requireValue(await asked.body(MAX_BODY_BYTES));
  const contentType = asked.headers.get('content-type') ?? undefined;
  const answer = row.run(readSentObject({ content, contentType }, MAX_BODY_BYTES) ?? {});
  return withNoStore(answeredJson(mask === undefined ? answer : applyFields(mask, answer), readErrorFormat(pairs)));
}

/** None of these methods is meant by PATCH, PUT, DELETE or GET. */
const isOverridden = ({ headers }: IncomingCall): boolean =>
  (headers.get('x-http-method-override') ?? '').trim() !== '';

/** An overrides file may hold keys and passwords. */
const withNoStore = ({ headers, ...answer }: Answered): Answered => ({
  ...answer,
  headers: { ...headers, 'cache-control': 'no-store' },
});
