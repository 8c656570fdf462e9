import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import type { Rendered } from '../../../src/audit/rendered/facts/rendered-look.ts';
import { CLOCK_MS } from './audit.ts';
import { judgeCheck } from './judge-check.ts';
import { html, SITE, siteFetch } from './site-fetch.ts';

/** The outcome of a check for a start page whose raw HTML is the first, and of which a browser showed the second. */
export async function judgeLook(id: string, raw: string, rendered: Rendered | undefined): Promise<CheckOutcome> {
  const fetch = siteFetch({ '/': html(raw) });
  const read = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ['page'] });
  return judgeCheck(id, rendered === undefined ? read : { ...read, rendered });
}
