import { readCallBody, getMaxBodyBytes } from '../../src/management/core/conventions/body.ts';
import { withIntEnums } from '../../src/management/core/conventions/enum-numbers.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import { applyFields, type Mask } from '../../src/lib/member-mask.ts';
import { readAnswerMask, selectAnswerMembers } from '../../src/management/core/conventions/fields.ts';
import {
  type Alt,
  readErrorFormat,
  MAX_QUERY_CHARS,
  applyOverride,
  isFormType,
  parseQuery,
  type QueryPair,
  readFormQuery,
  readStandardParameters,
  type StandardParameters,
} from '../../src/management/core/conventions/standard-parameters.ts';
import { readPathParameters, readCallQuery } from '../../src/management/core/conventions/parameters.ts';
import {
  type Answered,
  answeredEmpty,
  answeredJson,
  answeredMedia,
  answeredParts,
  answeredRefusal,
  type AnsweredStream,
  answeredStream,
  cutToRange,
} from '../../src/management/core/conventions/response-data.ts';
import { getObjectList, type JsonObject } from '../../src/lib/json.ts';
import type { CallAnswer, Call } from '../../src/management/core/engine/operation.ts';
import type { Caller, Tenant } from '../../src/management/core/engine/tenant.ts';
import { findInterface } from '../../src/management/core/interfaces.ts';
import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import { match } from '../../src/management/core/table/router.ts';
import { getSchemas } from '../../src/management/core/table/schemas.ts';
import {
  admitCaller,
  authorizeCaller,
  Denial,
  toCallDenial,
  requireValue,
  identifyCaller,
  requireNames,
} from './authorize-call.ts';
import { pushChangedLimits } from './bindings/service-limits.ts';
import { askTenant, ensureTenant } from './bindings/tenants.ts';
import type { IncomingCall, CallContext } from './call-context.ts';

/** Rows that are no calls by these conventions: batches (batch.ts), and AI Search, which has its vendor's own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['conventions', 'aisearch']);

/**
 * What a request means, after method override: it decides the form of the answer even for a refusal. `form`: its query
 * came as the body, which was read only once its caller was known.
 */
type ParsedCall = {
  row: MethodRow;
  path: Readonly<Record<string, string>>;
  pairs: readonly QueryPair[];
  form?: { caller: Caller };
};

/**
 * Answers a call of a management method. It asks two others: the authorization server about its token, and the tenant's
 * object, once. Refusals and bugs are answers too.
 */
export async function answerCall(asked: IncomingCall, world: CallContext): Promise<Answered | AnsweredStream> {
  let pairs: readonly QueryPair[] = [];
  let row: MethodRow | undefined;
  try {
    const meant = await parseCall(asked, world, (found) => {
      pairs = found;
    });
    ({ row } = meant);
    world.seen?.(row);
    return await run(meant, asked, world);
  } catch (error) {
    const { refusal, challenge } = toCallDenial(error, row, world);
    return answeredRefusal(refusal, getRefusalFormat(row, asked.path), readErrorFormat(pairs), challenge);
  }
}

async function parseCall(
  asked: IncomingCall,
  world: CallContext,
  seen: (pairs: readonly QueryPair[]) => void,
): Promise<ParsedCall> {
  const override = asked.headers.get('x-http-method-override');
  const isLongGet = asked.method === 'POST' && override?.trim().toUpperCase() === 'GET';
  const { path, query, headers } = asked;
  if (isLongGet) requireRow('GET', path);
  const isBare = !isLongGet && isFormWithoutBody(asked);
  const isForm = isLongGet || isBare;
  const form = isForm ? { caller: await identifyCaller(headers, world) } : undefined; // No token, no body.
  const body = isForm ? requireValue(await asked.body(MAX_QUERY_CHARS)) : new Uint8Array();
  const method = asked.method === 'HEAD' ? 'GET' : asked.method;
  const contentType = headers.get('content-type');
  const sent = { method, contentType, query, body };
  const meant = requireValue(isBare ? readFormQuery(sent) : applyOverride({ ...sent, override }));
  const pairs = requireValue(parseQuery(meant.query));
  seen(pairs);
  return { ...requireRow(meant.method, path), pairs, ...(form === undefined ? {} : { form }) };
}

/** Whether a call of a method that takes no body has a form for one: its query. */
function isFormWithoutBody({ method, path, headers }: IncomingCall): boolean {
  if (method !== 'POST' && method !== 'PUT') return false;
  if (headers.has('x-http-method-override') || !isFormType(headers.get('content-type'))) return false;
  return requireRow(method, path).row.request === undefined;
}

/** @throws Denial where no row of these conventions matches */
function requireRow(method: string, path: string): Pick<ParsedCall, 'row' | 'path'> {
  const found = match(method, path);
  if (found === undefined || !('row' in found) || ELSEWHERE.has(found.row.interface))
    throw new Denial(requestRefusals.notFoundUrl());
  return found;
}

async function run(
  { row, path, pairs, form }: ParsedCall,
  asked: IncomingCall,
  world: CallContext,
): Promise<Answered | AnsweredStream> {
  const standard = requireValue(readStandardParameters(pairs, listAlts(row, world)));
  const caller =
    form === undefined ? await authorizeCaller(asked, row, world) : await admitCaller(form.caller, row, world);
  const schemas = getSchemas(row.interface, row.version);
  const parameters = {
    path: requireValue(readPathParameters(path, row)),
    query: requireValue(readCallQuery(pairs, row)),
  };
  const mask = requireValue(readAnswerMask(row, standard.fields, schemas));
  const content = form === undefined ? requireValue(await asked.body(getMaxBodyBytes(row))) : new Uint8Array();
  const contentType = asked.headers.get('content-type') ?? undefined;
  const body = requireValue(readCallBody({ content, contentType }, row, schemas));
  const tenant = await ensureTenant(caller.tenant, world.env, world.settings);
  await requireNames(row, { ...parameters, body }, caller, world);
  const selection = mask && selectAnswerMembers(mask);
  const call: Call = { method: row.id, ...parameters, body, caller, ...readCallConditions(asked.headers, standard) };
  const answer = await ask(tenant, selection === undefined ? call : { ...call, selection }, world);
  await pushChangedLimits(tenant.id, row.id, world.env);
  if (answer instanceof ReadableStream) return answeredStream(answer);
  const whole = formatCallAnswer(answer, row, standard, mask, pairs);
  return standard.media === true ? cutToRange(whole, readRange(asked.headers, whole.headers['etag'])) : whole;
}

/** The part that is asked for, unless it is that of another version (`If-Range`). */
function readRange(headers: Headers, etag: string | undefined): string | null {
  const version = headers.get('if-range');
  return version === null || version === etag ? headers.get('range') : null;
}

/** The question to the tenant. */
function ask(
  tenant: Tenant,
  call: Call,
  { env, maxAnswerChars }: CallContext,
): Promise<CallAnswer | ReadableStream<Uint8Array>> {
  const limited = maxAnswerChars === undefined ? call : { ...call, maxAnswerChars };
  return askTenant(tenant, limited, env);
}

function formatCallAnswer(
  answer: CallAnswer,
  row: MethodRow,
  standard: StandardParameters,
  mask: Mask | undefined,
  pairs: readonly QueryPair[],
): Answered {
  if (!answer.ok) throw new Denial(answer.refusal);
  if (answer.status === 204) return answeredEmpty(204);
  if (answer.status === 304) return answeredEmpty(304, answer.etag);
  if (answer.media !== undefined) return answeredMedia(answer.media, answer.etag);
  const look = readErrorFormat(pairs);
  const show = (body: JsonObject): JsonObject => {
    const part = mask === undefined ? body : applyFields(mask, body);
    if (standard.enums === 'names' || row.response === undefined) return part;
    return withIntEnums(part, row.response, getSchemas(row.interface, row.version));
  };
  if (row.parts === true) return answeredParts(getObjectList(answer.body, 'parts').map(show), look);
  return answeredJson(show(answer.body), look, answer.etag);
}

/** A part of a batch is answered with JSON only. */
const listAlts = (row: MethodRow, { maxAnswerChars }: CallContext): readonly Alt[] =>
  row.media === true && maxAnswerChars === undefined ? ['json', 'media'] : ['json'];

function readCallConditions(
  headers: Headers,
  { media }: StandardParameters,
): Pick<Call, 'ifMatch' | 'ifNoneMatch' | 'asMedia'> {
  const [ifMatch, ifNoneMatch] = [headers.get('if-match'), headers.get('if-none-match')];
  return {
    ...(ifMatch === null ? {} : { ifMatch }),
    ...(ifNoneMatch === null ? {} : { ifNoneMatch }),
    ...(media === true && { asMedia: true }),
  };
}

/** A path of no row is answered as the interfaces at its place answer. */
export function getRefusalFormat(row: MethodRow | undefined, path: string): 'legacy' | 'status' {
  if (row === undefined) return /^\/v\d/.test(path) ? 'status' : 'legacy';
  return findInterface(row.interface, row.version)?.errors === 'legacy' ? 'legacy' : 'status';
}
