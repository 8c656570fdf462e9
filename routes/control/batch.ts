import { type BatchCall, type BatchPart, planBatch } from '../../src/management/conventions/batch.ts';
import {
  BATCH_TIMEOUT_MS,
  batchAnswer,
  MAX_BATCH_ANSWER_BYTES,
  type PartAnswer,
  runAll,
} from '../../src/management/conventions/batch-answer.ts';
import { requestRefusals } from '../../src/management/conventions/errors.ts';
import { MAX_BATCH_BYTES } from '../../src/management/conventions/multipart.ts';
import { lookOf, type Look } from '../../src/management/conventions/standard-parameters.ts';
import { methods } from '../../src/management/table/methods.ts';
import { match } from '../../src/management/table/router.ts';
import { type Answered, answeredRefusal } from './answered.ts';
import { answerCall, type Asked, type World } from './call.ts';
import { bodyTooLarge, unavailable } from './refusals.ts';

/** Interfaces by the names that batch paths have for them: those of our table, and the vendor's where it has another. */
const BATCH_APIS: ReadonlyMap<string, string> = new Map([
  ...methods.map((row) => [`${row.interface}/${row.version}`, row.interface] as const),
  ['admin/directory_v1', 'directory'],
]);
/** Rows that no part may name (rule K4): a batch in a batch, and answers that stream. */
const NEVER_IN_BATCH: ReadonlySet<string> = new Set([
  'conventions.batch',
  'logging.entries.tail',
  'aisearch.instances.chatCompletions',
]);
const BATCH_PATH = /^\/batch(?:\/([a-z_]{1,40}\/[a-z0-9_]{1,40}))?$/;

const RANDOM_BYTES = 18;

/** The interface that a batch of this path is for; null: it takes calls of all. Undefined: no batch stands there. */
export function batchOf(path: string): string | null | undefined {
  const found = BATCH_PATH.exec(path);
  if (found === null) return undefined;
  const [, api] = found;
  if (api === undefined) return null;
  return BATCH_APIS.get(api);
}

/**
 * Answers a batch (seed 2, "Batch"; rule K4). Each part is a call by itself: with its own token, counted by itself, to a
 * row of the table and nothing else.
 * @param api the one interface whose calls are taken; null: all
 */
export async function answerBatch(asked: Asked, api: string | null, world: World): Promise<Answered> {
  const look = lookOf([...new URLSearchParams(asked.query)]);
  const content = await asked.body(MAX_BATCH_BYTES);
  if (content === undefined) return answeredRefusal(bodyTooLarge(MAX_BATCH_BYTES), 'legacy', look);
  const outer = { headers: Object.fromEntries(asked.headers), query: asked.query };
  const plan = planBatch(outer, content, asked.headers.get('content-type'));
  if (!plan.ok) return answeredRefusal(plan.refusal, 'legacy', look);
  const answers = await answerParts(plan.value, api, look, world);
  const { contentType, body } = batchAnswer(answers, tooLarge(look), boundaryWord);
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

function answerParts(parts: readonly BatchPart[], api: string | null, look: Look, world: World): Promise<PartAnswer[]> {
  const endMs = Date.now() + BATCH_TIMEOUT_MS;
  let chars = 0;
  const run = async (part: BatchPart): Promise<PartAnswer> => {
    // What would not be sent anyway is not held in memory, nor made.
    if (chars > MAX_BATCH_ANSWER_BYTES) return { ...idOf(part), ...tooLarge(look) };
    const answer = part.ok
      ? await answerPart(part.call, api, look, world)
      : answeredRefusal(part.refusal, 'legacy', look);
    chars += answer.body.length;
    return { ...idOf(part), ...answer };
  };
  const late = (part: BatchPart): PartAnswer => ({ ...idOf(part), ...answeredRefusal(unavailable(), 'legacy', look) });
  return runAll(parts, { run, late, isLate: () => Date.now() >= endMs });
}

async function answerPart(call: BatchCall, api: string | null, look: Look, world: World): Promise<Answered> {
  const headers = new Headers({ ...call.headers });
  const override = headers.get('x-http-method-override')?.trim().toUpperCase();
  const found = match(call.method === 'POST' && override ? override : call.method, call.path);
  const row = found !== undefined && 'row' in found ? found.row : undefined;
  const isOther = row !== undefined && api !== null && row.interface !== api;
  if (row === undefined || isOther || NEVER_IN_BATCH.has(row.id))
    return answeredRefusal(requestRefusals.notFoundUrl(), 'legacy', look);
  const bytes = new TextEncoder().encode(call.body);
  const { method, path, query } = call;
  return answerCall({ method, path, query, headers, body: async () => bytes }, world);
}

const idOf = (part: BatchPart): { contentId?: string } => {
  const contentId = part.ok ? part.call.contentId : part.contentId;
  return contentId === undefined ? {} : { contentId };
};

const tooLarge = (look: Look): Answered =>
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

const boundaryWord = (): string =>
  btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
