import { describeBodyLimit } from '../../../src/problems/common.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { formatPlainLine } from '../../../src/lib/safe-text.ts';
import { readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import type { AppContext } from '../context.ts';
import { type FormInput, refuseRequest, UPLOAD_TYPE } from './pages.ts';

/** A form with files. An empty file field, as browsers send one without a choice, is no file. */
export type UploadedForm = FormInput & { files: readonly { name: string; bytes: Uint8Array }[] };

/** Characters of the name of a file. */
const MAX_NAME_CHARS = 120;

/** Reads a form with files of at most `maxBytes` in all; a response says why it cannot. */
export async function readUpload(c: AppContext, maxBytes: number): Promise<UploadedForm | Response> {
  if (readMediaType(c.req.raw) !== UPLOAD_TYPE)
    return refuseRequest(c, buildProblem('unsupported_media_type', { detail: `The body is not ${UPLOAD_TYPE}` }));
  const bytes = await readBodyBytes(c.req.raw, maxBytes, { asTheyArrive: true });
  if (bytes === undefined)
    return refuseRequest(c, buildProblem('body_too_large', { detail: describeBodyLimit(maxBytes) }));
  const form = await parseForm(bytes, c.req.header('content-type') ?? '');
  if (form === undefined)
    return refuseRequest(c, buildProblem('unsupported_media_type', { detail: 'The form is broken' }));
  const given = [...form].flatMap(([, value]) => (typeof value === 'string' || value.size === 0 ? [] : [value]));
  const files = await Promise.all(
    given.map(async (file) => ({
      name: formatPlainLine(file.name, MAX_NAME_CHARS),
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  const texts = (name: string): readonly string[] =>
    form.getAll(name).filter((value): value is string => typeof value === 'string');
  return { form: true, get: (name) => texts(name)[0], all: texts, files };
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData | undefined> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch {
    return undefined; // Broken by its sender.
  }
}
