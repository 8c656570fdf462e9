import { hasFormToken, isSameOrigin, type BrowserSession } from '../../shared/cookies.ts';
import { readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import type { ConsoleFormInput } from './console-request.ts';
import type { ConsoleRefusal, ConsoleRequest } from './dependencies.ts';

/** Longest form of the console. */
const MAX_FORM_BYTES = 32_768;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Whether a page of the console made this request, by what the browser says. Every browser that shows the console says
 * it: who does not is none (rule K10).
 */
export const isOwnPost = ({ raw }: ConsoleRequest['req'], controlUrl: string): boolean =>
  raw.headers.get('sec-fetch-site') === 'same-origin' && isSameOrigin(raw, controlUrl);

export const FOREIGN: ConsoleRefusal = {
  status: 403,
  code: 'foreign_origin',
  title: 'Only pages of the console may send this',
  detail: 'The browser did not say that a page of the console sent this. Nothing was done.',
};

export const CONSOLE_FORM_EXPIRED: ConsoleRefusal = {
  status: 403,
  code: 'form_expired',
  title: 'This form is no longer good',
  detail: 'It was made for another sign-in. Nothing was done: open the page again.',
};

/** Reads a form that carries the token of the browser's session, or says why it is refused. */
export async function readForm(
  { raw }: ConsoleRequest['req'],
  browser: BrowserSession | undefined,
): Promise<{ ok: true; form: ConsoleFormInput } | { ok: false; refusal: ConsoleRefusal }> {
  if (readMediaType(raw) !== FORM_TYPE) return { ok: false, refusal: NO_FORM };
  const bytes = await readBodyBytes(raw, MAX_FORM_BYTES);
  if (bytes === undefined) return { ok: false, refusal: TOO_LARGE };
  const fields = new URLSearchParams(new TextDecoder().decode(bytes));
  const form: ConsoleFormInput = { get: (name) => fields.get(name) ?? undefined, all: (name) => fields.getAll(name) };
  if (browser === undefined || !hasFormToken(browser, form.get('csrf')))
    return { ok: false, refusal: CONSOLE_FORM_EXPIRED };
  return { ok: true, form };
}

const NO_FORM: ConsoleRefusal = {
  status: 415,
  code: 'unsupported_media_type',
  title: 'That is not a form',
  detail: `The console takes ${FORM_TYPE} only.`,
};

const TOO_LARGE: ConsoleRefusal = {
  status: 413,
  code: 'body_too_large',
  title: 'That form is too large',
  detail: `A form of the console has at most ${MAX_FORM_BYTES} bytes.`,
};
