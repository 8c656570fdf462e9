import { isJsonType, readSentObject } from '../../../src/management/core/conventions/body.ts';
import { parseQuery } from '../../../src/management/core/conventions/standard-parameters.ts';
import type { CallAnswer } from '../../../src/management/core/engine/operation.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import { type RefusalData, vendorRefusals } from '../../../src/lib/refusal.ts';
import type { MethodRow } from '../../../src/management/core/table/method-row.ts';
import { match } from '../../../src/management/core/table/router.ts';
import { authorizeCaller, Denial, toCallDenial, requireValue, requireNames } from '../authorize-call.ts';
import type {
  Answered,
  AnsweredPieces,
  AnsweredStream,
} from '../../../src/management/core/conventions/response-data.ts';
import type { IncomingCall, CallContext } from '../call-context.ts';
import { getResourceStore, ensureTenant } from '../bindings/tenants.ts';
import {
  answerNoRoute,
  answerProblem,
  answerResult,
} from '../../../src/management/interfaces/aisearch/envelope/envelope.ts';
import { executeSearchOrder } from './orders.ts';
import { readUploadForm, type SentForm } from './upload.ts';

type Path = Readonly<Record<string, string>>;
type Sent = { body: JsonObject; form?: SentForm };

/** Where the vendor's client expects its interface below an origin. */
const PREFIX = '/client/v4/';
/** Of a body that is no upload: the longest chat and the longest filter are far below it. */
const MAX_BODY_BYTES = 1_048_576;

/** Whether a path is one of AI Search, which has its vendor's conventions and none of the other interfaces'. */
export const isSearchPath = (path: string): boolean => path.startsWith(PREFIX);

/**
 * Answers a call of AI Search: in its vendor's envelope, but for chats and downloads. The account is judged before anything
 * is read or looked up (rule K1); then the tenant's object is asked, once, and after it the objects of its instances.
 */
export async function answerSearchCall(
  asked: IncomingCall,
  world: CallContext,
): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const method = asked.method === 'HEAD' ? 'GET' : asked.method;
  const found = match(method, asked.path);
  if (found === undefined || !('row' in found)) return answerNoRoute(found?.allowed);
  const { row, path } = found;
  world.seen?.(row);
  try {
    return await run(row, path, asked, world);
  } catch (error) {
    const { refusal, challenge } = toCallDenial(error, row, world);
    return answerProblem(refusal, challenge);
  }
}

async function run(
  row: MethodRow,
  path: Path,
  asked: IncomingCall,
  world: CallContext,
): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const { env, settings } = world;
  const caller = await authorizeCaller(asked, row, world);
  const tenant = await ensureTenant(caller.tenant, env, settings);
  await requireNames(row, { path, query: {}, body: {} }, caller, world);
  const query = parseSearchQuery(asked.query);
  const { body, form } = await readSentBody(row, asked);
  const call = { method: row.id, path, query, body, caller };
  const { answer, delayMs, search } = await getResourceStore(env, tenant).call(tenant, call);
  if (delayMs > 0) await scheduler.wait(delayMs);
  const own = toTenantAnswer(answer);
  return search === undefined ? own : executeSearchOrder(search, { own, form }, world);
}

/** @throws Denial or Refusal for a query that is too long, or names something twice */
function parseSearchQuery(text: string): Readonly<Record<string, string>> {
  const query = new Map<string, string>();
  for (const [name, value] of requireValue(parseQuery(text))) {
    if (query.has(name)) throw vendorRefusals.invalid('A parameter of the query is given more than once');
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

async function readSentBody(row: MethodRow, asked: IncomingCall): Promise<Sent> {
  if (row.id.endsWith('.items.upload')) {
    const form = await readUploadForm(asked);
    return { body: form.body, form };
  }
  if (row.httpMethod === 'GET' || row.httpMethod === 'DELETE') return { body: {} };
  const contentType = asked.headers.get('content-type') ?? undefined;
  const content = requireValue(await asked.body(MAX_BODY_BYTES));
  if (content.byteLength > 0 && !isJsonType(contentType)) throw new Denial(NO_JSON);
  return { body: readSentObject({ content, contentType }, MAX_BODY_BYTES) ?? {} };
}

/** What the tenant's resources answer by themselves. @throws Denial for what they refuse */
function toTenantAnswer(answer: CallAnswer): Answered {
  if (!answer.ok) throw new Denial(answer.refusal);
  if (answer.status !== 200) return answerResult(null);
  const { result = null, result_info: info } = answer.body;
  return answerResult(result, isObject(info) ? info : undefined);
}

const NO_JSON: RefusalData = {
  status: 415,
  word: 'INVALID_ARGUMENT',
  reason: 'badContent',
  message: 'The Content-Type of a body must be application/json',
};
