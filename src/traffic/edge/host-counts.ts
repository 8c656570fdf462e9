import { encodeBase64url } from '../../lib/base64url.ts';
import { computeHmacSha256, computeSha256Hex, isSameText } from '../../lib/digest.ts';
import { type CountsBatch, PERSON } from './counts-body.ts';
import { buildCrawlerReport, type CrawlerReport, type DayRange } from './crawler-report.ts';
import type { HostCountsObject } from './protocol.ts';
import { sumBatch } from './summed-batch.ts';

export type HostCountsPorts = {
  object: (host: string) => HostCountsObject;
  /** Whether an account proves a host now; looks for a proof whose time has come. */
  isProven: (account: string, host: string) => Promise<boolean>;
  /** The secret that binds new tokens to their host, and those before it. */
  secrets: readonly string[];
  /** Analytics Engine, where the deployment has it. */
  writePoint?: ((point: DataPoint) => void) | undefined;
};

export type TokenAnswer = { ok: true; token: string } | { ok: false; reason: 'not_proven' | 'not_configured' };
export type AcceptAnswer = { ok: true; isNew: boolean } | { ok: false; reason: 'wrong_token' | 'ended' | 'too_many' };

export type HostCounts = {
  /** A new token of an account for a host; the one before it ends. */
  issueToken: (account: string, host: string) => Promise<TokenAnswer>;
  tokenTime: (account: string, host: string) => Promise<number | undefined>;
  /** Whether a token may be one of this host: asks no object. */
  isTokenOf: (host: string, token: string) => Promise<boolean>;
  accept: (host: string, token: string, batch: CountsBatch) => Promise<AcceptAnswer>;
  read: (account: string, host: string, range: DayRange) => Promise<CrawlerReport>;
};

/** Counts that owners of hosts send, for routes and pages alike. Hosts are as `normaliseHost` writes them. */
export function createHostCounts({ object, isProven, secrets, writePoint }: HostCountsPorts): HostCounts {
  const isTokenOf = (host: string, token: string): Promise<boolean> => isTokenOfHost(token, host, secrets);
  return {
    isTokenOf,
    async issueToken(account, host) {
      const [secret] = secrets;
      if (secret === undefined) return { ok: false, reason: 'not_configured' };
      if (!(await isProven(account, host))) return { ok: false, reason: 'not_proven' };
      const token = await generateCountsToken(host, secret);
      const isSet = await object(host).setCountsToken(account, await hashCountsToken(token));
      return isSet ? { ok: true, token } : { ok: false, reason: 'not_proven' };
    },
    tokenTime: (account, host) => object(host).countsTokenTime(account),
    async accept(host, token, batch) {
      if (!(await isTokenOf(host, token))) return { ok: false, reason: 'wrong_token' };
      const [hash, summed] = [await hashCountsToken(token), sumBatch(batch)];
      let answer = await object(host).acceptCounts(hash, summed, false);
      if (!answer.ok && answer.reason === 'look_due') {
        await isProven(answer.account, host);
        answer = await object(host).acceptCounts(hash, summed, true);
      }
      if (!answer.ok) return { ok: false, reason: REASONS[answer.reason] };
      if (answer.isNew && writePoint !== undefined)
        for (const point of formatDataPoints(host, batch)) writePoint(point);
      return answer;
    },
    read: async (account, host, range) =>
      buildCrawlerReport(host, range, await object(host).readCounts(account, range.fromDay, range.toDay)),
  };
}

/** After a look none is due. */
const REASONS = { unknown_token: 'wrong_token', ended: 'ended', too_many: 'too_many', look_due: 'ended' } as const;

/** What every token for counts begins with, so that a leaked one is recognised. */
export const COUNTS_TOKEN_PREFIX = 'sht_';
const SECRET_BYTES = 24;
const MAC_BYTES = 12;
/** 32 characters of randomness, 16 of the code that binds them to a host. */
const FORM = /^sht_([\w-]{32})([\w-]{16})$/;

/**
 * A token that sends counts of one host and does nothing else. Its end says which host it is for, under a secret of the
 * service, so that no object is asked about a made-up one.
 */
export async function generateCountsToken(host: string, secret: string): Promise<string> {
  const random = encodeBase64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return `${COUNTS_TOKEN_PREFIX}${random}${await computeMac(host, random, secret)}`;
}

/** Whether we made a token for this host, under one of our secrets. Its object knows whether it still counts. */
export async function isTokenOfHost(token: string, host: string, secrets: readonly string[]): Promise<boolean> {
  const [, random, mac] = FORM.exec(token) ?? [];
  if (random === undefined || mac === undefined) return false;
  for (const secret of secrets) if (isSameText(await computeMac(host, random, secret), mac)) return true;
  return false;
}

/** What an object keeps of a token. */
export const hashCountsToken = (token: string): Promise<string> => computeSha256Hex(token);

async function computeMac(host: string, random: string, secret: string): Promise<string> {
  const mac = await computeHmacSha256(secret, `counts of ${host} ${random}`);
  return encodeBase64url(mac.slice(0, MAC_BYTES));
}

/** A data point of Workers Analytics Engine. */
export type DataPoint = { indexes: string[]; blobs: string[]; doubles: number[] };

/** A Worker may write so many in one invocation. https://developers.cloudflare.com/analytics/analytics-engine/limits/ */
export const MAX_DATA_POINTS = 250;
/** Bytes of an index. */
const MAX_INDEX_BYTES = 96;

/**
 * A batch as data points: index the host (its last 96 bytes); blobs host, agent, verification, method, path, kind of the path, assistant;
 * doubles requests, status, bytes, and the minute in Unix seconds. People have no path: what a dataset has cannot be left
 * out when it is read. The largest rows first; the rest is in the object alone.
 */
export function formatDataPoints(host: string, { rows, minuteMs }: CountsBatch): readonly DataPoint[] {
  return rows
    .toSorted((left, right) => right.n - left.n)
    .slice(0, MAX_DATA_POINTS)
    .map(({ agent, verification, isRead, path, kind, referral = '', n, status, bytes }) => ({
      indexes: [host.slice(-MAX_INDEX_BYTES)],
      blobs: [host, agent, verification, isRead ? 'read' : 'write', agent === PERSON ? '' : path, kind, referral],
      doubles: [n, status, bytes, minuteMs / 1_000],
    }));
}
