import * as z from 'zod';
import { computeSha256Hex } from '../../lib/digest.ts';
import { type CredentialOptions, isSafe, createVendorCredentials } from './credentials.ts';
import type { DirectoryUser, Granted, WatchTarget, UserPage, Vendor, VendorFailure, WatchOrder } from './vendor.ts';
import { askVendor, type VendorAnswer, WIRE_LIMITS, type WireLimits } from './wire.ts';

/** Reasons of a 403 that mean "later" and not "never". */
const LATER = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded', 'limitExceeded'];
/** Of the vendor's words only a name goes into a detail: its messages repeat what was sent. */
const REASON = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const MAX_LISTED = 100;

const errorSchema = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(''),
    errors: z
      .array(z.looseObject({ reason: z.string().default('') }))
      .max(MAX_LISTED)
      .default([]),
    status: z.string().default(''),
  }),
});

/** What the vendor itself says went wrong; undefined where someone else answered, a proxy or the wrong host. */
type VendorError = { reason: string; message: string };

function parseVendorError({ status, body }: VendorAnswer): VendorError | undefined {
  const outcome = errorSchema.safeParse(body);
  if (!outcome.success || outcome.data.error.code !== status) return undefined;
  const { errors, status: word, message } = outcome.data.error;
  const reason = errors[0]?.reason ?? word;
  return { reason: REASON.test(reason) ? reason : '', message };
}

/**
 * An answer that is not what was asked for, as a failure. Only the vendor's own words make it final: an error page of
 * someone between says nothing about what the vendor would have answered.
 */
function toVendorFailure(answer: VendorAnswer): VendorFailure {
  const error = parseVendorError(answer);
  return {
    ok: false,
    reason: classifyFailure(answer.status, error),
    detail: describeFailure(answer, error),
    retryAfterMs: answer.retryAfterMs,
    vendorNowMs: answer.vendorNowMs,
  };
}

function classifyFailure(status: number, error: VendorError | undefined): VendorFailure['reason'] {
  if (error?.reason === 'channelIdNotUnique') return 'id_not_unique';
  if (status === 429 || LATER.includes(error?.reason ?? '')) return 'rate_limited';
  if (status === 401 || status === 403) return 'credentials_refused';
  if (error === undefined || status === 408 || status >= 500) return 'unavailable';
  return status === 404 ? 'not_found' : 'refused';
}

function describeFailure({ status, isTooLarge }: VendorAnswer, error: VendorError | undefined): string {
  const answers = `the directory answers ${status}`;
  if (error !== undefined) return error.reason === '' ? answers : `${answers} (${error.reason})`;
  if (isTooLarge) return `${answers} with more than is read`;
  return isSuccess(status)
    ? `${answers} with a body that is not what it should be`
    : `${answers}, not in its own words`;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What changes by itself, or is not the same in a list and by itself. */
const VOLATILE = new Set(['kind', 'etag', 'lastLoginTime', 'thumbnailPhotoUrl', 'thumbnailPhotoEtag']);
/** What lies deeper counts for nothing in a fingerprint; users are four levels deep. */
const MAX_DEPTH = 32;

/**
 * A user in the vendor's words; fields that it leaves out are false or empty. A text that is none is empty too; an id or a
 * state that is none makes it no user.
 */
const userSchema = z.looseObject({
  id: z.string().min(1).max(256),
  primaryEmail: z.string().max(320).catch(''),
  suspended: z.boolean().default(false),
  archived: z.boolean().default(false),
  isAdmin: z.boolean().default(false),
  orgUnitPath: z.string().max(4_096).catch(''),
  etag: z.string().max(1_024).catch(''),
});

/** @param user as `userSchema` parsed it */
async function toDirectoryUser(user: z.infer<typeof userSchema>): Promise<DirectoryUser> {
  const { id, primaryEmail, suspended, archived, isAdmin, orgUnitPath, etag } = user;
  const fingerprint = await fingerprintUser(user);
  return { id, primaryEmail, suspended, archived, isAdmin, orgUnitPath, etag, fingerprint };
}

const fingerprintUser = (user: Record<string, unknown>): Promise<string> =>
  computeSha256Hex(
    formatCanonicalJson(Object.fromEntries(Object.entries(user).filter(([name]) => !VOLATILE.has(name)))),
  );

/** JSON with the names of each object in order, so that one value has one text. */
function formatCanonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return '"deeper"';
  if (Array.isArray(value)) return `[${value.map((item) => formatCanonicalJson(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${formatCanonicalJson(item, depth + 1)}`).join(',')}}`;
}

export type VendorOptions = CredentialOptions & {
  /** Origin of the directory; plain http on this machine only. */
  directoryUrl: string;
  /** The administrator whom the service account acts for, where a call names none. */
  subject: string | undefined;
  limits?: Partial<WireLimits>;
};

const USERS = '/admin/directory/v1/users';
const CHANNELS_STOP = '/admin/directory_v1/channels/stop';
/** Users of a page. The second is for users so large that a page of the first does not fit into an answer. */
const PAGE_SIZES = ['500', '50'] as const;
const MAX_PAGE_TOKEN_CHARS = 8_192;
const MILLISECONDS = /^\d{1,15}$/;
/** The vendor's words for a user who is not there. Any other 404 is of the customer, the project or the method. */
const NO_USER = /\bresource not found: userKey\b/i;

/** Notations of the vendor's pages and types differ: a number, or its digits as text. */
const grantSchema = z.looseObject({
  id: z.string(),
  resourceId: z.string().min(1).max(1_024),
  // The channel is open whatever is in the rest: nothing odd there makes the answer a failure.
  resourceUri: z.string().max(4_096).catch(''),
  expiration: z.union([z.number(), z.string()]).optional().catch(undefined),
});
const pageSchema = z.looseObject({
  users: z.array(z.unknown()).max(Number(PAGE_SIZES[0])).default([]),
  nextPageToken: z.string().max(MAX_PAGE_TOKEN_CHARS).optional(),
});

type Call = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: object;
  subject: string | undefined;
};
type Ask = (call: Call) => Promise<{ ok: true; answer: VendorAnswer } | VendorFailure>;

/**
 * The vendor's directory over its documented requests, with a bearer token or the key of a service account. Never
 * throws for what the network or the vendor does, follows no redirect, and believes that a user or channel is not
 * there only if the vendor says so in its own words.
 * @see https://developers.google.com/workspace/admin/directory/v1/guides/push
 */
export function createVendorClient(options: VendorOptions): Vendor {
  const ask = createAuthorizedCaller(options);
  return {
    watch: (order) => watch(order, ask),
    stop: async ({ id, resourceId, subject }) => {
      const outcome = await ask({ method: 'POST', path: CHANNELS_STOP, body: { id, resourceId }, subject });
      if (!outcome.ok) return outcome;
      return isSuccess(outcome.answer.status) || isUnknown(outcome.answer)
        ? { ok: true }
        : toVendorFailure(outcome.answer);
    },
    readUser: (asked) => readUser(asked, ask),
    listUsers: async (asked) => {
      const outcome = await askForPage(asked, ask);
      return outcome.ok ? readUserPage(outcome.answer, asked.pageToken) : outcome;
    },
  };
}

async function watch(
  { id, address, token, target, event, ttlSeconds, subject }: WatchOrder,
  ask: Ask,
): Promise<Granted | VendorFailure> {
  const query = { ...buildTargetQuery(target), ...(event === undefined ? {} : { event }) };
  const body = { id, type: 'web_hook', address, token, params: { ttl: String(ttlSeconds) } };
  const outcome = await ask({ method: 'POST', path: `${USERS}/watch`, query, body, subject });
  if (!outcome.ok) return outcome;
  const granted = grantSchema.safeParse(outcome.answer.body);
  if (!isSuccess(outcome.answer.status) || !granted.success || granted.data.id !== id)
    return toVendorFailure(outcome.answer);
  const { resourceId, resourceUri, expiration } = granted.data;
  return {
    ok: true,
    resourceId,
    resourceUri,
    expiresAtMs: parseExpirationMs(expiration),
    vendorNowMs: outcome.answer.vendorNowMs,
  };
}

async function readUser(
  { userId, subject }: Parameters<Vendor['readUser']>[0],
  ask: Ask,
): ReturnType<Vendor['readUser']> {
  if (!isPathSegment(userId)) return { ok: false, reason: 'refused', detail: 'no id that a user can have' };
  const query = { projection: 'full' };
  const outcome = await ask({ method: 'GET', path: `${USERS}/${encodeURIComponent(userId)}`, query, subject });
  if (!outcome.ok) return outcome;
  const { answer } = outcome;
  if (answer.status === 404)
    return isNoUser(answer) ? { ok: true, user: null } : toRetryableFailure(toVendorFailure(answer));
  const user = userSchema.safeParse(answer.body);
  if (answer.status !== 200 || !user.success || user.data.id !== userId) return toVendorFailure(answer);
  return { ok: true, user: await toDirectoryUser(user.data) };
}

function isNoUser(answer: VendorAnswer): boolean {
  const error = parseVendorError(answer);
  return error?.reason === 'notFound' && NO_USER.test(error.message);
}

/** Nothing was said of the user: who reads it asks again. */
const toRetryableFailure = (failure: VendorFailure): VendorFailure => ({ ...failure, reason: 'unavailable' });

/** Whether a foreign text names something below the users, and not another path of the directory. */
const isPathSegment = (text: string): boolean => !['', '.', '..'].includes(text) && text.isWellFormed();

async function askForPage(
  { target, pageToken, subject }: Parameters<Vendor['listUsers']>[0],
  ask: Ask,
): ReturnType<Ask> {
  const place = buildTargetQuery(target);
  const page = (maxResults: string) =>
    ask({
      method: 'GET',
      path: USERS,
      query: {
        ...place,
        maxResults,
        orderBy: 'email',
        projection: 'full',
        ...(pageToken === undefined ? {} : { pageToken }),
      },
      subject,
    });
  const whole = await page(PAGE_SIZES[0]);
  return whole.ok && whole.answer.isTooLarge ? page(PAGE_SIZES[1]) : whole;
}

/**
 * Users that cannot be read are left out one by one: those who are known are then read by themselves, as who is not
 * listed is. A page of which no one can be read is none, and so is one that names itself as the next.
 */
async function readUserPage(answer: VendorAnswer, pageToken: string | undefined): Promise<UserPage | VendorFailure> {
  const page = pageSchema.safeParse(answer.body);
  if (answer.status !== 200 || !page.success) return toVendorFailure(answer);
  const nextPageToken = page.data.nextPageToken === '' ? undefined : page.data.nextPageToken;
  if (nextPageToken !== undefined && nextPageToken === pageToken) {
    const detail = 'the directory names the page that was asked for as the next one';
    return { ...toVendorFailure(answer), detail };
  }
  const readable = page.data.users.flatMap((user) => {
    const outcome = userSchema.safeParse(user);
    return outcome.success ? [outcome.data] : [];
  });
  const skipped = page.data.users.length - readable.length;
  if (skipped > 0 && readable.length === 0) return toVendorFailure(answer);
  const users = await Promise.all(readable.map(toDirectoryUser));
  return { ok: true, users, nextPageToken, ...(skipped === 0 ? {} : { skipped }) };
}

const buildTargetQuery = ({ customer, domain }: WatchTarget): Record<string, string> =>
  domain === undefined ? { customer } : { domain };

/** Whether the vendor says that it has no such channel: by the status, or, as some saw it, by its text alone. */
function isUnknown(answer: VendorAnswer): boolean {
  const error = parseVendorError(answer);
  return error !== undefined && (answer.status === 404 || (answer.status === 400 && /not found/i.test(error.message)));
}

function parseExpirationMs(expiration: number | string | undefined): number | undefined {
  const text = String(expiration ?? '');
  return MILLISECONDS.test(text) ? Number(text) : undefined;
}

/** Sends calls with a token; once more with a new one where a kept one is refused. */
function createAuthorizedCaller(options: VendorOptions): Ask {
  const limits = { ...WIRE_LIMITS, ...options.limits };
  const credentials = createVendorCredentials(options, limits);
  const once = async (call: Call, subject: string) => {
    const held = await credentials.tokenFor(subject);
    if (!held.ok) return { outcome: held, isStale: false };
    const outcome = await send(call, held.token, { ...options, limits });
    const isStale = outcome.ok && outcome.answer.status === 401 && held.isRenewable;
    if (isStale) credentials.drop(subject, held.token);
    return { outcome, isStale };
  };
  return async (call) => {
    const subject = call.subject ?? options.subject ?? '';
    const first = await once(call, subject);
    return first.isStale ? (await once(call, subject)).outcome : first.outcome;
  };
}

async function send(
  { method, path, query = {}, body }: Call,
  token: string,
  tools: VendorOptions & { limits: WireLimits },
): ReturnType<Ask> {
  const url = new URL(`${path}?${new URLSearchParams(query).toString()}`, tools.directoryUrl);
  if (!isSafe(url)) {
    const detail = 'DIRECTORY_URL must be https, or http on this machine, without credentials';
    return { ok: false, reason: 'credentials_refused', detail };
  }
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const request =
    body === undefined
      ? { method, url, headers }
      : { method, url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return askVendor(request, 'directory', tools);
}
