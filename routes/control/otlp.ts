import { buildErrorHeaders } from '../../src/management/core/conventions/errors.ts';
import { refuseUnreadableRequest } from '../../src/management/core/conventions/invalid.ts';
import type { AnsweredPieces } from '../../src/management/core/conventions/response-data.ts';
import { refuseUnavailable } from '../../src/management/core/call-refusals.ts';
import type { CallAnswer } from '../../src/management/core/engine/operation.ts';
import type { Caller, Tenant } from '../../src/management/core/engine/tenant.ts';
import { requireMethod } from '../../src/management/core/table/method-row.ts';
import { MAX_WRITE_ENTRIES } from '../../src/management/log-store/write.ts';
import { MAX_SPANS_A_CALL } from '../../src/management/interfaces/tracing/schemas.ts';
import {
  encodeExportAnswer,
  encodeExportStatus,
  OTLP_TYPES,
  type OtlpForm,
  type OtlpRejected,
} from '../../src/management/otlp/answers.ts';
import { decodeExportBytes, decodeExportJson } from '../../src/management/otlp/decode.ts';
import { convertLogRecords } from '../../src/management/otlp/log-records.ts';
import { convertSpans } from '../../src/management/otlp/spans.ts';
import type { ConvertedExport, ExportProblem } from '../../src/management/otlp/values.ts';
import { isObject, type JsonObject } from '../../src/lib/json.ts';
import { parseMediaType } from '../../src/lib/media-type.ts';
import type { RefusalData } from '../../src/lib/refusal.ts';
import { authorizeCaller, Denial, requireNames, requireValue, toCallDenial } from './authorize-call.ts';
import { askTenant, ensureTenant } from './bindings/tenants.ts';
import type { CallContext, IncomingCall } from './call-context.ts';

/** Of a request, as sent and inflated. An SDK sends 512 records at a time. */
export const MAX_OTLP_BYTES = 4 * 1_024 * 1_024;

/** A signal: the method whose scopes it needs and whose rows it writes, so many at a time. */
type Signal = {
  /** For logs and spans of our own. */
  id: string;
  path: string;
  method: string;
  message: 'TraceRequest' | 'LogsRequest';
  counted: 'rejectedSpans' | 'rejectedLogRecords';
  atOnce: number;
  convert: (request: JsonObject, fallback: string | undefined) => ConvertedExport | ExportProblem;
  /** Path and body of the call that writes records to a project. */
  call: (
    project: string,
    records: readonly JsonObject[],
  ) => { path: Readonly<Record<string, string>>; body: JsonObject };
};

const SIGNALS: readonly Signal[] = [
  {
    id: 'otlp.traces.export',
    path: '/v1/traces',
    method: 'cloudtrace.projects.traces.batchWrite',
    message: 'TraceRequest',
    counted: 'rejectedSpans',
    atOnce: MAX_SPANS_A_CALL,
    convert: convertSpans,
    call: (project, spans) => ({ path: { name: project }, body: { spans: [...spans] } }),
  },
  {
    id: 'otlp.logs.export',
    path: '/v1/logs',
    method: 'logging.entries.write',
    message: 'LogsRequest',
    counted: 'rejectedLogRecords',
    atOnce: MAX_WRITE_ENTRIES,
    convert: convertLogRecords,
    call: (_project, entries) => ({ path: {}, body: { entries: [...entries], partialSuccess: true } }),
  },
];

/**
 * Answers an export of OTLP/HTTP: spans and log records in protobuf or JSON, written to the same rows as those of the
 * interfaces, with the token of the control plane and a scope of the method. Answers are in the encoding of the request.
 * Undefined: the request is for something else.
 */
export async function answerOtlp(asked: IncomingCall, world: CallContext): Promise<AnsweredPieces | undefined> {
  const signal = SIGNALS.find(({ path }) => path === asked.path);
  if (signal === undefined) return undefined;
  world.seen?.(signal);
  const form = readForm(asked.headers);
  try {
    if (asked.method !== 'POST') throw new Denial(NO_POST);
    const rejected = await writeExport(signal, form, asked, world);
    return answer(200, form ?? 'json', encodeExportAnswer(form ?? 'json', signal.counted, rejected), {});
  } catch (error) {
    const { refusal, challenge } = toCallDenial(error, signal, world);
    return answer(refusal.status, form ?? 'json', encodeExportStatus(form ?? 'json', refusal), {
      ...buildErrorHeaders(refusal),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...(refusal.status === 405 && { allow: 'POST' }),
    });
  }
}

const answer = (
  status: number,
  form: OtlpForm,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): AnsweredPieces => ({
  status,
  headers: { 'content-type': OTLP_TYPES[form], 'cache-control': 'no-store', ...headers },
  body: [body],
});

/** The encoding that a request is in; undefined for a media type of neither. */
function readForm(headers: Headers): OtlpForm | undefined {
  const type = parseMediaType(headers.get('content-type') ?? '');
  if (type === OTLP_TYPES.protobuf) return 'protobuf';
  return type === OTLP_TYPES.json ? 'json' : undefined;
}

/** @returns what of the records is not kept @throws Denial where nothing is */
async function writeExport(
  signal: Signal,
  form: OtlpForm | undefined,
  asked: IncomingCall,
  world: CallContext,
): Promise<OtlpRejected> {
  const { env, settings } = world;
  const row = requireMethod(signal.method);
  const caller = await authorizeCaller(asked, row, world);
  if (form === undefined) throw new Denial(NO_OTLP);
  const bytes = requireValue(await asked.body(MAX_OTLP_BYTES));
  const decoded = (form === 'json' ? decodeExportJson : decodeExportBytes)(bytes, signal.message);
  if (!decoded.ok) throw new Denial(refuseUnreadableRequest(decoded.message));
  const tenant = await ensureTenant(caller.tenant, env, settings);
  const converted = signal.convert(decoded.request, findDefaultProject(asked, caller, world));
  if ('problem' in converted) throw new Denial(refuseProblem(converted));
  const { projects, rejected, message } = converted;
  await requireNames(row, { path: {}, query: {}, body: { resourceNames: [...projects.keys()] } }, caller, world);
  const written = await writeRecords(signal, projects, { tenant, caller }, world);
  return { count: rejected + written.count, message: message || written.message };
}

/** The project of a resource that names none: the header's, else the operator's own in the operator's tenant. */
function findDefaultProject(
  { headers }: IncomingCall,
  { tenant }: Caller,
  { settings }: CallContext,
): string | undefined {
  const { OPERATOR_TENANT, OPERATOR_PROJECT } = settings;
  return headers.get('x-goog-user-project') ?? (tenant === OPERATOR_TENANT ? OPERATOR_PROJECT : undefined);
}

type Writer = { tenant: Tenant; caller: Caller };

/**
 * Writes all records, so many at a time. What is refused before anything is kept refuses the whole; after that the rest
 * counts as rejected, since a client that sent it again would double what is kept.
 */
async function writeRecords(
  signal: Signal,
  projects: ConvertedExport['projects'],
  writer: Writer,
  world: CallContext,
): Promise<OtlpRejected> {
  const rejected: OtlpRejected = { count: 0, message: '' };
  let hasKept = false;
  for (const [project, records] of projects) {
    for (let from = 0; from < records.length; from += signal.atOnce) {
      const some = records.slice(from, from + signal.atOnce);
      const said = await writePart(signal, signal.call(project, some), writer, world);
      const lost = countLost(said, some.length);
      if (!said.ok && lost === some.length && !hasKept && !isAboutRecords(said.refusal)) throw new Denial(said.refusal);
      hasKept ||= lost < some.length;
      rejected.count += lost;
      if (lost > 0 && rejected.message === '') rejected.message = said.ok ? NO_ROOM : said.refusal.message;
    }
  }
  return rejected;
}

/** Writes records of one call. An object that fails refuses them, as one that says so. */
async function writePart(
  signal: Signal,
  written: ReturnType<Signal['call']>,
  { tenant, caller }: Writer,
  world: CallContext,
): Promise<CallAnswer> {
  const call = { method: signal.method, query: {}, caller, leavesOut: true, ...written } as const;
  try {
    const said = await askTenant(tenant, call, world.env);
    return said instanceof ReadableStream ? { ok: false, refusal: refuseUnavailable() } : said; // No write answers one.
  } catch (error) {
    return { ok: false, refusal: toCallDenial(error, signal, world).refusal };
  }
}

/** How many records of a call are not kept. */
function countLost(said: CallAnswer, sent: number): number {
  if (said.ok) return 'body' in said && typeof said.body['leftOut'] === 'number' ? said.body['leftOut'] : 0;
  const named = said.refusal.details?.[0]?.['logEntryErrors'];
  return isObject(named) ? Object.keys(named).length : sent;
}

/** Whether a refusal is about what was sent: the same would be refused again. Others are about now. */
const isAboutRecords = ({ status }: RefusalData): boolean => status === 400;

const NO_ROOM = 'A trace has no room for more spans';

const NO_POST: RefusalData = {
  status: 405,
  word: 'UNIMPLEMENTED',
  reason: 'httpMethodNotAllowed',
  message: 'An export is a POST',
};

const NO_OTLP: RefusalData = {
  status: 415,
  word: 'INVALID_ARGUMENT',
  reason: 'badContent',
  message: `The Content-Type of an export is ${OTLP_TYPES.protobuf} or ${OTLP_TYPES.json}`,
};

const refuseProblem = ({ problem, message }: ExportProblem): RefusalData => ({
  status: problem === 'too_many' ? 413 : 400,
  word: 'INVALID_ARGUMENT',
  reason: problem === 'too_many' ? 'uploadTooLarge' : 'required',
  message,
});
