import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { PRODUCT } from '../../../lib/product.ts';
import { findRefusal } from './edge.ts';
import { decideRobotsAccess, findRobots } from './robots-file.ts';

/** A file made for crawlers that robots.txt lets us read, and how it was refused, if it was. */
export type EdgeFile = { what: string; exchange: Exchange; refusal: string | undefined };

/** Files for crawlers by the role of their request. */
const FILES: readonly { role: RegExp; what: string }[] = [
  { role: /^llms$/, what: 'llms.txt' },
  { role: /^sitemap-(?:named|usual):\d$/, what: 'sitemap' },
  { role: /^openapi:\d$/, what: 'OpenAPI document' },
];

/** Artifact `edgeFiles`: read under our own name, and only where the start page was let to us. */
export function readEdgeFiles(snapshot: Snapshot): Artifact<readonly EdgeFile[]> {
  const find = getExchangeLookup(snapshot);
  const start = find('page')?.answer;
  const control = find('control')?.answer;
  const robots = findRobots(find, snapshot.url);
  if (start?.ok !== true || findRefusal(start) !== undefined || robots.state === 'failed')
    return { state: 'ready', value: [] };
  const value = snapshot.exchanges.flatMap((exchange): EdgeFile[] => {
    const file = FILES.find(({ role }) => role.test(exchange.role));
    const { answer } = exchange;
    if (!file || !answer.ok) return [];
    // Some stores answer 403 for what they lack; 429 and 503 are of the moment, and may be our own doing.
    if (control?.ok === true && answer.status === control.status) return [];
    if (answer.status === 404 || answer.status === 429 || answer.status === 503) return [];
    const decision = decideRobotsAccess(robots.value, `${PRODUCT}Bot`, exchange.url);
    if (decision === 'unknown' || !decision.allowed) return [];
    const refusal = findRefusal(answer);
    return answer.status < 300 || refusal !== undefined ? [{ what: file.what, exchange, refusal }] : [];
  });
  return { state: 'ready', value };
}
