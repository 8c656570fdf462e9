import type { InstanceFacts, InstanceOrder, SearchOrder } from '../../../src/search/order.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import type { InstanceAnswer, SearchCalls, UploadedFile } from '../../../src/search/search-object.ts';
import { Denial } from '../authorize-call.ts';
import type {
  Answered,
  AnsweredPieces,
  AnsweredStream,
} from '../../../src/management/core/conventions/response-data.ts';
import type { CallContext } from '../call-context.ts';
import type { ControlEnv } from '../bindings/env.ts';
import { getSearchInstance } from '../bindings/tenants.ts';
import { answerChat } from './chat.ts';
import { answerItemDownload, answerResult } from '../../../src/management/interfaces/aisearch/envelope/envelope.ts';
import { searchTogether, toChunkResource, toFileResource } from './found.ts';
import { type SentForm, readUploadedFile } from './upload.ts';
import { type PdfReadingService, createServicePdfReader } from '../../../src/search/pdf/reader.ts';

/** What goes with an order: the tenant's own answer, and the form of an upload. */
export type SearchOrderContext = { own: Answered; form: SentForm | undefined };

/**
 * Executes the order that the tenant's resources pass on to the objects of its instances. The resources have already
 * changed: a new configuration or a deletion is tried twice if need be, and gets the tenant's answer.
 * @throws Denial for what an object refuses
 */
export async function executeSearchOrder(
  order: SearchOrder,
  { own, form }: SearchOrderContext,
  world: CallContext,
): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const { env } = world;
  switch (order.do) {
    case 'configure':
      await tryTwice(order.instance, env, (object) => object.configure(order.instance));
      return own;
    case 'drop':
      await Promise.all(order.instances.map((instance) => tryTwice(instance, env, (object) => object.drop())));
      return own;
    case 'search':
      return answerSearched(order, env);
    case 'chat':
      return answerChat(order, (searched) => searchTogether(searched, env), world);
    case 'upload':
      if (form === undefined) throw new Error('An upload without its form');
      return answerUpload(order, await readUploadedFile(form, order, createPdfReader(order.instance, world)), env);
    case 'items.download':
      return download(order, env);
    default:
      return toSearchAnswer(await getSearchInstance(env, order.instance.uid).ask(order));
  }
}

const createPdfReader = ({ uid }: InstanceFacts, { env, log }: CallContext): PdfReadingService =>
  createServicePdfReader(env.PDF_READER, env.SEARCH_INSTANCE.idFromName(uid).toString(), log);

/** Their caller cannot ask for it again: the instance is made, changed or gone already. */
async function tryTwice(instance: InstanceFacts, env: ControlEnv, tell: (object: SearchCalls) => Promise<void>) {
  const once = (): Promise<void> => tell(getSearchInstance(env, instance.uid));
  await once().catch(once);
}

async function answerSearched(order: Extract<SearchOrder, { do: 'search' }>, env: ControlEnv): Promise<Answered> {
  const { form, query } = order;
  const found = await searchTogether(order, env);
  if (!found.ok) throw new Denial(found.refusal);
  const { chunks, failures } = found;
  if (form === 'legacy')
    return answerResult({
      object: 'vector_store.search_results.page',
      search_query: query.text,
      data: chunks.map(toFileResource),
      has_more: false,
      next_page: null,
    });
  const errors = failures.map(({ instanceId, message }): JsonObject => ({ instance_id: instanceId, message }));
  return answerResult({
    search_query: query.text,
    query_kind: 'text',
    chunks: chunks.map((chunk) => toChunkResource(chunk, form)),
    ...(errors.length > 0 && { errors }),
  });
}

function toSearchAnswer(answer: InstanceAnswer): Answered {
  if (!answer.ok) throw new Denial(answer.refusal);
  return answerResult(answer.result, answer.info);
}

/** The item, with what of its metadata no filter knows. */
async function answerUpload(
  { instance, warnings }: Extract<SearchOrder, { do: 'upload' }>,
  file: UploadedFile,
  env: ControlEnv,
): Promise<Answered> {
  const answer = await getSearchInstance(env, instance.uid).upload(instance, file);
  if (!answer.ok || warnings.length === 0 || !isObject(answer.result)) return toSearchAnswer(answer);
  return answerResult({ ...answer.result, warnings: warnings.map((warning) => ({ ...warning })) });
}

async function download(
  { instance, itemId }: Extract<InstanceOrder, { do: 'items.download' }>,
  env: ControlEnv,
): Promise<AnsweredPieces> {
  const content = await getSearchInstance(env, instance.uid).download(instance, itemId);
  if (!content.ok) throw new Denial(content.refusal);
  return answerItemDownload(content);
}
