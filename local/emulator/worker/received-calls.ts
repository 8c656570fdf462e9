import { isSecretParameter } from '../../../src/audit/hidden-text/gather/secrets.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../src/lib/json.ts';

/** A call as the emulator received it, without anything secret (rule X9). */
export type ReceivedCall = {
  /** In the order of their answers: 1 for the first of this run; never used twice. */
  number: number;
  /** Real time, whatever a tenant's clock says. */
  time: string;
  httpMethod: string;
  path: string;
  /** Id of the method in our table, `directory.users.insert`; null where none has this path. */
  method: string | null;
  /** Null for a call without a good token. */
  tenant: string | null;
  status: number;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** What was sent as JSON; null for none, for another type, and for one that is too long to keep. */
  body: Json;
  /** The number of the batch that this call was a part of. */
  batch?: number;
};

export type CallFilter = {
  method?: string | undefined;
  /** Ends with `*`: paths that begin so. */
  path?: string | undefined;
  httpMethod?: string | undefined;
  status?: number | undefined;
  tenant?: string | undefined;
  /** Calls after this number. */
  since?: number | undefined;
};

/** Calls that are kept; the oldest go first. */
export const MAX_CALLS = 1_000;
/** Characters of a body that is kept: of a longer one only that it came. */
export const MAX_BODY_CHARS = 16_384;

/** The calls of this run, for all tenants. */
export type ReceivedCalls = {
  /** @returns its number, which the parts of a batch name */
  keep: (call: Omit<ReceivedCall, 'number'>) => number;
  find: (filter: CallFilter) => readonly ReceivedCall[];
  /** Forgets those of a tenant, or all. @returns how many there were */
  clear: (tenant?: string) => number;
  /** Number of the last call. */
  last: () => number;
};

export function createReceivedCalls(max = MAX_CALLS): ReceivedCalls {
  let calls: ReceivedCall[] = [];
  let last = 0;
  return {
    keep: (call) => {
      last += 1;
      calls.push({ number: last, ...call });
      if (calls.length > max) calls.shift();
      return last;
    },
    find: (filter) => calls.filter((call) => isWanted(call, filter)),
    clear: (tenant) => {
      const before = calls.length;
      calls = tenant === undefined ? [] : calls.filter((call) => call.tenant !== tenant);
      return before - calls.length;
    },
    last: () => last,
  };
}

function isWanted(call: ReceivedCall, { method, path, httpMethod, status, tenant, since = 0 }: CallFilter): boolean {
  if (call.number <= since) return false;
  if (method !== undefined && call.method !== method) return false;
  if (httpMethod !== undefined && call.httpMethod !== httpMethod) return false;
  if (status !== undefined && call.status !== status) return false;
  if (tenant !== undefined && call.tenant !== tenant) return false;
  if (path === undefined) return true;
  return path.endsWith('*') ? call.path.startsWith(path.slice(0, -1)) : call.path === path;
}

/** Headers that tests ask about. Every other one is left out: any could be a secret of the caller. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-type',
  'if-match',
  'if-none-match',
  'user-agent',
  'x-client-data',
  'x-goog-api-client',
  'x-goog-request-params',
  'x-goog-user-project',
  'x-http-method-override',
]);
/** Names, or parts of names, of what is or could be a credential; beside those that addresses have. */
const SECRET_NAME =
  /pass(?:word|code|phrase|wd)|pwd|secret|hash_?function|private_?key|api_?key|credential|assertion|authorization|cookie|verification_?code|signature|bearer|jwt/i;
const TOKEN_NAME = /token/i;
const PAGE_TOKEN = /^(?:next_?)?(?:page|sync)_?token$/i;
const LEFT_OUT = '[left out]';
/** Name and password in an address: all before the last `@` of the host. */
const USER_INFO = /(:\/\/)[^/?#\s]{1,4096}@/g;
/** A parameter in an address, wherever it is in a text. */
const PARAMETER = /([?&;#])([\w.%-]{1,64})=([^&\s"'<>#]+)/g;
/** A header in a text, which is no parameter: up to the end of its line. */
const SECRET_LINE = /(?<![?&;#\w.])((?:(?:proxy-)?authorization|(?:set-)?cookie)\s{0,8}[:=]\s{0,8})[^\r\n]+/gi;
const BEARER = /\b(bearer\s{1,8})\S+/gi;
/** Beside one of these, `key` is what an attribute or a label is named. */
const NAMED_BY_KEY = ['value', 'valueType', 'description'];
/** Of a value of the query or of a header; more is cut off. */
const MAX_VALUE_CHARS = 2_000;
/** Deeper than any body of these interfaces. */
const MAX_DEPTH = 32;

export const selectHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => KEPT_HEADERS.has(name))
      .map(([name, value]) => [name, scrubText(value).slice(0, MAX_VALUE_CHARS)]),
  );

/** The parameters of a query; of several of one name, the values joined by a comma. */
export function selectQuery(query: URLSearchParams): Record<string, string> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [
      name,
      isSecretName(name) ? LEFT_OUT : scrubText(query.getAll(name).join(',')).slice(0, MAX_VALUE_CHARS),
    ]),
  );
}

/** A body without what may be secret in it. */
export function scrubBody(value: Json, depth = 0): Json {
  if (depth > MAX_DEPTH) return LEFT_OUT;
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map((each) => scrubBody(each, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretMember(name, value) ? LEFT_OUT : scrubBody(member, depth + 1),
    ]),
  );
}

/** By its own name; the value of a pair by the name beside it. */
function isSecretMember(name: string, owner: JsonObject): boolean {
  if (name === 'key' && NAMED_BY_KEY.some((beside) => Object.hasOwn(owner, beside))) return false;
  if (name === 'value' && [owner['key'], owner['name']].some((named) => isText(named) && isSecretName(named)))
    return true;
  return isSecretName(name);
}

/** One rule for parameters, members and names of pairs; tokens of pages are no secrets. */
function isSecretName(name: string): boolean {
  const last = name.split(/[./]/).at(-1) ?? '';
  if (SECRET_NAME.test(name) || isSecretParameter(last)) return true;
  return TOKEN_NAME.test(name) && !PAGE_TOKEN.test(last);
}

const scrubText = (text: string): string =>
  text
    .replaceAll(USER_INFO, '$1')
    .replaceAll(PARAMETER, (whole, mark: string, name: string) =>
      [...new URLSearchParams(`${name}=`).keys()].some(isSecretName) ? `${mark}${name}=${LEFT_OUT}` : whole,
    )
    .replaceAll(SECRET_LINE, `$1${LEFT_OUT}`)
    .replaceAll(BEARER, `$1${LEFT_OUT}`);
