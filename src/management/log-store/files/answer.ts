import { isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../lib/time.ts';
import { captureOutcome } from '../../core/conventions/outcome.ts';
import { readPageSize } from '../../core/engine/collection.ts';
import { buildCallAnswer, requireShort } from '../../core/engine/execute.ts';
import type { CallAnswer, Call } from '../../core/engine/operation.ts';
import { createPageTokens } from '../../core/engine/page-token.ts';
import type { Tenant } from '../../core/engine/tenant.ts';
import type { EntryOrder } from '../order.ts';
import { type Files, type FilesWanted, LAST, MAX_FILES_LISTED, type LogFile } from './files.ts';

/** `delimiter`: names that have it behind the prefix are shown as one, up to and with it; '' for none. */
type FileListQuery = FilesWanted & { delimiter: string };

/** `next`: there is more behind this name. */
type FilesPage = { files: readonly LogFile[]; prefixes: readonly string[]; next?: string };

/** Names that one statement reads where each may be the first of a group that is passed over. */
const LOOKAHEAD = 16;

/** One page of a bucket: files and groups of files by the order of their names, so many together. */
function listFilesPage(bucket: string, wanted: FileListQuery, files: Files): FilesPage {
  const { delimiter, limit } = wanted;
  const shown: LogFile[] = [];
  const prefixes: string[] = [];
  let { after } = wanted;
  while (shown.length + prefixes.length < limit) {
    const room = limit - shown.length - prefixes.length;
    const found = files.list(bucket, { ...wanted, after, limit: delimiter === '' ? room : Math.min(room, LOOKAHEAD) });
    if (found.length === 0) return { files: shown, prefixes };
    const groupAt = delimiter === '' ? -1 : found.findIndex(({ name }) => findFileGroup(name, wanted) !== undefined);
    const plain = groupAt < 0 ? found : found.slice(0, groupAt);
    shown.push(...plain);
    after = plain.at(-1)?.name ?? after;
    const group = groupAt < 0 ? undefined : findFileGroup(found[groupAt]?.name ?? '', wanted);
    if (group === undefined) continue;
    prefixes.push(group);
    after = `${group}${LAST}`;
  }
  const isLast = files.list(bucket, { ...wanted, after, limit: 1 }).length === 0;
  return { files: shown, prefixes, ...(!isLast && { next: after }) };
}

/** `a/` of `a/b` by the delimiter `/`. */
function findFileGroup(name: string, { prefix, delimiter }: FileListQuery): string | undefined {
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
/** Would change with a file's metadata, which never changes. */
const METAGENERATION = '1';
const PAGE = { parameter: 'maxResults', default: MAX_FILES_LISTED, max: MAX_FILES_LISTED } as const;

/** `storage.objects.list` and `storage.objects.get` of the files that sinks and copies write. */
export function answerFileOrder(tenant: Tenant, call: Call, order: FileOrder, tools: Tools): CallAnswer {
  const outcome = captureOutcome(() =>
    order.do === 'files' ? list(tenant, call, order, tools) : get(call, order, tools),
  );
  return outcome.ok ? outcome.value : outcome;
}

/** @throws Refusal 404 for a bucket that nothing was written to yet: of another tenant's it says the same (rule K1) */
function list(tenant: Tenant, call: Call, { bucket, salt, isMade }: ListOrder, { files, now }: Tools): CallAnswer {
  const tokens = createPageTokens(call, tenant.id, salt, now());
  const from = readQueryText(call, 'startOffset');
  const until = readQueryText(call, 'endOffset');
  const wanted = {
    prefix: readQueryText(call, 'prefix'),
    delimiter: readQueryText(call, 'delimiter'),
    ...(from !== '' && { from }),
    ...(until !== '' && { until }),
    after: tokens.open()?.id ?? '',
    limit: readPageSize(call.query['maxResults'], PAGE),
  };
  const { files: shown, prefixes, next } = listFilesPage(bucket, wanted, files);
  if (shown.length + prefixes.length === 0 && isMade !== true && !hasFiles(bucket, files))
    throw vendorRefusals.missing('The specified bucket does not exist.');
  const body = {
    kind: 'storage#objects',
    ...(next !== undefined && { nextPageToken: tokens.seal({ sort: '', id: next }) }),
    ...(prefixes.length > 0 && { prefixes: [...prefixes] }),
    ...(shown.length > 0 && { items: shown.map((file) => buildFileObject(bucket, file)) }),
  };
  requireShort(body, call);
  return { ok: true, status: 200, body };
}

/** @throws Refusal 404 for a file or generation that is not there, 412 for a condition that does not hold */
function get(call: Call, { bucket, name }: GetOrder, { files }: Tools): CallAnswer {
  const file = files.find(bucket, name);
  const generation = file && computeGeneration(file);
  if (file === undefined || !isAsked(call, 'generation', generation))
    throw vendorRefusals.missing(`No such object: ${bucket}/${name}`);
  if (!isAsked(call, 'ifGenerationMatch', generation) || !isAsked(call, 'ifMetagenerationMatch', METAGENERATION))
    throw vendorRefusals.conditionNotMet('At least one of the pre-conditions you specified did not hold.');
  const body = buildFileObject(bucket, file);
  const isKnown =
    call.query['ifGenerationNotMatch'] === generation || call.query['ifMetagenerationNotMatch'] === METAGENERATION;
  if (isKnown) return { ok: true, status: 304, etag: computeFileEtag(file) };
  const answer = buildCallAnswer(body, call);
  if (call.asMedia !== true || !answer.ok || answer.status !== 200) return answer;
  return { ...answer, body: {}, media: { type: TYPE, text: files.read(bucket, name) ?? '' } };
}

/** A bucket that was not made by a caller comes with its first file. */
export const hasFiles = (bucket: string, files: Files): boolean =>
  files.list(bucket, { prefix: '', after: '', limit: 1 }).length > 0;

/** Whether a parameter was not sent, or is this. */
const isAsked = ({ query }: Call, name: string, value: string | undefined): boolean =>
  query[name] === undefined || query[name] === value;

/** A file as the vendor shows an object. */
function buildFileObject(bucket: string, file: LogFile): JsonObject {
  const { name, bytes, createdMs, updatedMs } = file;
  const generation = computeGeneration(file);
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
    etag: computeFileEtag(file),
    timeCreated: formatIsoTimestamp(createdMs),
    updated: formatIsoTimestamp(updatedMs),
    timeStorageClassUpdated: formatIsoTimestamp(createdMs),
  };
}

/** Microseconds of its beginning, one more with whatever is appended: another content is another generation. */
const computeGeneration = ({ createdMs, revision }: LogFile): string => String(createdMs * 1_000 + revision);
const computeFileEtag = (file: LogFile): string => `"${computeGeneration(file)}"`;

function readQueryText({ query }: Call, name: string): string {
  const { [name]: value } = query;
  return isText(value) ? value : '';
}
