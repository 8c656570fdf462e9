import type { CountsBatch } from './counts-body.ts';
import { generateCountsToken, hashCountsToken, isTokenOfHost } from './counts-token.ts';
import { buildCrawlerReport, type CrawlerReport, type DayRange } from './crawler-report.ts';
import { type DataPoint, formatDataPoints } from './data-points.ts';
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
