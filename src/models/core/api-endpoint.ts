import type { SettingFinding } from '../../lib/settings-reader.ts';
import { classifyHost } from '../../net/address.ts';

/**
 * What the settings say of an engine: `prefix` begins their names, or `place` says which row they are of. The address and
 * the key are of an API.
 */
export type ApiSettings = {
  prefix: 'ANSWER_ENGINE' | 'EMBEDDING_ENGINE';
  place?: string | undefined;
  url?: string | undefined;
  model?: string | undefined;
  key?: string | undefined;
};

/** What an API is asked with. */
export type ApiEndpoint = { url: string; model: string; key: string | undefined };

/** What fetch takes as a bearer token; its own complaint would quote the key. */
const HEADER_VALUE = /^[\x21-\x7e]{1,8192}$/u;

/** A setting of an engine by its name, or by the field of its row. */
export const formatSettingName = ({ prefix, place }: ApiSettings, field: 'URL' | 'MODEL' | 'KEY' | ''): string => {
  if (place !== undefined) return `${place}, ${{ URL: 'url', MODEL: 'model', KEY: 'key_secret', '': 'kind' }[field]}`;
  return field === '' ? prefix : `${prefix}_${field}`;
};

/** An API as it is set, or in our words what is wrong with the settings. Says no value of them. */
export function resolveApiEndpoint(
  settings: ApiSettings,
): { ok: true; endpoint: ApiEndpoint } | { ok: false; detail: string } {
  const { url, model, key } = settings;
  if (url === undefined) return { ok: false, detail: `${formatSettingName(settings, 'URL')} is not set` };
  if (model === undefined) return { ok: false, detail: `${formatSettingName(settings, 'MODEL')} is not set` };
  const fault = findApiUrlFault(url, { isLocal: true, takesQuery: true });
  if (fault !== undefined) return { ok: false, detail: `${formatSettingName(settings, 'URL')} ${fault}` };
  const secret = key?.trim() || undefined; // Files of secrets end in a line end.
  if (secret !== undefined && !HEADER_VALUE.test(secret))
    return { ok: false, detail: `${formatSettingName(settings, 'KEY')} holds characters that no header may carry` };
  return { ok: true, endpoint: { url, model, key: secret } };
}

/**
 * Why an engine is not asked at this address, in our words and without the address; undefined where it is. The key goes
 * with every request: never in the clear and never to this machine, unless it `isLocal`.
 */
export function findApiUrlFault(
  text: string,
  { isLocal, takesQuery }: { isLocal: boolean; takesQuery: boolean },
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'is no http(s) URL, or holds a password';
  if (!isLocal && (url.protocol !== 'https:' || classifyHost(url.hostname).kind !== 'public'))
    return 'must be https and public';
  return url.search !== '' && !takesQuery ? 'has a query, which this kind does not take' : undefined;
}

/** Settings of a deployment with the address of an engine that its Worker would not ask. Those that are not set are left out. */
export function findUnsafeEngineUrls(
  addresses: Readonly<Record<string, string | undefined>>,
): readonly SettingFinding[] {
  return Object.entries(addresses).flatMap(([setting, address]): SettingFinding[] => {
    const fault = address === undefined ? undefined : findApiUrlFault(address, { isLocal: false, takesQuery: true });
    if (fault === undefined) return [];
    return [{ setting, severity: 'fail', detail: `It ${fault}`, next: 'Set it to the public https address' }];
  });
}

/**
 * The base that the SDK appends `path` to, where `url` may be the full address as well; a query (`?api-version=...`) goes
 * with every request.
 */
export function parseApiBase(url: string, path: string): { baseURL: string; queryParams?: Record<string, string> } {
  const { origin, pathname, searchParams } = new URL(url);
  const whole = withoutSlashes(pathname);
  const base = withoutSlashes(whole.endsWith(path) ? whole.slice(0, -path.length) : whole);
  const queryParams = Object.fromEntries(searchParams);
  return { baseURL: `${origin}${base}`, ...(searchParams.size === 0 ? {} : { queryParams }) };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
