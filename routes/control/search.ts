import {
  answerNoRoute,
  answerProblem,
  answerResult,
} from '../../src/management/interfaces/aisearch/envelope/envelope.ts';
import { isJsonType, readSentObject } from '../../src/management/core/conventions/body.ts';
import { parseQuery } from '../../src/management/core/conventions/standard-parameters.ts';
import type { CallAnswer } from '../../src/management/core/engine/operation.ts';
import { isObject, type JsonObject } from '../../src/lib/json.ts';
import { type RefusalData, vendorRefusals } from '../../src/lib/refusal.ts';
import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import { match } from '../../src/management/core/table/router.ts';
import { authorizeCaller, Denial, toCallDenial, requireValue, requireNames } from './authorize-call.ts';
import type { Answered, AnsweredPieces, AnsweredStream } from '../../src/management/core/conventions/response-data.ts';
import type { IncomingCall, CallContext } from './call-context.ts';
import { getSearchInstance, getResourceStore, ensureTenant } from './bindings/tenants.ts';
import { getChatEngine } from './bindings/search-engines.ts';
import { createServicePdfReader } from '../../src/search/pdf/reader.ts';
import {
  executeSearchOrder,
  type SearchPorts,
  type SentForm,
} from '../../src/management/interfaces/aisearch/orders/execute.ts';
import { truncateSentText } from '../../src/management/core/conventions/invalid.ts';
import { parseJsonText } from '../../src/management/core/conventions/json-text.ts';
import { MAX_FILE_BYTES } from '../../src/search/ingest/kinds-data.ts';

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
  return search === undefined ? own : executeSearchOrder(search, { own, form }, createSearchPorts(world));
}

/** What of this Worker orders of AI Search work with. */
function createSearchPorts({ env, settings, chats, requestId, signal, log }: CallContext): SearchPorts {
  return {
    requestId,
    signal,
    log,
    instance: (uid) => getSearchInstance(env, uid),
    pdfReader: (uid) => createServicePdfReader(env.PDF_READER, env.SEARCH_INSTANCE.idFromName(uid).toString(), log),
    chatEngine: () => getChatEngine(env, settings, chats),
    chatCost: { microUsd: settings.CHAT_USD, limitMicroUsd: settings.UNPAID_ENGINE_USD_PER_HOUR },
    meter: (tenant) => env.ENGINE_METER.get(env.ENGINE_METER.idFromName(tenant)),
    nowMs: Date.now,
  };
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

/** Of a form around its file: boundaries, headers, and 5 values of metadata. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + 65_536;

/**
 * The form of an upload: a part `file` with a file name, which becomes the item's key; `metadata`, an object as JSON text; and
 * `wait_for_completion`. Other parts mean nothing. No more than the limit is ever held, whatever length is declared.
 * @throws Denial or Refusal: 413 for a larger form or file, 415 for another type, 400 for a form that is none or lacks something
 */
export async function readUploadForm(asked: Pick<IncomingCall, 'headers' | 'body'>): Promise<SentForm> {
  const contentType = asked.headers.get('content-type') ?? '';
  if (!/^\s{0,9}multipart\/form-data\s{0,9};/i.test(contentType)) throw new Denial(NO_FORM);
  const bytes = requireValue(await asked.body(MAX_FORM_BYTES));
  const form = await parseMultipartForm(bytes, contentType);
  const file = getSinglePart(form, 'file');
  if (!(file instanceof File) || file.name === '')
    throw vendorRefusals.invalid('file: a part with a file name is required');
  if (file.size > MAX_FILE_BYTES) throw new Denial(TOO_LARGE);
  const key = decodeFileName(file.name);
  const metadata = parseMetadata(getTextPart(form, 'metadata'));
  return {
    file: { key, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) },
    body: {
      key,
      wait_for_completion: parseWaitFlag(getTextPart(form, 'wait_for_completion')),
      ...(metadata !== undefined && { metadata }),
    },
  };
}

/**
 * The name of a file as it was before it was written into a form, where these three characters are escaped.
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
const decodeFileName = (written: string): string =>
  written.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

/** Nothing but the bytes can be at fault: they are all here. */
async function parseMultipartForm(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw vendorRefusals.invalid('The body is not the multipart/form-data that its Content-Type says');
  }
}

function getSinglePart(form: FormData, name: string): File | string | undefined {
  const [part, ...more] = form.getAll(name);
  if (more.length > 0) throw vendorRefusals.invalid(`${name}: given more than once`);
  return part;
}

function getTextPart(form: FormData, name: string): string | undefined {
  const part = getSinglePart(form, name);
  if (part instanceof File) throw vendorRefusals.invalid(`${name}: must be text, not a file`);
  return part;
}

function parseWaitFlag(text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false') return false;
  if (text === 'true') return true;
  throw vendorRefusals.invalid(`wait_for_completion: true or false, not ${truncateSentText(text)}`);
}

function parseMetadata(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const parsed = parseJsonText(text);
  if (!parsed.ok || !isObject(parsed.value)) throw vendorRefusals.invalid('invalid_metadata_format');
  return parsed.value;
}

const NO_FORM: RefusalData = {
  status: 415,
  word: 'INVALID_ARGUMENT',
  reason: 'badContent',
  message: 'An upload is multipart/form-data, with the part file',
};

const TOO_LARGE: RefusalData = {
  status: 413,
  word: 'INVALID_ARGUMENT',
  reason: 'uploadTooLarge',
  message: `The file is too large: at most ${MAX_FILE_BYTES} bytes are taken`,
};
