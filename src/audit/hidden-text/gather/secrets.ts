import type { Exchange } from '../../core/snapshot.ts';

/** Header names whose values are credentials, or set some (rule F10). */
const SECRET_HEADER =
  /^(?:set-cookie2?|cookie|(?:proxy-)?authorization|(?:proxy-)?authentication-info)$|(?:^|-)(?:api-?key|auth-token|access-token|refresh-token|session|session-id|csrf-token|xsrf-token|secret|password|signature)$/i;

/** The session of our own handshake: the next probe needs it, so it leaves the exchange only when the audit is done. */
const OWN_SESSION = 'mcp-session-id';

/** Query parameters whose values are credentials. */
const SECRET_PARAMETER =
  /^(?:(?:access|refresh|id|auth|session|csrf|xsrf|security|x-amz-security)?[_-]?token|(?:api|access|secret|private|x-goog-api|aws)?[_-]?(?:key|secret)|key|sig|signature|x-amz-(?:signature|credential)|x-goog-(?:signature|credential)|password|passwd|pwd|auth|authorization|session(?:id)?|sid|jsessionid|phpsessid|code|client_secret|jwt|assertion|credential)$/i;

/** Whether the value of a query parameter of this name is a credential. */
export const isSecretParameter = (name: string): boolean => SECRET_PARAMETER.test(name);

/** What replaces a dropped value. */
export const DROPPED = 'DROPPED';

/** More headers than this are not kept: no check reads so many. */
export const MAX_HEADERS = 200;
export const MAX_HEADER_CHARS = 8192;

/**
 * Headers fit for a snapshot that strangers may read: none that carries or sets a credential, and no credential in the
 * query of a URL inside a value (`location`, `link`).
 */
export function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .filter(([name]) => name.toLowerCase() === OWN_SESSION || !SECRET_HEADER.test(name))
    .map(([name, value]) => [name, withoutSecretQuery(value.slice(0, MAX_HEADER_CHARS))] as const);
  return Object.fromEntries(kept);
}

/** Text with the values of secret-looking query parameters dropped, wherever it contains a `?name=value&...`. */
export function withoutSecretQuery(text: string): string {
  return text.replace(/([?&;])([\w.%-]{1,64})=([^&;\s"'<>,#]{1,8192})/g, (whole, mark: string, name: string) =>
    isSecretParameter(name) ? `${mark}${name}=${DROPPED}` : whole,
  );
}

/** An exchange as a snapshot keeps it: that our handshake had a session shows, its id does not. */
export function sealExchange(exchange: Exchange): Exchange {
  const { answer, requestHeaders } = exchange;
  const inAnswer = answer.ok && answer.headers[OWN_SESSION] !== undefined;
  if (!inAnswer && requestHeaders[OWN_SESSION] === undefined) return exchange;
  const hide = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    headers[OWN_SESSION] === undefined ? headers : { ...headers, [OWN_SESSION]: DROPPED };
  return {
    ...exchange,
    requestHeaders: hide(requestHeaders),
    answer: answer.ok ? { ...answer, headers: hide(answer.headers) } : answer,
  };
}
