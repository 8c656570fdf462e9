import { outcomeOf } from '../../core/conventions/outcome.ts';
import { pageSize } from '../../core/engine/collection.ts';
import { answered, requireShort } from '../../core/engine/execute.ts';
import { timestamp } from '../../core/engine/named-collection.ts';
import type { Answer, Call } from '../../core/engine/operation.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import { pageTokens } from '../../core/engine/page-token.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { type Files, MAX_FILES_LISTED, type StoredFile } from './files.ts';
import { pageOfFiles } from './page.ts';
import type { EntryOrder } from '../order.ts';

export type FileOrder = Extract<EntryOrder, { do: 'files' } | { do: 'file' }>;
type ListOrder = Extract<FileOrder, { do: 'files' }>;
type GetOrder = Extract<FileOrder, { do: 'file' }>;

/** @param now real time: page tokens live by it */
type Tools = { files: Files; now: () => number };

/** The vendor's for the files of sinks, one entry a line. */
const TYPE = 'application/json';
/** Changes with what is known of a file, which nobody changes. */
const METAGENERATION = '1';
const PAGE = { parameter: 'maxResults', default: MAX_FILES_LISTED, max: MAX_FILES_LISTED } as const;

/** `storage.objects.list` and `storage.objects.get` of the files that sinks and copies write. */
export function filesAnswer(tenant: Tenant, call: Call, order: FileOrder, tools: Tools): Answer {
  const outcome = outcomeOf(() => (order.do === 'files' ? list(tenant, call, order, tools) : get(call, order, tools)));
  return outcome.ok ? outcome.value : outcome;
}

/** @throws Refusal 404 for a bucket that nothing was written to yet: of another tenant's it says the same (rule K1) */
function list(tenant: Tenant, call: Call, { bucket, salt }: ListOrder, { files, now }: Tools): Answer {
  const tokens = pageTokens(call, tenant.id, salt, now());
  const from = textOf(call, 'startOffset');
  const until = textOf(call, 'endOffset');
  const wanted = {
    prefix: textOf(call, 'prefix'),
    delimiter: textOf(call, 'delimiter'),
    ...(from !== '' && { from }),
    ...(until !== '' && { until }),
    after: tokens.open()?.id ?? '',
    limit: pageSize(call.query['maxResults'], PAGE),
  };
  const { files: shown, prefixes, next } = pageOfFiles(bucket, wanted, files);
  if (shown.length + prefixes.length === 0 && !isThere(bucket, files))
    throw refuse.missing('The specified bucket does not exist.');
  const body = {
    kind: 'storage#objects',
    ...(next !== undefined && { nextPageToken: tokens.seal({ sort: '', id: next }) }),
    ...(prefixes.length > 0 && { prefixes: [...prefixes] }),
    ...(shown.length > 0 && { items: shown.map((file) => objectOf(bucket, file)) }),
  };
  requireShort(body, call);
  return { ok: true, status: 200, body };
}

/** @throws Refusal 404 for a file or generation that is not there, 412 for a condition that does not hold */
function get(call: Call, { bucket, name }: GetOrder, { files }: Tools): Answer {
  const file = files.find(bucket, name);
  const generation = file && generationOf(file);
  if (file === undefined || !isAsked(call, 'generation', generation))
    throw refuse.missing(`No such object: ${bucket}/${name}`);
  if (!isAsked(call, 'ifGenerationMatch', generation) || !isAsked(call, 'ifMetagenerationMatch', METAGENERATION))
    throw refuse.conditionNotMet('At least one of the pre-conditions you specified did not hold.');
  const body = objectOf(bucket, file);
  const isKnown =
    call.query['ifGenerationNotMatch'] === generation || call.query['ifMetagenerationNotMatch'] === METAGENERATION;
  if (isKnown) return { ok: true, status: 304, etag: etagOf(file) };
  const answer = answered(body, call);
  if (call.asMedia !== true || !answer.ok || answer.status !== 200) return answer;
  return { ...answer, body: {}, media: { type: TYPE, text: files.read(bucket, name) ?? '' } };
}

/** A bucket comes with its first file. */
const isThere = (bucket: string, files: Files): boolean =>
  files.list(bucket, { prefix: '', after: '', limit: 1 }).length > 0;

/** Whether a parameter was not sent, or is this. */
const isAsked = ({ query }: Call, name: string, value: string | undefined): boolean =>
  query[name] === undefined || query[name] === value;

/** A file as the vendor shows an object. */
function objectOf(bucket: string, file: StoredFile): JsonObject {
  const { name, bytes, createdMs, updatedMs } = file;
  const generation = generationOf(file);
  return {
    kind: 'storage#object',
    id: `${bucket}/${name}/${generation}`,
    name,
    bucket,
    generation,
    metageneration: METAGENERATION,
    contentType: TYPE,
    storageClass: 'STANDARD',
    size: String(bytes),
    etag: etagOf(file),
    timeCreated: timestamp(createdMs),
    updated: timestamp(updatedMs),
    timeStorageClassUpdated: timestamp(createdMs),
  };
}

/** Microseconds of its beginning, one more with whatever is appended: another content is another generation. */
const generationOf = ({ createdMs, revision }: StoredFile): string => String(createdMs * 1_000 + revision);
const etagOf = (file: StoredFile): string => `"${generationOf(file)}"`;

function textOf({ query }: Call, name: string): string {
  const { [name]: value } = query;
  return isText(value) ? value : '';
}
