import { DEFAULT_LIMITS } from '../../net/fetch-budget.ts';
import { type AuditOptions, gatherAudit } from './report.ts';
import { getExchangeLookup, type Snapshot } from './snapshot.ts';

/** What reads the same site by http: to a policy its address is another origin. */
export type OverHttp = (url: string) => Pick<AuditOptions, 'fetch' | 'renderer'>;

/**
 * Reads what the checks of an audit need, of an address whose scheme may be our reading. Only such an address is read
 * by http, and only where https cannot connect: who wrote https gets https or a failure.
 * @param overHttp given for a bare host
 */
export async function gatherTyped(url: string, options: AuditOptions, overHttp?: OverHttp): Promise<Snapshot> {
  const snapshot = await gatherAudit(url, options);
  const missed = overHttp && findMissedHttps(snapshot);
  if (!missed) return snapshot;
  const { insteadOf, http } = missed;
  const requests = (options.requests ?? DEFAULT_LIMITS.requests) - 1;
  const { renderer: _byHttps, ...rest } = options;
  return { ...(await gatherAudit(http, { ...rest, requests, ...overHttp(http) })), insteadOf };
}

/** A wrong certificate is a connection: the site is to be read by https, and its owner to correct it. */
const CERTIFICATE = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** The same address by http, where no connection came about by https. */
function findMissedHttps(
  snapshot: Snapshot,
): { http: string; insteadOf: NonNullable<Snapshot['insteadOf']> } | undefined {
  const url = new URL(snapshot.url);
  const answer = getExchangeLookup(snapshot)('page')?.answer;
  if (url.protocol !== 'https:' || answer === undefined || answer.ok) return undefined;
  const { reason, detail, redirects } = answer;
  if (reason !== 'connection_failed' || redirects.length > 0 || CERTIFICATE.test(detail)) return undefined;
  url.protocol = 'http:';
  return { http: url.href, insteadOf: { url: snapshot.url, reason, detail } };
}
