import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { parseBaseUrl, request, type ServiceRefusal } from './service.ts';

/** Entries that one page of a facilitator has, and pages that are read: more of one payee are not looked for. */
const PAGE_SIZE = 100;
const MAX_PAGES = 20;

const pageSchema = z.object({
  items: z.array(z.object({ resource: z.string(), lastUpdated: z.string().optional() })),
  pagination: z.object({ total: z.number().int().nonnegative() }).optional(),
});

/** When each resource of a payee was last listed, by its address; '' where the facilitator does not say. */
export type DirectoryListing = { ok: true; resources: ReadonlyMap<string, string> } | ListingRefusal;
export type ListingRefusal = ServiceRefusal | { ok: false; reason: 'listing_unreadable'; detail: string };

/**
 * What a facilitator lists of a payee: `GET /discovery/resources` of the Bazaar.
 * @param facilitatorUrl with its path, as the service has it in FACILITATOR_URL
 */
export async function readListing(
  facilitatorUrl: string,
  payTo: string,
  fetcher: typeof fetch,
): Promise<DirectoryListing> {
  const base = parseBaseUrl(URL.canParse(facilitatorUrl) ? new URL(facilitatorUrl).origin : facilitatorUrl);
  if (!base.ok) return base;
  const resources = new Map<string, string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      type: 'http',
      payTo,
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const url = `${facilitatorUrl.replace(/\/$/, '')}/discovery/resources?${query.toString()}`;
    const answer = await request(base.origin, new Request(url), fetcher);
    if (!answer.ok) return answer;
    const read = pageSchema.safeParse(parseJson(answer.text));
    if (answer.status !== 200 || !read.success)
      return {
        ok: false,
        reason: 'listing_unreadable',
        detail: `GET ${facilitatorUrl}/discovery/resources answers ${answer.status} without a list. It may keep none`,
      };
    const { items, pagination } = read.data;
    for (const { resource, lastUpdated = '' } of items) resources.set(resource, lastUpdated);
    if (items.length < PAGE_SIZE || (page + 1) * PAGE_SIZE >= (pagination?.total ?? Number.POSITIVE_INFINITY)) break;
  }
  return { ok: true, resources };
}
