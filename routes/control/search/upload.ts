import { truncateSentText } from '../../../src/management/core/conventions/invalid.ts';
import { parseJsonText } from '../../../src/management/core/conventions/json-text.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import { type RefusalData, vendorRefusals } from '../../../src/lib/refusal.ts';
import { MAX_FILE_BYTES } from '../../../src/search/ingest/kinds-data.ts';
import { readFileText, type Unreadable } from '../../../src/search/ingest/text-of.ts';
import type { PdfReadingService } from '../../../src/search/pdf/reader.ts';
import type { UploadedFile } from '../../../src/search/search-object.ts';
import { Denial, requireValue } from '../authorize-call.ts';
import type { IncomingCall } from '../call-context.ts';

/** A form as it was sent: the file, and what a handler judges of it. */
export type SentForm = {
  file: { key: string; type: string; bytes: Uint8Array };
  /** `{ key, wait_for_completion }`, and `metadata` where it was sent. */
  body: JsonObject;
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

/** The file with its text, for the object of its instance. @throws Denial for a file that has none */
export async function readUploadedFile(
  { file }: SentForm,
  order: { key: string; metadata: JsonObject; waits: boolean },
  readPdf: PdfReadingService,
): Promise<UploadedFile> {
  const read = await readFileText(file, readPdf);
  if (!read.ok) throw new Denial(refuseFile(read.reason, read.message));
  const { text, title, type } = read;
  const { key, waits } = order;
  return { key, type, bytes: file.bytes, text, title, metadata: selectScalars(order.metadata), waits };
}

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

const FILE_STATUS: Readonly<Record<Unreadable, number>> = {
  unsupported_type: 400,
  too_large: 413,
  took_too_long: 400,
  not_utf8: 400,
  unreadable: 400,
  empty: 400,
};

const refuseFile = (reason: Unreadable, message: string): RefusalData => ({
  status: FILE_STATUS[reason],
  word: 'INVALID_ARGUMENT',
  reason,
  message,
});
