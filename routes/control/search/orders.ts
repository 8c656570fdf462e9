import type { InstanceFacts, InstanceOrder, SearchOrder } from '../../../src/search/order.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import type { InstanceAnswer, SearchCalls, UploadedFile } from '../../../src/search/search-object.ts';
import { Denial } from '../authorize-call.ts';
import type {
  Answered,
  AnsweredPieces,
  AnsweredStream,
} from '../../../src/management/core/conventions/response-data.ts';
import type { World } from '../call-context.ts';
import type { ControlEnv } from '../bindings/env.ts';
import { instanceOf } from '../bindings/tenants.ts';
import { answerChat } from './chat.ts';
import { answerItemDownload, answerResult } from '../../../src/management/interfaces/aisearch/envelope.ts';
import { searchTogether, shownChunk, shownFile } from './found.ts';
import { type SentForm, uploadedFile } from './upload.ts';
import { type PdfReader, pdfReaderOver } from '../../../src/search/pdf/reader.ts';

/** What goes with an order: the tenant's own answer, and the form of an upload. */
export type Beside = { own: Answered; form: SentForm | undefined };

/**
 * Does what the tenant's resources handed on for the objects of its instances. Their own change stands already: a new
 * configuration and a deletion are told twice if need be, and answered with the tenant's answer.
 * @throws Denial for what an object refuses
 */
export async function doOrder(
  order: SearchOrder,
  { own, form }: Beside,
  world: World,
): Promise<Answered | AnsweredPieces | AnsweredStream> {
  const { env } = world;
  switch (order.do) {
    case 'configure':
      await twice(order.instance, env, (object) => object.configure(order.instance));
      return own;
    case 'drop':
      await Promise.all(order.instances.map((instance) => twice(instance, env, (object) => object.drop())));
      return own;
    case 'search':
      return answerSearched(order, env);
    case 'chat':
      return answerChat(order, (searched) => searchTogether(searched, env), world);
    case 'upload':
      if (form === undefined) throw new Error('An upload without its form');
      return answeredUpload(order, await uploadedFile(form, order, pdfReaderOf(order.instance, world)), env);
    case 'items.download':
      return download(order, env);
    default:
      return answeredOf(await instanceOf(env, order.instance.uid).ask(order));
  }
}

const pdfReaderOf = ({ uid }: InstanceFacts, { env, log }: World): PdfReader =>
  pdfReaderOver(env.PDF_READER, env.SEARCH_INSTANCE.idFromName(uid).toString(), log);

/** Their caller cannot ask for it again: the instance is made, changed or gone already. */
async function twice(instance: InstanceFacts, env: ControlEnv, tell: (object: SearchCalls) => Promise<void>) {
  const once = (): Promise<void> => tell(instanceOf(env, instance.uid));
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
      data: chunks.map(shownFile),
      has_more: false,
      next_page: null,
    });
  const errors = failures.map(({ instanceId, message }): JsonObject => ({ instance_id: instanceId, message }));
  return answerResult({
    search_query: query.text,
    query_kind: 'text',
    chunks: chunks.map((chunk) => shownChunk(chunk, form)),
    ...(errors.length > 0 && { errors }),
  });
}

function answeredOf(answer: InstanceAnswer): Answered {
  if (!answer.ok) throw new Denial(answer.refusal);
  return answerResult(answer.result, answer.info);
}

/** The item, with what of its metadata no filter knows. */
async function answeredUpload(
  { instance, warnings }: Extract<SearchOrder, { do: 'upload' }>,
  file: UploadedFile,
  env: ControlEnv,
): Promise<Answered> {
  const answer = await instanceOf(env, instance.uid).upload(instance, file);
  if (!answer.ok || warnings.length === 0 || !isObject(answer.result)) return answeredOf(answer);
  return answerResult({ ...answer.result, warnings: warnings.map((warning) => ({ ...warning })) });
}

async function download(
  { instance, itemId }: Extract<InstanceOrder, { do: 'items.download' }>,
  env: ControlEnv,
): Promise<AnsweredPieces> {
  const content = await instanceOf(env, instance.uid).download(instance, itemId);
  if (!content.ok) throw new Denial(content.refusal);
  return answerItemDownload(content);
}
