import type { Hono } from 'hono';
import * as z from 'zod';
import { scoreNames } from '../../../src/audit/core/check.ts';
import { parseSiteKey } from '../../../src/capabilities/published/site-key.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { publishOperations } from '../../../src/openapi/publish-operations.ts';
import { renderBadgeSvg } from '../../../src/web/badge/badge.tsx';
import { type AppContext, type AppEnv } from '../context.ts';
import { formatEntityTag, isKnownTag } from '../../../src/net/entity-tag.ts';
import { readBadge } from '../../../src/sales/reports/published-store.ts';

const SUFFIX = '.svg';
/** How long a badge may be shown without asking again, in seconds: so long the old one stays after a change. */
const MAX_AGE_S = 300;

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': `public, max-age=${MAX_AGE_S}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** Anything else than these asks for the default: a badge is never an error. */
const query = z.object({
  score: z.enum(scoreNames).optional().catch(undefined),
  theme: z.enum(['light', 'dark']).catch('light'),
});

/**
 * `GET /badge/{host}.svg[?score=aeo|geo|agent|mcp][&theme=light|dark]`: the newest published scores of a site. A name
 * that is not a site, or a site without published scores, gets one and the same image and 200, so that no embedding
 * page breaks and private purchases stay private (rule X5).
 *
 * Badges do not count against the limit of free requests: an image proxy asks for those of many pages, and a refused
 * image is a broken page. A request costs one look at the metadata of one object.
 */
export function registerBadgeRoutes(app: Hono<AppEnv>): void {
  app.on(publishOperations.badge.method, publishOperations.badge.route, (c) => showBadge(c));
}

async function showBadge(c: AppContext): Promise<Response> {
  const key = parseSiteKey((c.req.param('file') ?? '').slice(0, -SUFFIX.length));
  const scores = key === undefined ? undefined : await readBadge(c.env.REPORTS, key);
  const { score: only, theme } = query.parse(c.req.query());
  const svg = await renderBadgeSvg(scores && { scores, only }, theme);
  const etag = formatEntityTag(await computeSha256Hex(svg));
  const isKnown = isKnownTag(c.req.header('if-none-match'), etag);
  return isKnown ? c.body(null, 304, { ...HEADERS, etag }) : c.body(svg, 200, { ...HEADERS, etag });
}
