import { isObject, isText, type JsonObject } from '../../../lib/json.ts';
import type { QuotaRow } from './catalogue-data.ts';

/** A stored preference, with what the vendor's schema has no place for. */
export type StoredPreference = {
  service: string;
  quotaId: string;
  dimensions: Record<string, string>;
  preferredValue: string;
  annotations: Record<string, string>;
  justification: string;
  createdMs: number;
  updatedMs: number;
  /** What was granted before the last change; '' where nothing is known of it. It holds until `dueMs`. */
  before: string;
  /** By the tenant's clock: until then an increase is pending. 0: nothing is. */
  dueMs: number;
  /** Of the last request for more; '' where there was none. */
  traceId: string;
};

/** A request for more is looked at for so long, by the tenant's clock; less is granted at once. */
export const REVIEW_MS = 1_000;
/** "Unlimited" as values say it. */
const UNLIMITED = -1n;

/** A value as a number to compare: unlimited is more than any. */
const toAmount = (value: string): bigint => {
  const number = BigInt(value);
  return number === UNLIMITED ? 1n << 64n : number;
};

export const isMore = (value: string, than: string): boolean => toAmount(value) > toAmount(than);

/** Whether a value is less than nine tenths of another (QUOTA_DECREASE_PERCENTAGE_TOO_HIGH). */
export const isMuchLess = (value: string, than: string): boolean => toAmount(value) * 10n < toAmount(than) * 9n;

/** What of a wish is granted: all of it, but between floor and ceiling of the quota. */
export function computeGrant(preferred: string, row: QuotaRow | undefined): string {
  const { floor, ceiling } = row ?? {};
  if (ceiling !== undefined && isMore(preferred, String(ceiling))) return String(ceiling);
  if (floor !== undefined && isMore(String(floor), preferred)) return String(floor);
  return preferred;
}

export const isPending = ({ dueMs }: StoredPreference, nowMs: number): boolean => nowMs < dueMs;

/** What holds now: what was granted before while a request is pending. '' where that is not known. */
export const computeCurrentGrant = (kept: StoredPreference, row: QuotaRow | undefined, nowMs: number): string =>
  isPending(kept, nowMs) ? kept.before : computeGrant(kept.preferredValue, row);

/** What is said about the state, for people. */
export function describePreferenceState(kept: StoredPreference, row: QuotaRow | undefined, nowMs: number): string {
  if (isPending(kept, nowMs)) return 'The request for more is being reviewed';
  const granted = computeGrant(kept.preferredValue, row);
  if (granted === kept.preferredValue) return 'Granted';
  const bound = isMore(kept.preferredValue, granted) ? 'highest' : 'lowest';
  return `Granted in part: ${granted} is the ${bound} value that this quota can have`;
}

/** The stored body of a preference, back in its type: the store gives what was put in. */
export const readStoredPreference = (body: JsonObject): StoredPreference => body as unknown as StoredPreference;

/** Whether a body can be one: a restore takes no other (rule K3). */
export function isKept(body: JsonObject): boolean {
  const texts = ['service', 'quotaId', 'justification', 'traceId'].every((name) => isText(body[name]));
  const times = ['createdMs', 'updatedMs', 'dueMs'].every((name) => isTime(body[name]));
  const maps = [body['dimensions'], body['annotations']].every(isTextMap);
  const { preferredValue, before } = body;
  return texts && times && maps && isQuotaValue(preferredValue) && (before === '' || isQuotaValue(before));
}

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isTextMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** The most that an int64 holds. */
const MAX_VALUE = (1n << 63n) - 1n;

/** Whether a value is one of a quota: -1 or more, as JSON spells an int64. */
export function isQuotaValue(value: unknown): value is string {
  if (!isText(value) || !/^-?\d{1,19}$/.test(value)) return false;
  const number = BigInt(value);
  return number >= UNLIMITED && number <= MAX_VALUE;
}
