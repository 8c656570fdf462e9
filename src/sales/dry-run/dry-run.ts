import { findCapability } from '../../capabilities/catalog.ts';
import type { SoldRow } from '../../capabilities/credit-packs.ts';
import { listMcpUrls } from '../../capabilities/service.ts';
import { failureWords } from '../../net/failure-words-data.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { formatUsdAmount } from '../../payment/terms/constants.ts';
import { isSoldOn } from '../../payment/terms/sold-on.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { type AuditAdmission, buildAuditTarget, TARGET_LIMITS } from '../../rate-limits/target-gate.ts';
import { getProofThreshold } from '../offers.ts';
import type { OfferedSale, SaleOutcome } from '../seller.ts';

/** An address of the input that a purchase would fetch. */
export type DryTarget = { field: string; url: string };

/** How the hosts of a dry run are asked. */
export type DryRunPorts = {
  /** Makes the fetch of one host: it may make one request. */
  createFetch: () => GuardedFetch;
  /** Counts an unpaid audit of this host, and lets it in or not (rule F6). */
  enter: (hostname: string) => Promise<AuditAdmission>;
};

/** What one host said. `reachable` is null where it was not asked: that is no answer. */
export type DryReach =
  | { reachable: true; status: number }
  | { reachable: false; reason: string; detail: string; next: string }
  | { reachable: null; reason: 'target_busy'; detail: string; retry_after_s: number }
  | { reachable: null; reason: 'same_host'; detail: string };

/** A body is not read: the headers say enough. */
const BODY_BYTES = 1;
/** One request, which follows nothing. */
export const DRY_RUN_FETCH_LIMITS = { requests: 1, redirects: 0 } as const;

/** Asks each host once, whatever the number of addresses on it. */
export async function reachTargets(
  targets: readonly DryTarget[],
  ports: DryRunPorts,
): Promise<readonly (DryTarget & DryReach)[]> {
  const seen = new Set<string>();
  return Promise.all(
    targets.map(async (target) => {
      const { hostname } = new URL(target.url);
      const { host } = buildAuditTarget(hostname);
      if (seen.has(host)) return { ...target, ...SAME_HOST };
      seen.add(host);
      return { ...target, ...(await reachTarget(target.url, hostname, ports)) };
    }),
  );
}

const SAME_HOST: DryReach = {
  reachable: null,
  reason: 'same_host',
  detail: 'Not asked: a dry run sends one request to a host, and another address of this host was asked',
};

async function reachTarget(url: string, hostname: string, { createFetch, enter }: DryRunPorts): Promise<DryReach> {
  const admission = await enter(hostname);
  if (!admission.admitted)
    return {
      reachable: null,
      reason: 'target_busy',
      detail: `Not asked: all unpaid audits of one host together are ${TARGET_LIMITS.unpaidPerHour} an hour`,
      retry_after_s: admission.retryAfterS,
    };
  const answer = await createFetch()({ url, follow: false, maxBytes: BODY_BYTES });
  if (answer.ok) return { reachable: true, status: answer.status };
  const { means, next } = failureWords[answer.reason];
  return { reachable: false, reason: answer.reason, detail: means, next };
}

/** What a dry run says, apart from what its hosts said. */
export type DryRunFacts = {
  row: SoldRow;
  /** The input as it would be sold, and its fingerprint where the purchase is bound to one. */
  input: Record<string, unknown>;
  fingerprint?: string;
  outcome: SaleOutcome;
  targets: readonly (DryTarget & DryReach)[];
  freeLimit: { perMinute: number; left: number | undefined };
  baseUrl: string;
};

/** The answer to `?dry=1`: what the same request with a payment would be charged, and what it would meet. */
export function buildDryRun(facts: DryRunFacts): Record<string, unknown> {
  const { row, input, fingerprint, outcome, targets, freeLimit, baseUrl } = facts;
  const amount = String(row.priceMicroUsdc);
  const closed = outcome.ok ? outcome.sale.closed : outcome.problem;
  return {
    dry_run: true,
    capability: row.name,
    price: { amount, usd: formatUsdAmount(row.priceMicroUsdc), currency: 'USDC' },
    sale: closed === undefined ? { open: true } : describeClosed(closed),
    rails: outcome.ok ? listDryRails(outcome.sale, baseUrl) : [],
    input,
    ...(fingerprint === undefined ? {} : { input_sha256: fingerprint }),
    targets,
    limits: {
      free_requests_per_minute: freeLimit.perMinute,
      free_requests_left: freeLimit.left ?? null,
      unpaid_audits_of_a_host_per_hour: TARGET_LIMITS.unpaidPerHour,
    },
  };
}

const describeClosed = ({ code, title, detail, next }: ProblemInput) => ({
  open: false,
  code,
  detail: detail ?? title,
  next,
});

const MPP = { method: 'evm', intent: 'charge', header: 'Authorization: Payment' } as const;

/** A challenge of MPP names a network that knows authorizations. */
const listMppRail = ({ network, asset }: { network: string; asset: string }) =>
  network.startsWith('eip155:') ? [{ rail: 'mpp', ...MPP, network, asset }] : [];

/** The ways by which a row can be paid for here. */
function listDryRails(
  { seller, row, offer, unread }: OfferedSale,
  baseUrl: string,
): readonly Record<string, unknown>[] {
  const { id: network, usdc: asset } = seller.network;
  const paid = { network, asset, header: 'PAYMENT-SIGNATURE' };
  const x402 = [...seller.on.values()]
    .map((one) => one.network)
    .filter((one) => !unread.has(one.id) && isSoldOn(one, row))
    .map(({ id, usdc: token }) => ({ rail: 'x402', scheme: 'exact', ...paid, network: id, asset: token }));
  const isTool = findCapability(row.name) !== undefined;
  return [
    ...x402,
    ...(offer.challenges === undefined ? [] : x402.flatMap(listMppRail)),
    ...(unread.has(network)
      ? []
      : [{ rail: 'direct-transfer', ...paid, proof_required: row.priceMicroUsdc >= getProofThreshold(seller, row) }]),
    ...(isTool ? [{ rail: 'credits', endpoint: listMcpUrls(baseUrl).account }] : []),
  ];
}

/** Headers that carry a payment, of any rail: a request with one of them is no dry run. */
const PAYMENT_HEADERS = ['payment-signature', 'x-payment'] as const;
/** The HTTP authentication scheme of payments, in any letter case and with or without parameters. */
const PAYMENT_SCHEME = /(?:^|,)\s*payment(?:\s|,|$)/i;

/** Why a request that carries a payment is not run dry: whether it was meant to pay cannot be known. */
export function refusePaidDryRun(headers: Pick<Headers, 'has' | 'get'>): ProblemInput | undefined {
  const isPaid =
    PAYMENT_HEADERS.some((name) => headers.has(name)) || PAYMENT_SCHEME.test(headers.get('authorization') ?? '');
  return isPaid ? buildProblem('dry_run_with_payment') : undefined;
}

/** Whether a request asks for a dry run. A client that sets `dry` at all, but to no, means not to pay. */
export const isDryRunAsked = (values: readonly string[]): boolean =>
  values.some((value) => !['0', 'false'].includes(value.toLowerCase()));
