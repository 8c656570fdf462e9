import { parseScope } from './scopes.ts';
import type { TokenRequest, WireAnswer } from './store-protocol.ts';

/** Largest body of a token request: the longest parameter is an assertion. */
export const MAX_TOKEN_BODY_BYTES = 16_384;
const MAX_PARAMETERS = 40;

/** No answer of the token endpoint is ever cached (RFC 6749, section 5.1). */
export const NO_STORE = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  pragma: 'no-cache',
} as const;

export type TokenForm = { ok: true; form: URLSearchParams } | { ok: false; answer: WireAnswer };

/**
 * Reads the body of a token request: a form, within its size, each parameter once (RFC 6749, section 3.2). `resource`
 * alone may repeat (RFC 8707, section 2): whether its values make sense is for the provider library. Scopes are made
 * canonical, for all who read the form.
 */
export function readTokenForm({ contentType, body }: TokenRequest): TokenForm {
  const [mediaType = ''] = contentType.split(';');
  if (mediaType.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    return refuse(400, 'Send the parameters as application/x-www-form-urlencoded');
  }
  if (new TextEncoder().encode(body).byteLength > MAX_TOKEN_BODY_BYTES) {
    return refuse(413, `The body is larger than ${MAX_TOKEN_BODY_BYTES} bytes`);
  }
  const form = new URLSearchParams(body);
  if (form.size > MAX_PARAMETERS) return refuse(400, `There are more than ${MAX_PARAMETERS} parameters`);
  const names = [...form.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size < names.length) return refuse(400, 'A parameter is given more than once');
  const scope = form.get('scope');
  if (scope !== null) form.set('scope', parseScope(scope).join(' '));
  return { ok: true, form };
}

/** An error answer of the token or registration endpoint (RFC 6749, section 5.2). */
export const oauthError = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): WireAnswer => ({
  status,
  headers: { ...NO_STORE, ...headers },
  body: JSON.stringify({ error, error_description: description }),
});

const refuse = (status: number, description: string): TokenForm => ({
  ok: false,
  answer: oauthError(status, 'invalid_request', description),
});
