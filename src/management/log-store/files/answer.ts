import { isText, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { outcomeOf } from '../../core/conventions/outcome.ts';
import { pageSize } from '../../core/engine/collection.ts';
import { answered, requireShort } from '../../core/engine/execute.ts';
import { timestamp } from '../../core/engine/named-collection.ts';
import type { Answer, Call } from '../../core/engine/operation.ts';
import { pageTokens } from '../../core/engine/page-token.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import type { EntryOrder } from '../order.ts';
import { type Files, type FilesWanted, LAST, MAX_FILES_LISTED, type StoredFile } from './files.ts';

/** `delimiter`: names that have it behind the prefix are shown as one, up to and with it; '' for none. */
type Wanted = FilesWanted & { delimiter: string };

/** `next`: there is more behind this name. */
type FilesPage = { files: readonly StoredFile[]; prefixes: readonly string[]; next?: string };

/** Names that one statement reads where each may be the first of a group that is passed over. */
const LOOKAHEAD = 16;

/** One page of a bucket: files and groups of files by the order of their names, so many together. */
function pageOfFiles(bucket: string, wanted: Wanted, files: Files): FilesPage {
  const { delimiter, limit } = wanted;
  const shown: StoredFile[] = [];
  const prefixes: string[] = [];
  let { after } = wanted;
  while (shown.length + prefixes.length < limit) {
    const room = limit - shown.length - prefixes.length;
    const found = files.list(bucket, { ...wanted, after, limit: delimiter === '' ? room : Math.min(room, LOOKAHEAD) });
    if (found.length === 0) return { files: shown, prefixes };
    const groupAt = delimiter === '' ? -1 : found.findIndex(({ name }) => groupOf(name, wanted) !== undefined);
    const plain = groupAt < 0 ? found : found.slice(0, groupAt);
    shown.push(...plain);
    after = plain.at(-1)?.name ?? after;
    const group = groupAt < 0 ? undefined : groupOf(found[groupAt]?.name ?? '', wanted);
    if (group === undefined) continue;
    prefixes.push(group);
    after = `${group}${LAST}`;
  }
  const isLast = files.list(bucket, { ...wanted, after, limit: 1 }).length === 0;
  return { files: shown, prefixes, ...(!isLast && { next: after }) };
}

/** `a/` of `a/b` by the delimiter `/`. */
function groupOf(name: string, { prefix, delimiter }: Wanted): string | undefined {
  const at = name.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : name.slice(0, at + delimiter.length);
}

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
