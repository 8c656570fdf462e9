import { answerItemDownload, answerResult } from '../envelope/envelope.ts';
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../../lib/refusal.ts';
import { readFileText } from '../../../../search/ingest/text-of.ts';
import type { InstanceFacts, InstanceOrder, SearchOrder } from '../../../../search/order.ts';
import type { PdfReadingService } from '../../../../search/pdf/reader.ts';
import type { InstanceAnswer, SearchCalls, UploadedFile } from '../../../../search/search-object.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';
import type { Answered, AnsweredPieces, AnsweredStream } from '../../../core/conventions/response-data.ts';
import { refuseUnreadableFile } from '../refusals.ts';
import { answerChat, type ChatPorts } from './chat.ts';
import { type InstancePorts, searchTogether, toChunkResource, toFileResource } from './found.ts';

/** A form as it was sent: the file, and what a handler judges of it. */
export type SentForm = {
  file: { key: string; type: string; bytes: Uint8Array };
  /** `{ key, wait_for_completion }`, and `metadata` where it was sent. */
  body: JsonObject;
};

/** What of the Worker the orders work with: the objects of instances, the reader of PDFs, and what a chat needs. */
export type SearchPorts = InstancePorts &
  ChatPorts & {
    pdfReader: (uid: string) => PdfReadingService;
  };

/** What goes with an order: the tenant's own answer, and the form of an upload. */
export type SearchOrderContext = { own: Answered; form: SentForm | undefined };

/**
 * Executes the order that the tenant's resources pass on to the objects of its instances. The resources have already
 * changed: a new configuration or a deletion is tried twice if need be, and gets the tenant's answer.
 * @throws Refusal for what an object refuses
 */
export async function executeSearchOrder(
  order: SearchOrder,
  { own, form }: SearchOrderContext,
  ports: SearchPorts,
): Promise<Answered | AnsweredPieces | AnsweredStream> {
  switch (order.do) {
    case 'configure':
      await tryTwice(order.instance, ports, (object) => object.configure(order.instance, order.clockMs));
      return own;
    case 'drop':
      await Promise.all(order.instances.map((instance) => tryTwice(instance, ports, (object) => object.drop())));
      return own;
    case 'search':
      return answerSearched(order, ports);
    case 'chat':
      return answerChat(order, (searched) => searchTogether(searched, ports), ports);
    case 'upload':
      if (form === undefined) throw new Error('An upload without its form');
      return answerUpload(order, await readUploadedFile(form, order, ports.pdfReader(order.instance.uid)), ports);
    case 'items.download':
      return download(order, ports);
    default:
      return toSearchAnswer(await ports.instance(order.instance.uid).ask(order));
  }
}

/** Their caller cannot ask for it again: the instance is made, changed or gone already. */
async function tryTwice(instance: InstanceFacts, ports: InstancePorts, tell: (object: SearchCalls) => Promise<void>) {
  const once = (): Promise<void> => tell(ports.instance(instance.uid));
  await once().catch(once);
}

async function answerSearched(order: Extract<SearchOrder, { do: 'search' }>, ports: InstancePorts): Promise<Answered> {
  const { form, query } = order;
  const found = await searchTogether(order, ports);
  if (!found.ok) throw new Refusal(found.refusal);
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
  if (!answer.ok) throw new Refusal(answer.refusal);
  return answerResult(answer.result, answer.info);
}

/** The item, with what of its metadata no filter knows. */
async function answerUpload(
  { instance, warnings }: Extract<SearchOrder, { do: 'upload' }>,
  file: UploadedFile,
  ports: InstancePorts,
): Promise<Answered> {
  const answer = await ports.instance(instance.uid).upload(instance, file);
  if (!answer.ok || warnings.length === 0 || !isObject(answer.result)) return toSearchAnswer(answer);
  return answerResult({ ...answer.result, warnings: warnings.map((warning) => ({ ...warning })) });
}

async function download(
  { instance, itemId }: Extract<InstanceOrder, { do: 'items.download' }>,
  ports: InstancePorts,
): Promise<AnsweredPieces> {
  const content = await ports.instance(instance.uid).download(instance, itemId);
  if (!content.ok) throw new Refusal(content.refusal);
  return answerItemDownload(content);
}

/** The file with its text, for the object of its instance. @throws Refusal for a file that has none */
async function readUploadedFile(
  { file }: SentForm,
  order: { key: string; metadata: JsonObject; waits: boolean },
  readPdf: PdfReadingService,
): Promise<UploadedFile> {
  const read = await readFileText(file, readPdf);
  if (!read.ok) throw new Refusal(refuseUnreadableFile(read.reason, read.message));
  const { text, title, type } = read;
  const { key, waits } = order;
  return { key, type, bytes: file.bytes, text, title, metadata: selectScalars(order.metadata), waits };
}

/** What can be filtered by; the tenant's handler has refused anything else. */
function selectScalars(metadata: JsonObject): UploadedFile['metadata'] {
  const scalars: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || typeof value === 'object')
      throw vendorRefusals.invalid(`metadata: ${truncateSentText(name)} must be a scalar`);
    scalars[name] = value;
  }
  return scalars;
}
