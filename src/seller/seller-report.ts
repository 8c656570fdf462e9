import { type CheckOutcome, type OutcomeStatus, selectCheckTitle } from '../audit/core/check.ts';
import type { AuditWireRequest, WireCheck } from '../audit/core/wire.ts';
import { isObject } from '../lib/json.ts';
import { attemptNames, attemptRows } from './attempts/attempt-rows-data.ts';
import type { AttemptProtocol, NotTriedReason } from './attempts/payable.ts';
import type { AttemptsResult } from './attempts/try-seller.ts';
import { sellerChecks, SELLER_RUBRIC } from './checks.ts';
import type { SellerReading, Sighting } from './reading/sighting.ts';
import { getAskedAmount } from './reading/x402-terms.ts';
import type { SellerCheck } from './seller-check.ts';

/** One way to pay, as it was offered. */
export type OfferedWay = { protocol: 'x402' | 'mpp'; network: string; amount: string; asset: string; pay_to: string };

/** What was read of a seller and how it was judged. `score`: the share of the weights that were judged, in percent. */
export type SellerReport = {
  url: string;
  seller_rubric: string;
  score: number;
  counts: Record<OutcomeStatus, number>;
  summary: { text: string };
  checks: readonly WireCheck[];
  facts: { method: string; protocols: readonly string[]; read_only: boolean; ways: readonly OfferedWay[] };
  requests: readonly AuditWireRequest[];
  /**
   * What was tried with test money: signed payments, and what left the account, in micro-USDC; null where the chain could not be
   * read. `not_tried`: why attempts were left out, where any was.
   */
  attempts?: {
    protocol: AttemptProtocol;
    signed: number;
    spent: string | null;
    not_tried?: readonly NotTriedReason[];
  };
};

/** Judges what was read of a seller by every row; with attempts, what came of them is more rows. */
export function reportSeller(reading: SellerReading, tried?: AttemptsResult): SellerReport {
  const checks = [
    ...sellerChecks.map((check) => toWireSellerCheck(check, check.judge(reading), reading)),
    ...(tried === undefined
      ? []
      : attemptNames.map((name) => toWireSellerCheck(attemptRows[name], tried.outcomes[name], reading))),
  ];
  const judged = checks.filter(({ status }) => status !== 'unknown' && status !== 'not_applicable');
  const weights = judged.reduce((sum, { weight }) => sum + weight, 0);
  const points = judged.reduce((sum, { weight, value }) => sum + weight * value, 0);
  const score = weights === 0 ? 0 : Math.floor((100 * points) / weights); // Only a seller without a fault has 100.
  const counts = countStatuses(checks);
  const protocols = listProtocols(reading);
  return {
    url: reading.url.href,
    seller_rubric: SELLER_RUBRIC,
    score,
    counts,
    summary: { text: summarise(score, counts, protocols) },
    checks,
    facts: {
      method: reading.offered?.method ?? '',
      protocols,
      read_only: reading.isReadOnly,
      ways: listWays(reading),
    },
    requests: Object.values(reading.sightings).map(toWireSellerRequest),
    ...(tried === undefined ? {} : { attempts: toWireAttempts(tried) }),
  };
}

const toWireAttempts = ({ protocol, signed, spent, notTried }: AttemptsResult): SellerReport['attempts'] & object => ({
  protocol,
  signed,
  spent: spent?.toString() ?? null,
  ...(notTried.length === 0 ? {} : { not_tried: notTried }),
});

function summarise(score: number, counts: SellerReport['counts'], protocols: readonly string[]): string {
  const sold = protocols.length === 0 ? 'No terms of x402 or MPP were read.' : `Sold by ${protocols.join(' and ')}.`;
  const { pass, partial, fail, unknown } = counts;
  return `${sold} ${score} of 100: ${pass} passed, ${partial} partly, ${fail} failed, ${unknown} could not be judged.`;
}

const STATUSES: readonly OutcomeStatus[] = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'];

const countStatuses = (checks: readonly WireCheck[]): Record<OutcomeStatus, number> =>
  Object.fromEntries(
    STATUSES.map((status) => [status, checks.filter((check) => check.status === status).length]),
  ) as Record<OutcomeStatus, number>;

const listProtocols = ({ x402, mpp }: SellerReading): readonly string[] => [
  ...(x402.state === 'read' ? [`x402 v${x402.terms.version}`] : []),
  ...(mpp.state === 'read' ? ['MPP'] : []),
];

function listWays({ x402, mpp }: SellerReading): readonly OfferedWay[] {
  const ways = x402.state === 'read' ? x402.terms.accepts : [];
  const challenges = mpp.state === 'read' ? mpp.challenges : [];
  return [
    ...ways.map((way) => ({
      protocol: 'x402' as const,
      network: cut(way['network']),
      amount: cut(getAskedAmount(way)),
      asset: cut(way['asset']),
      pay_to: cut(way['payTo']),
    })),
    ...challenges.map(({ params, request }) => {
      const details = isObject(request?.['methodDetails']) ? request['methodDetails'] : {};
      const chain = details['chainId'];
      return {
        protocol: 'mpp' as const,
        network: typeof chain === 'number' ? `eip155:${chain}` : cut(params.get('method')),
        amount: cut(request?.['amount']),
        asset: cut(request?.['currency']),
        pay_to: cut(request?.['recipient']),
      };
    }),
  ];
}

/** Text of the seller is foreign: shown, and cut. */
const MAX_FOREIGN_CHARS = 120;
const cut = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_FOREIGN_CHARS) : '');

function toWireSellerCheck(
  check: Omit<SellerCheck, 'judge'>,
  outcome: CheckOutcome,
  reading: SellerReading,
): WireCheck {
  return {
    id: check.id,
    title: selectCheckTitle(check, outcome),
    status: outcome.status,
    value: outcome.value,
    weight: check.weight,
    evidence_grade: check.grade,
    note: outcome.note,
    evidence: outcome.evidence,
    reproduce: formatSellerCommand(reading, outcome.evidence[0]?.url),
    why: check.why,
    source: check.source,
    fix_id: check.id,
  };
}

/** A command that repeats the request: fixed words, the named origin and an encoded path, in single quotes (rule X1). */
function formatSellerCommand({ url, offered }: SellerReading, seenAt: string | undefined): string {
  const at = seenAt !== undefined && URL.canParse(seenAt) ? new URL(seenAt) : url;
  const { pathname } = at.origin === url.origin ? at : url;
  const method = offered !== undefined && pathname === url.pathname ? offered.method : 'GET';
  const encode = (text: string, unsafe: RegExp): string =>
    text.replace(unsafe, (char) => encodeURIComponent(char).replaceAll("'", '%27'));
  const host = encode(url.host, /[^A-Za-z0-9.:[\]-]/gu);
  const path = encode(pathname, /[^A-Za-z0-9._~/%-]/gu);
  return `curl -sSi -X ${method} '${url.protocol}//${host}${path}'`;
}

function toWireSellerRequest({ role, url, answer }: Sighting): AuditWireRequest {
  if (!answer.ok) return { role, url, status: null, bytes: 0, ms: answer.elapsedMs, failure: answer.reason };
  return { role, url, status: answer.status, bytes: answer.bytes.byteLength, ms: answer.elapsedMs };
}
