import { computeSecondsUntil, DAY_MS } from '../../lib/time.ts';

/** A reserve is freeable this long after it was made or renewed, in milliseconds; the running Worker renews every 10 s. */
const RESERVE_LEASE_MS = 30_000;
/** Renewals carry one attempt no further than this: the longest measurement, its analysis and its storing. */
const RESERVE_TOTAL_MS = 180_000;
/** Calls of one account that may run at once. */
const MAX_OPEN_RESERVES = 20;
/** What a client may spend of an account in 24 hours where no one said otherwise, in micro-USDC (rule A5). */
export const DEFAULT_CLIENT_CAP_MICRO_USDC = 5_000_000;
const SPENDING_WINDOW_MS = DAY_MS;
/** Uncharged failures that one account may cause within the window (rule P27). */
const ACCOUNT_FAILURES = 20;
const ACCOUNT_FAILURE_WINDOW_MS = 3_600_000;
/** Spending is kept in steps of this: an amount counts for 24 hours, and at most one step longer. */
const SPENDING_STEP_MS = 900_000;
const RETRY_OPEN_S = 5;
/** A revocation is remembered this long, in milliseconds, and so many of them: requests that began before it are over. */
const REVOKED_KEPT_MS = 31 * DAY_MS;
const MAX_REVOKED = 200;

/** One call on prepaid credits. `attempt` is its fencing token: it grows with each reserve of the same id. */
export type CreditCall = {
  readonly id: string;
  /** SHA-256 (hex) over the capability and the canonical parsed input. */
  readonly fingerprint: string;
  readonly capability: string;
  readonly clientId: string;
  readonly amountMicroUsdc: number;
  readonly attempt: number;
  readonly reservedAtMs: number;
  readonly phase:
    /** Its lease is in the account's `open`: a call that is not there holds nothing. */
    | { state: 'reserved' }
    | { state: 'released' }
    | { state: 'captured'; reportId: string; capturedAtMs: number; balanceMicroUsdc: number };
};

/** A call that was paid: `balanceMicroUsdc` is what was left right after it. */
export type CapturedCall = {
  reportId: string;
  capability: string;
  amountMicroUsdc: number;
  balanceMicroUsdc: number;
  capturedAtMs: number;
};

type Reserve = { id: string; clientId: string; amountMicroUsdc: number; leaseUntilMs: number };
type Spending = { atMs: number; amountMicroUsdc: number };

/**
 * One prepaid account, in micro-USDC: what was topped up less what was captured, the reserves that still hold a part of
 * it, what each client spent lately, and when work failed lately.
 */
export type CreditState = {
  readonly balanceMicroUsdc: number;
  readonly open: readonly Reserve[];
  readonly spending: Readonly<Record<string, readonly Spending[]>>;
  readonly failuresAtMs: readonly number[];
  /** Clients that the owner revoked lately, oldest first, each once. */
  readonly revoked: readonly { clientId: string; atMs: number }[];
};

export const emptyAccount: CreditState = {
  balanceMicroUsdc: 0,
  open: [],
  spending: {},
  failuresAtMs: [],
  revoked: [],
};

export type ReserveRequest = {
  id: string;
  fingerprint: string;
  /** The same over the URLs as they were written, where that differs: calls of earlier versions have this one. */
  writtenFingerprint?: string;
  capability: string;
  clientId: string;
  amountMicroUsdc: number;
  /** What this client may spend in 24 hours. */
  capMicroUsdc: number;
  /** When the client's token was found good, in Unix milliseconds: not later than that. */
  authorizedAtMs: number;
};

export type ReserveResult =
  | { outcome: 'reserved'; attempt: number }
  /** The same call was paid before: its stored answer is the answer, and nothing is debited. */
  | { outcome: 'done'; call: CapturedCall }
  | { outcome: 'in_progress'; retryAfterS: number }
  /** The id belongs to a call with other arguments. */
  | { outcome: 'conflict' }
  | { outcome: 'insufficient_credits'; balanceMicroUsdc: number; priceMicroUsdc: number }
  | { outcome: 'client_cap_reached'; capMicroUsdc: number; spentMicroUsdc: number }
  | { outcome: 'client_revoked' }
  | { outcome: 'too_many_open'; retryAfterS: number }
  | { outcome: 'too_many_failures'; retryAfterS: number };

/** What a step answers and what it changes; without `state` and `call` it changed nothing. */
export type CreditStep<Result> = { result: Result; state?: CreditState; call?: CreditCall };

/** Holds the price of a call, so that no other call can spend it (rule P6). `known`: the call of this id, if there is one. */
export function reserveCredits(
  before: CreditState,
  known: CreditCall | undefined,
  request: ReserveRequest,
  nowMs: number,
): CreditStep<ReserveResult> {
  const state = dropExpired(before, nowMs);
  const result =
    findRevocation(state, request) ?? decideKnownCall(state, known, request) ?? findShortage(state, request, nowMs);
  if (result) return { result };
  const { capMicroUsdc: _cap, authorizedAtMs: _authorized, ...about } = request;
  const attempt = (known?.attempt ?? 0) + 1;
  const leaseUntilMs = nowMs + RESERVE_LEASE_MS;
  const { id, clientId, amountMicroUsdc } = request;
  return {
    result: { outcome: 'reserved', attempt },
    state: { ...state, open: [...state.open, { id, clientId, amountMicroUsdc, leaseUntilMs }] },
    call: { ...about, attempt, reservedAtMs: nowMs, phase: { state: 'reserved' } },
  };
}

/** Extends a lease. False when another attempt holds the call, or it was released, or its time is over. */
export function renewReserve(
  before: CreditState,
  call: CreditCall | undefined,
  attempt: number,
  nowMs: number,
): CreditStep<boolean> {
  const state = dropExpired(before, nowMs);
  if (!call || !isHeldBy(state, call, attempt)) return { result: false };
  const leaseUntilMs = Math.min(nowMs + RESERVE_LEASE_MS, call.reservedAtMs + RESERVE_TOTAL_MS);
  const open = state.open.map((one) => (one.id === call.id ? { ...one, leaseUntilMs } : one));
  return { result: true, state: { ...state, open } };
}

/**
 * Debits a reserved call whose result is stored under `reportId`. False, and nothing debited, when the attempt does not
 * hold the call any more: its result must be discarded, which counts as a failure (rule P27). The same call again, by the same attempt, gives the same answer.
 */
export function captureReserve(
  before: CreditState,
  call: CreditCall | undefined,
  attempt: number,
  reportId: string,
  nowMs: number,
): CreditStep<CapturedCall | false> {
  const done = call && getCapturedCall(call);
  if (done) return { result: call.attempt === attempt && done.reportId === reportId ? done : false };
  const held = dropExpired(before, nowMs);
  if (!call) return { result: false };
  if (!isHeldBy(held, call, attempt)) {
    const isCounted = call.phase.state === 'released'; // By its release.
    return { result: false, ...(isCounted ? {} : { state: withFailure(held, nowMs) }) };
  }
  const state = without(held, call.id);
  const balanceMicroUsdc = state.balanceMicroUsdc - call.amountMicroUsdc;
  const phase = { state: 'captured', reportId, capturedAtMs: nowMs, balanceMicroUsdc } as const;
  const { capability, clientId, amountMicroUsdc } = call;
  return {
    result: { reportId, capability, amountMicroUsdc, balanceMicroUsdc, capturedAtMs: nowMs },
    state: { ...spend(state, clientId, amountMicroUsdc, nowMs), balanceMicroUsdc },
    call: { ...call, phase },
  };
}

/** Frees a reserve: nothing is charged. `failed` counts against the account (rule P27). */
export function releaseReserve(
  before: CreditState,
  call: CreditCall | undefined,
  attempt: number,
  failed: boolean,
  nowMs: number,
): CreditStep<boolean> {
  if (call?.phase.state !== 'reserved' || call.attempt !== attempt) return { result: false };
  const state = without(dropExpired(before, nowMs), call.id);
  return {
    result: true,
    state: failed ? withFailure(state, nowMs) : state,
    call: { ...call, phase: { state: 'released' } },
  };
}

/** Remembers that the owner revoked a client: what was authorized before spends nothing more (rule A5). */
export function revokeClient(before: CreditState, clientId: string, nowMs: number): CreditState {
  const state = dropExpired(before, nowMs);
  const others = state.revoked.filter((one) => one.clientId !== clientId);
  return { ...state, revoked: [...others, { clientId, atMs: nowMs }].slice(-MAX_REVOKED) };
}

/** Adds a settled top-up. */
export const addTopUp = (state: CreditState, amountMicroUsdc: number): CreditState => ({
  ...state,
  balanceMicroUsdc: state.balanceMicroUsdc + amountMicroUsdc,
});

/** What is not held by a running call, in micro-USDC. */
export const computeFreeMicroUsdc = (state: CreditState, nowMs: number): number =>
  state.balanceMicroUsdc - sumAmounts(dropExpired(state, nowMs).open);

/** What a client spent in the last 24 hours or holds now, in micro-USDC. */
export function computeSpentMicroUsdc(state: CreditState, clientId: string, nowMs: number): number {
  const { spending, open } = dropExpired(state, nowMs);
  const spent = Object.hasOwn(spending, clientId) ? (spending[clientId] ?? []) : [];
  return sumAmounts(spent) + sumAmounts(open.filter((one) => one.clientId === clientId));
}

/** What a call was paid; undefined while it is not. */
export function getCapturedCall({ phase, capability, amountMicroUsdc }: CreditCall): CapturedCall | undefined {
  if (phase.state !== 'captured') return undefined;
  const { reportId, balanceMicroUsdc, capturedAtMs } = phase;
  return { reportId, capability, amountMicroUsdc, balanceMicroUsdc, capturedAtMs };
}

/** A request may have begun before its client was revoked; one that was authorized later has a consent of its own. */
const findRevocation = (
  { revoked }: CreditState,
  { clientId, authorizedAtMs }: ReserveRequest,
): ReserveResult | undefined =>
  revoked.some((one) => one.clientId === clientId && authorizedAtMs <= one.atMs)
    ? { outcome: 'client_revoked' }
    : undefined;

/** What is known of a call already decides; undefined: it may be tried (anew). */
function decideKnownCall(
  state: CreditState,
  call: CreditCall | undefined,
  request: ReserveRequest,
): ReserveResult | undefined {
  if (!call) return undefined;
  if (call.fingerprint !== request.fingerprint && call.fingerprint !== request.writtenFingerprint) {
    return { outcome: 'conflict' };
  }
  const done = getCapturedCall(call);
  if (done) return { outcome: 'done', call: done };
  return isHeldBy(state, call, call.attempt) ? { outcome: 'in_progress', retryAfterS: RETRY_OPEN_S } : undefined;
}

/** Why the account does not let a new call begin. */
function findShortage(state: CreditState, request: ReserveRequest, nowMs: number): ReserveResult | undefined {
  const { clientId, amountMicroUsdc: priceMicroUsdc, capMicroUsdc } = request;
  const [oldest] = state.failuresAtMs;
  if (oldest !== undefined && state.failuresAtMs.length >= ACCOUNT_FAILURES) {
    return {
      outcome: 'too_many_failures',
      retryAfterS: computeSecondsUntil(oldest + ACCOUNT_FAILURE_WINDOW_MS, nowMs),
    };
  }
  if (state.open.length >= MAX_OPEN_RESERVES) return { outcome: 'too_many_open', retryAfterS: RETRY_OPEN_S };
  const balanceMicroUsdc = computeFreeMicroUsdc(state, nowMs);
  if (priceMicroUsdc > balanceMicroUsdc) return { outcome: 'insufficient_credits', balanceMicroUsdc, priceMicroUsdc };
  const spent = computeSpentMicroUsdc(state, clientId, nowMs);
  if (spent + priceMicroUsdc <= capMicroUsdc) return undefined;
  return { outcome: 'client_cap_reached', capMicroUsdc, spentMicroUsdc: spent };
}

/** The account without what time has ended: lapsed reserves, old spending, failures and revocations. */
export function dropExpired(state: CreditState, nowMs: number): CreditState {
  const spending = Object.entries(state.spending)
    .map(([client, spent]) => [client, spent.filter(({ atMs }) => atMs > nowMs - SPENDING_WINDOW_MS)] as const)
    .filter(([, spent]) => spent.length > 0);
  return {
    ...state,
    open: state.open.filter(({ leaseUntilMs }) => nowMs < leaseUntilMs),
    spending: Object.fromEntries(spending),
    failuresAtMs: state.failuresAtMs.filter((atMs) => atMs > nowMs - ACCOUNT_FAILURE_WINDOW_MS),
    revoked: state.revoked.filter(({ atMs }) => atMs > nowMs - REVOKED_KEPT_MS),
  };
}

function spend(state: CreditState, clientId: string, amountMicroUsdc: number, nowMs: number): CreditState {
  if (amountMicroUsdc === 0) return state;
  const spent = Object.hasOwn(state.spending, clientId) ? (state.spending[clientId] ?? []) : [];
  const atMs = Math.ceil(nowMs / SPENDING_STEP_MS) * SPENDING_STEP_MS; // Rounded up: never forgotten too early.
  const last = spent.at(-1);
  const joined =
    last?.atMs === atMs
      ? [...spent.slice(0, -1), { atMs, amountMicroUsdc: last.amountMicroUsdc + amountMicroUsdc }]
      : [...spent, { atMs, amountMicroUsdc }];
  return { ...state, spending: { ...state.spending, [clientId]: joined } };
}

/** Whether an attempt holds its call by a living lease; `state` is the account without lapsed reserves. */
const isHeldBy = ({ open }: CreditState, { id, phase, attempt: holder }: CreditCall, attempt: number): boolean =>
  phase.state === 'reserved' && holder === attempt && open.some((one) => one.id === id);

const withFailure = (state: CreditState, nowMs: number): CreditState => ({
  ...state,
  failuresAtMs: [...state.failuresAtMs, nowMs].slice(-ACCOUNT_FAILURES),
});

const without = (state: CreditState, id: string): CreditState => ({
  ...state,
  open: state.open.filter((one) => one.id !== id),
});

const sumAmounts = (amounts: readonly { amountMicroUsdc: number }[]): number =>
  amounts.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0);
