import * as z from 'zod';
import { MAX_AUDIT_PAGES } from '../audit/core/limits.ts';
import { readTypedAddress } from '../net/typed-address.ts';
import { ENGINE_NAME } from '../models/engine-rows.ts';
import type { BodyRefusal, CapabilityName } from './capability-name.ts';
import { type QuestionFields, questionFields, readPromptChoice } from './visibility-questions.ts';

/** Longest URL we accept, in characters: what browsers and proxies commonly carry. */
export const MAX_URL_LENGTH = 2048;
/** Longest brand, niche or topic, in characters. */
export const MAX_NAME_LENGTH = 120;
export const MAX_EVIDENCE_LENGTH = 2000;
/** Facts of one fix pack, and the longest name, value or source of one, in characters. */
export const MAX_FACTS = 20;
export const MAX_FACT_LENGTH = 300;

/** Controls, line breaks, bidi and zero-width marks, tags, variation selectors: no name needs them, and prompts must not carry them. */
const UNWANTED =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Variation_Selector}|[\u{e0000}-\u{e00ff}]/u;
const isOneLine = (text: string): boolean => !UNWANTED.test(text);
const NOT_ONE_LINE = 'must be one line without control or invisible characters';

const hasNoCredentials = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || (url.username === '' && url.password === '');
};

/** Fields of a body that name a site to fetch. */
export const TARGET_FIELDS = ['url', 'competitor', 'site'] as const;

/**
 * An http(s) URL without user name or password; a bare host becomes one before anything is done with it. Whether the
 * host may be fetched is decided later, by policy.
 */
const createWebsiteUrl = (description: string, example?: string) =>
  z.preprocess(
    (given) => (typeof given === 'string' ? readTypedAddress(given).url : given),
    z
      .url({ protocol: /^https?$/, error: 'must be a website address such as example.com or https://example.com/' })
      .min(1)
      .max(MAX_URL_LENGTH)
      .refine(hasNoCredentials, { error: 'must not contain a user name or password' })
      .meta({
        description,
        ...(example === undefined ? {} : { examples: [example] }),
      }),
  );

/** The URLs of a body, as it was sent, whose scheme was left out. */
export function listBareTargets(body: unknown): readonly string[] {
  const fields: Record<string, unknown> = Object(body);
  return TARGET_FIELDS.flatMap((field) => {
    const given = fields[field];
    const { url: read = '', isBare = false } = typeof given === 'string' ? readTypedAddress(given) : {};
    return isBare ? [read] : [];
  });
}

const name = z.string().trim().min(1).max(MAX_NAME_LENGTH).refine(isOneLine, { error: NOT_ONE_LINE });
const hasWord = (text: string): boolean => text === '' || /[\p{L}\p{N}]/u.test(text);
/** A name that can be looked for in a text. */
export const findable = name.refine(hasWord, { error: 'must contain a letter or a digit' });

const profile = z.enum(['content', 'docs', 'product', 'commerce', 'api', 'mcp']).optional().meta({
  description: 'What kind of site it is; detected from evidence when absent. It decides which checks apply.',
});

export const url = createWebsiteUrl('URL or host of the website', 'https://example.com/');

const maxPages = z.int().min(1).max(MAX_AUDIT_PAGES).optional().meta({
  description: 'Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same.',
});

export const urlBody = z.strictObject({ url, profile, max_pages: maxPages });

/** Of the capabilities whose report can be published. */
export const publishableBody = z.strictObject({
  ...urlBody.shape,
  publish: z.boolean().optional().meta({
    description:
      'Makes the whole report public once it is paid: badge and history of the host show its scores, its address appears in the history, and search engines may find it, fixes and files included. Asks for the root of a site as `url`, and for neither `profile` nor `max_pages`.',
  }),
});

export const compareBody = z.strictObject({
  url,
  competitor: createWebsiteUrl('URL or host of the competitor site', 'https://example.org/'),
  max_pages: maxPages,
});

/** What a measurement is about. */
export const brandAndNiche = {
  brand: findable.meta({ description: 'Brand name to measure' }),
  niche: findable.meta({ description: 'Market niche or category, as a bare noun phrase' }),
};

/** Names of configured engines, as many as the price pays for. */
export const describeEngines = (least: number, most: number) =>
  z
    .array(z.string().regex(ENGINE_NAME))
    .min(least)
    .max(most)
    .optional()
    .meta({ description: 'Configured engines to ask, by name (GET /api/agent/index); the first ones when absent' });

export const visibilityBody = z.strictObject({ ...brandAndNiche, ...questionFields, engines: describeEngines(1, 1) });

export const versusBody = z.strictObject({
  ...brandAndNiche,
  competitor_brand: findable.meta({ description: 'Brand name to compare with' }),
  ...questionFields,
  engines: describeEngines(1, 1),
});

const weakSpot = z.strictObject({
  topic: name,
  who_wins: z.string().max(MAX_EVIDENCE_LENGTH).optional(),
  evidence: z.string().max(MAX_EVIDENCE_LENGTH).optional(),
});

const createLine = (most: number) => z.string().trim().min(1).max(most).refine(isOneLine, { error: NOT_ONE_LINE });

const fact = z.strictObject({
  name: createLine(MAX_FACT_LENGTH),
  value: createLine(MAX_FACT_LENGTH),
  source: createLine(MAX_FACT_LENGTH).optional(),
});

export const visibilityFixBody = z.strictObject({
  ...brandAndNiche,
  weak_spots: z.array(weakSpot).min(1).max(3).meta({ description: 'From `weak_spots` of a visibility_check response' }),
  url: createWebsiteUrl('The site that fills the texts').optional(),
  facts: z.array(fact).min(1).max(MAX_FACTS).optional(),
});

/**
 * A measurement needs prompts that name no one, and two brands that are two. A niche that names a measured brand would
 * put it into every prompt.
 */
export async function refuseMeasurement({
  brand,
  niche,
  competitor_brand,
  ...questions
}: {
  brand: string;
  niche: string;
  competitor_brand?: string | undefined;
} & QuestionFields): Promise<BodyRefusal | undefined> {
  const { hasName: containsName, isSameName: sameName } = await import('../visibility/names/mentions.ts');
  if (competitor_brand !== undefined && sameName(brand, competitor_brand)) {
    const message = 'must be another brand than `brand`';
    return { code: 'invalid_body', errors: [{ pointer: '/competitor_brand', message }] };
  }
  const names = [brand, competitor_brand].filter((one) => one !== undefined);
  if (names.some((one) => containsName(niche, one))) {
    const message = 'names a brand that is measured: describe the market without it';
    return { code: 'niche_names_brand', errors: [{ pointer: '/niche', message }] };
  }
  const choice = await readPromptChoice(questions, names);
  return 'code' in choice ? choice : undefined;
}

const site = { url: 'https://example.com/' };
const brand = { brand: 'Example Desk', niche: 'help desk software for small teams' };

/** One body per capability that its schema accepts: shown in OpenAPI, in the bazaar extension and in the docs. */
export const exampleBodies: Readonly<Record<CapabilityName, Record<string, unknown>>> = {
  check_health: site,
  check_llms_txt: site,
  check_schema: site,
  check_agent_files: site,
  check_mcp: site,
  score_aeo: site,
  score_geo: site,
  score_agent: site,
  score_mcp: site,
  full_audit: site,
  generate_llms_txt: site,
  generate_mcp_json: site,
  fix_pack: site,
  generate_skill: site,
  compare: { ...site, competitor: 'https://example.org/' },
  full_report: site,
  visibility_check: brand,
  visibility_vs_competitor: { ...brand, competitor_brand: 'Sample Support' },
  visibility_fix_pack: { ...brand, weak_spots: [{ topic: 'pricing for small teams' }] },
};
