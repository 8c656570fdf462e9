import { type BatchCall, type BatchPart, planBatch } from '../../src/management/core/conventions/batch.ts';
import {
  BATCH_TIMEOUT_MS,
  type BatchAnswers,
  createBatchAnswers,
  MAX_BATCH_ANSWER_BYTES,
  runAll,
} from '../../src/management/core/conventions/batch-answer.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import { MAX_BATCH_BYTES } from '../../src/management/core/conventions/multipart.ts';
import { acceptValue, type JudgementOutcome, rejectWith } from '../../src/management/core/conventions/outcome.ts';
import { readErrorFormat, type ErrorFormat } from '../../src/management/core/conventions/standard-parameters.ts';
import { apis } from '../../src/management/core/discovery/apis.ts';
import { type MethodRow, methods } from '../../src/management/core/table/method-row.ts';
import { match } from '../../src/management/core/table/router.ts';
import {
  type Answered,
  answeredRefusal,
  type AnsweredPieces,
} from '../../src/management/core/conventions/response-data.ts';
import type { IncomingCall, CallContext } from './call-context.ts';
import { answerCall, getRefusalFormat } from './call.ts';
import { listOwnOrigins } from '../../src/net/own-origins.ts';
import { hasBearer } from '../../src/authorization/oauth/tokens.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import { countUnauthenticated, buildUnauthenticatedHeaders } from '../../src/rate-limits/token-gate.ts';
import { buildControlChallenge, type CallerDenial, identify } from './caller.ts';
import { refuseBrokenBody, refuseUnavailable } from '../../src/management/core/call-refusals.ts';

/** An interface with conventions of its own: its vendor knows no batches, and much of it streams. */
const WITHOUT_BATCH = 'aisearch';
const formatInterfacePath = ({ name, version }: { name: string; version: string }): string => `${name}/${version}`;
const getRowInterface = (row: MethodRow): string => formatInterfacePath({ name: row.interface, version: row.version });
/** Interfaces by the names that batch paths have for them: those of our table, and the vendor's, `admob/v1beta`. */
const BATCH_APIS: ReadonlyMap<string, string> = new Map([
  ...methods
    .filter((row) => row.interface !== WITHOUT_BATCH)
    .map((row) => [getRowInterface(row), getRowInterface(row)] as const),
  ...apis.map((api) => [formatInterfacePath(api), formatInterfacePath(api.interface)] as const),
]);
/** Rows that no part may name (rule K4): a batch in a batch, and answers that stream. */
const NEVER_IN_BATCH: ReadonlySet<string> = new Set(['conventions.batch', 'logging.entries.tail']);
const BATCH_PATH = /^\/batch(?:\/([a-z_]{1,40}\/[a-z0-9_]{1,40}))?$/;

/** Of a batch whose own request has no token: 100 calls with a token each. Some clients send tokens in the parts only. */
export const MAX_UNAUTHENTICATED_BATCH_BYTES = 256 * 1_024;
const PLAIN_CODINGS: ReadonlySet<string> = new Set(['', 'identity']);

const RANDOM_BYTES = 18;
/** Of what an object answers to one call of a batch (rule K4). By itself a call is answered twice as much. */
const MAX_PART_ANSWER_CHARS = 4_000_000;

/** The interface of a batch at this path, `mediation/v1beta`; null: any. Undefined: this is not a path of batches. */
export function findBatchInterface(path: string): string | null | undefined {
  const found = BATCH_PATH.exec(path);
  if (found === null) return undefined;
  const [, api] = found;
  if (api === undefined) return null;
  return BATCH_APIS.get(api);
}

/**
 * Answers a batch (rule K4). Each part is a call by itself: with its own token, counted by itself, to a row of the
 * table and nothing else.
 * @param api the one interface whose calls are taken; null: all
 */
export async function answerBatch(
  asked: IncomingCall,
  api: string | null,
  world: CallContext,
): Promise<Answered | AnsweredPieces> {
  const look = readErrorFormat([...new URLSearchParams(asked.query)]);
  const own = createBatchContext(world);
  const denied = await findOuterDenial(asked, own);
  if (denied !== undefined) return answeredRefusal(denied.refusal, 'legacy', look, denied.challenge);
  const content = await readBatchBody(asked);
  if (content === 'login') return refuseWithoutLogin(look, world);
  if (!content.ok) return answeredRefusal(content.refusal, 'legacy', look);
  const outer = { headers: Object.fromEntries(asked.headers), query: asked.query, ...selectOwnOrigins(world) };
  const plan = planBatch(outer, content.value, asked.headers.get('content-type'));
  if (!plan.ok) return answeredRefusal(plan.refusal, 'legacy', look);
  if (!isByAnyone(asked, plan.value)) return refuseWithoutLogin(look, world);
  const { contentType, body } = await answerParts(plan.value, api, look, own);
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

/**
 * Why nothing of a batch is read. Its own token, where it has one, must be good, although a part may have another (rule K4);
 * without one it is counted as an unauthenticated call.
 */
async function findOuterDenial({ headers }: IncomingCall, world: CallContext): Promise<CallerDenial | undefined> {
  const authorization = headers.get('authorization');
  if (hasBearer(authorization)) {
    const found = await identify(authorization, world, true); // A part that changes something asks for itself.
    return found.ok ? undefined : found;
  }
  const allowance = countUnauthenticated(world.from);
  world.rate.headers = buildUnauthenticatedHeaders(allowance);
  if (allowance.isAllowed) return undefined;
  return { ok: false, refusal: requestRefusals.rateLimited(allowance.retryAfterS) };
}

/** The body. Nothing is inflated, and not much read, for a request without a token: then `login`. */
async function readBatchBody({ headers, body }: IncomingCall): Promise<JudgementOutcome<Uint8Array> | 'login'> {
  const isVouchedFor = hasBearer(headers.get('authorization'));
  const coding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (!isVouchedFor && !PLAIN_CODINGS.has(coding)) return 'login';
  try {
    const content = await body(isVouchedFor ? MAX_BATCH_BYTES : MAX_UNAUTHENTICATED_BATCH_BYTES);
    return isVouchedFor || content.ok || content.refusal.status !== 413 ? content : 'login';
  } catch (error) {
    if (error instanceof BodyBrokenOff) return rejectWith(refuseBrokenBody());
    throw error;
  }
}

const refuseWithoutLogin = (look: ErrorFormat, { settings }: CallContext): Answered =>
  answeredRefusal(requestRefusals.loginRequired(), 'legacy', look, buildControlChallenge(settings));

/**
 * Whether the batch or any call of it comes with a token. Otherwise all of it is refused at once, unless a part
 * cannot be read: that one may have had a token, and its answer says what is wrong with it.
 */
const isByAnyone = ({ headers }: IncomingCall, parts: readonly BatchPart[]): boolean =>
  hasBearer(headers.get('authorization')) ||
  parts.some((part) => !part.ok || hasBearer(part.call.headers['authorization']));

/** The origins that parts may name, where the setting lets them. */
const selectOwnOrigins = ({ settings }: CallContext): { ownOrigins?: readonly string[] } =>
  settings.BATCH_FULL_URLS === 'own-origin' ? { ownOrigins: listOwnOrigins(settings.CONTROL_URL) } : {};

/** The world of the calls: each is authorized by itself, but a token that they share is asked about once. */
const createBatchContext = (world: CallContext): CallContext => ({
  ...world,
  known: new Map(),
  maxAnswerChars: MAX_PART_ANSWER_CHARS,
});

/** A call of the batch, and the row that it may use. */
type Planned = { place: number; part: BatchPart; row: MethodRow | undefined };

async function answerParts(
  parts: readonly BatchPart[],
  api: string | null,
  look: ErrorFormat,
  world: CallContext,
): Promise<ReturnType<BatchAnswers['whole']>> {
  const endMs = Date.now() + BATCH_TIMEOUT_MS;
  const answers = createBatchAnswers(refuseTooLarge(look), generateBoundary);
  const keep = ({ place, part }: Planned, answer: Answered, made = false): void =>
    answers.keep(place, { ...selectContentId(part), ...answer }, made);
  const run = async (planned: Planned): Promise<void> => {
    const writes = isWrite(planned.row);
    if (!writes && !answers.hasRoom()) return keep(planned, refuseTooLarge(look));
    const answer = await answerPart(planned, look, world);
    keep(planned, answer, writes && answer.status < 300);
  };
  const late = (planned: Planned): void => keep(planned, answeredRefusal(refuseUnavailable(), 'legacy', look));
  const planned = parts.map((part, place) => ({
    place,
    part,
    row: part.ok ? findBatchRow(part.call, api) : undefined,
  }));
  await runAll(planned, { run, late, isLate: () => Date.now() >= endMs, isLarge: ({ row }) => isList(row) });
  return answers.whole();
}

async function answerPart({ part, row }: Planned, look: ErrorFormat, world: CallContext): Promise<Answered> {
  if (!part.ok) return answeredRefusal(part.refusal, 'legacy', look);
  const { method, path, query, headers, body } = part.call;
  if (row === undefined) return answeredRefusal(requestRefusals.notFoundUrl(), getRefusalFormat(undefined, path), look);
  const content = acceptValue(new TextEncoder().encode(body));
  const asked = { method, path, query, headers: new Headers({ ...headers }), body: async () => content };
  const answer = await answerCall(asked, world);
  if (typeof answer.body !== 'string') throw new Error('An answer that streams is no part of a batch');
  return { ...answer, body: answer.body };
}

/** The row that a call of a batch for this interface may use. */
function findBatchRow({ method, path, headers }: BatchCall, api: string | null): MethodRow | undefined {
  const override = headers['x-http-method-override']?.trim().toUpperCase();
  const found = match(method === 'POST' && override ? override : method, path);
  if (found === undefined || !('row' in found)) return undefined;
  const { row } = found;
  if (NEVER_IN_BATCH.has(row.id) || row.interface === WITHOUT_BATCH) return undefined;
  return api === null || getRowInterface(row) === api ? row : undefined;
}

/** What can answer much: a single resource has 2 MB at most, a page many of them. */
const isList = (row: MethodRow | undefined): boolean => row?.id.endsWith('.list') === true;
const isWrite = (row: MethodRow | undefined): boolean => row !== undefined && row.httpMethod !== 'GET' && !isList(row);

const selectContentId = (part: BatchPart): { contentId?: string } => {
  const contentId = part.ok ? part.call.contentId : part.contentId;
  return contentId === undefined ? {} : { contentId };
};

const refuseTooLarge = (look: ErrorFormat): Answered =>
  answeredRefusal(
    {
      status: 413,
      word: 'RESOURCE_EXHAUSTED',
      reason: 'responseTooLarge',
      message: `The response is too large: a batch answers at most ${MAX_BATCH_ANSWER_BYTES} bytes.`,
    },
    'legacy',
    look,
  );

const generateBoundary = (): string =>
  btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
