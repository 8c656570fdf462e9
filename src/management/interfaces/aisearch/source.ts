import * as z from 'zod';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { type CrawlSource, MAX_JOB_PAGES } from '../../../search/order.ts';

/** Where an instance gets its items from: a website, or only uploads. As sent, for it is shown so. */
export type InstanceSource = { source: string | null; type: 'web-crawler' | null };

/** Globs in one list: the limit of most accounts. */
const MAX_GLOBS = 10;
const MAX_GLOB_CHARS = 256;
const MAX_URL_CHARS = 2_048;
const MAX_SITEMAPS = 10;
const MAX_SELECTORS = 10;
const MAX_HEADERS = 5;
const MAX_DEPTH = 10;
const DEFAULT_DEPTH = 3;
/** Pages that a job may be asked for; fewer are read (`MAX_JOB_PAGES`). */
const MAX_LIMIT = 100_000;
const MAX_AGE_S = 604_800;

const globs = z.array(z.string().min(1).max(MAX_GLOB_CHARS)).max(MAX_GLOBS);
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'not a name of a header');
const headerValue = z.string().regex(/^[ -~]{0,1024}$/, 'not a value of a header');
/** What no CSS selector may hold; the vendor's list. */
const NO_SELECTOR = [';', '`', '$', '{', '}', '\\'];
const isPlainSelector = (selector: string): boolean => !NO_SELECTOR.some((char) => selector.includes(char));
const sitemap = z.url({ protocol: /^https?$/ }).max(MAX_URL_CHARS);

const discoverOptions = z.strictObject({
  depth: z.int().min(1).max(MAX_DEPTH).optional(),
  include_external_links: z.literal(false).optional(),
  /** Without effect: only the source's own host is read. */
  include_subdomains: z.boolean().optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  /** Without effect: pages are read anew. */
  max_age: z.int().min(0).max(MAX_AGE_S).optional(),
  source: z.enum(['all', 'sitemaps', 'links']).optional(),
});

const parseOptions = z.strictObject({
  /** Without effect: the gatherer finds the main content itself. */
  content_selector: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(MAX_GLOB_CHARS),
        selector: z
          .string()
          .min(1)
          .max(MAX_GLOB_CHARS)
          .refine(isPlainSelector, `without ${NO_SELECTOR.join(' ')}`),
      }),
    )
    .min(1)
    .max(MAX_SELECTORS)
    .optional(),
  /** Validated and discarded: headers carry credentials, and our crawls send none. */
  include_headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS}`)
    .transform(() => ({}))
    .optional(),
  /** These two are without effect: there is no browser, and images are not read. */
  include_images: z.boolean().optional(),
  use_browser_rendering: z.boolean().optional(),
  specific_sitemaps: z.array(sitemap).max(MAX_SITEMAPS).optional(),
});

/** `source_params` of an instance. `prefix` and `r2_jurisdiction` are of buckets, and without effect. */
export const sourceParams = z.strictObject({
  exclude_items: globs.optional(),
  include_items: globs.optional(),
  prefix: z.string().max(MAX_URL_CHARS).optional(),
  r2_jurisdiction: z.string().max(MAX_GLOB_CHARS).optional(),
  web_crawler: z
    .strictObject({
      discover_options: discoverOptions.optional(),
      parse_options: parseOptions.optional(),
      parse_type: z.enum(['sitemap', 'discover']).optional(),
    })
    .optional(),
});

export type SourceParams = z.infer<typeof sourceParams>;

/** `source` and `type` as they are sent. */
export const sentSource = {
  source: z.string().max(MAX_URL_CHARS).nullish(),
  type: z.enum(['r2', 'web-crawler']).nullish(),
};

/**
 * The source of a new instance's items: an http(s) address is crawled; without a source the instance takes uploads
 * only.
 * @throws Refusal 400 for a bucket, which does not exist here, and for text that is not an address
 */
export function parseInstanceSource({ source, type }: z.infer<z.ZodObject<typeof sentSource>>): InstanceSource {
  const text = source?.trim() ?? '';
  if (type === 'r2' || (text !== '' && type !== 'web-crawler' && !/^https?:\/\//i.test(text))) throw refuseBuckets();
  if (text === '') {
    if (type === 'web-crawler') throw vendorRefusals.invalid('type_and_source_are_required_for_non_managed_instances');
    return { source: null, type: null };
  }
  requireCrawlUrl(text);
  return { source: text, type: 'web-crawler' };
}

/** @throws Refusal 400 for parameters that contradict each other */
export function requireConsistentSource({ web_crawler }: SourceParams): void {
  const sitemaps = web_crawler?.parse_options?.specific_sitemaps ?? [];
  if (sitemaps.length > 0 && web_crawler?.parse_type === 'discover')
    throw vendorRefusals.invalid('specific_sitemaps_only_valid_when_parse_type_is_sitemap');
}

/** What the crawler is to read; undefined for an instance that only takes uploads. */
export function buildCrawlSource({ source }: InstanceSource, params: SourceParams = {}): CrawlSource | undefined {
  if (source === null) return undefined;
  const { discover_options: options, parse_options, parse_type } = params.web_crawler ?? {};
  return {
    url: requireCrawlUrl(source).href,
    discover: parse_type === 'discover' && options?.source !== 'sitemaps',
    ...(parse_type === 'discover' && options?.source === 'links' && { linksOnly: true as const }),
    sitemaps: parse_options?.specific_sitemaps ?? [],
    include: params.include_items ?? [],
    exclude: params.exclude_items ?? [],
    depth: options?.depth ?? DEFAULT_DEPTH,
    maxPages: Math.min(options?.limit ?? MAX_JOB_PAGES, MAX_JOB_PAGES),
  };
}

/** Whether a text is the address of a website; `example.com` is taken for its https address. */
export const isAddress = (text: string): boolean => {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

const parseUrl = (text: string): URL | null => URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);

function requireCrawlUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === null || !isAddress(text)) throw vendorRefusals.invalid('invalid_url_location');
  url.hash = '';
  return url;
}

const refuseBuckets = () =>
  vendorRefusals.invalid(
    'type r2 is not served: there are no buckets here. Give an http(s) source, or none and upload items',
  );
