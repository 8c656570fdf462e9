import { urlBody } from '../../../src/capabilities/bodies.ts';
import { pointerOf } from '../../../src/capabilities/json-pointer.ts';
import { parseTargetUrl } from '../../../src/net/canonical-url.ts';
import { reasonRow } from '../../../src/payment/terms/reasons.ts';
import { bytesOf, jsonOf, mediaTypeOf } from '../../../src/net/request-body.ts';
import type { AppContext, AppOptions } from '../context.ts';
import type { PreviewOrder } from '../bindings/preview-gate.ts';
import { type ProblemInput, problemOfReason } from '../../../src/problems/problem.ts';

/** Longest body of a preview: its URL has at most 2,048 characters. */
const MAX_BODY_BYTES = 16_384;

/** What a preview may be asked for: the body of `full_audit` without the pages to read. */
const previewBody = urlBody.pick({ url: true, profile: true });

type Read = { ok: true; order: PreviewOrder } | { ok: false; problem: ProblemInput };

/** The order in a JSON body. */
export async function readJsonOrder(c: AppContext, options: AppOptions): Promise<Read> {
  if (mediaTypeOf(c.req.raw) !== 'application/json')
    return refused(415, 'unsupported_media_type', 'Send the body as application/json');
  const bytes = await bytesOf(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined) return refused(413, 'body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  const json = jsonOf(bytes);
  return json.ok ? judgeOrder(c, options, json.value) : refused(400, 'invalid_json', 'The body is not JSON');
}

/** Judges what was asked for: its shape, and whether the address may be fetched at all. */
export function judgeOrder(c: AppContext, options: AppOptions, given: unknown): Read {
  const parsed = previewBody.safeParse(given);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ pointer: pointerOf(path), message }));
    const detail = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
    return {
      ok: false,
      problem: { status: 422, code: 'invalid_body', title: 'This is no address of a site', detail, errors },
    };
  }
  const { url, profile } = parsed.data;
  const target = parseTargetUrl(url, options.policy(c.env));
  if (!target.ok) {
    const { detail } = target;
    return { ok: false, problem: problemOfReason('target_refused', reasonRow('target_refused'), { detail }) };
  }
  return { ok: true, order: { url: target.url.href, ...(profile === undefined ? {} : { profile }) } };
}

const refused = (status: number, code: string, title: string): Read => ({
  ok: false,
  problem: { status, code, title },
});
