import * as z from 'zod';
import { MAX_AUDIT_PAGES } from '../../audit/core/limits.ts';
import { profiles } from '../../audit/core/site.ts';
import { MAX_TARGET_URL_CHARS } from '../../net/canonical-url.ts';
import { engineKinds } from '../../models/port.ts';
import { MAX_WATCHED_COMPETITORS } from '../../monitors/core/monitor.ts';
import { monitorRules } from '../../monitors/core/rules-body.ts';
import { MAX_OWN_PROMPT_CHARS, MAX_OWN_PROMPTS, MIN_OWN_PROMPTS } from '../../visibility/prompts/limits.ts';
import { promptKinds, promptLanguages } from '../../visibility/prompts/prompt-set.ts';

/** The name of the file, which is looked for in the folder of a command and those above it. */
export const CONFIG_FILE = 'sightline.config.json';
/** Where editors find the schema of the file: beside the package that is installed in a project. */
export const CONFIG_SCHEMA_URL = './node_modules/@sightline/cli/sightline.config.schema.json';

/** Sites of one configuration: an audit of each takes seconds. */
const MAX_SITES = 20;
const MAX_IGNORED = 300;
const MAX_ENGINES = 8;
/** Sites and brands that one run watches, one after the other. */
const MAX_WATCHED = 20;
const MAX_NAME_CHARS = 200;

const points = z.int().min(0).max(100);

const ignoredCheck = z.strictObject({
  check: z
    .string()
    .regex(/^[a-z0-9.-]{3,80}$/, 'must be the id of a check, such as aeo.meta.title')
    .describe('Id of a check, such as aeo.meta.title.'),
  reason: z.string().min(3).max(300).describe('Why it may fail. Reports show it.'),
  expires: z.iso.date().optional().describe('The last day on which it is ignored, such as 2027-01-31.'),
});

const engine = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be 1 to 40 of a-z, 0-9 and - between them')
    .optional()
    .describe('Its name among several engines; its kind unless given.'),
  kind: z.enum(engineKinds).exclude(['workers-ai']).describe('Kind of answer engine.'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Base URL of the engine's API. ANSWER_ENGINE_KEY is not sent to it: for that, name it by --url or ANSWER_ENGINE_URL.",
    ),
  model: z.string().min(1).max(200).optional().describe('The model to ask, as the engine spells it.'),
  web_search: z.boolean().optional().describe('Whether it searches the web; true for vendors unless given.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters, such as DE')
    .optional()
    .describe('The country that it searches from, for openai, anthropic and perplexity.'),
  usd_per_run: z.number().gt(0).max(100).optional().describe('What 30 answers cost in USD.'),
});

const site = z.string().min(1).max(MAX_TARGET_URL_CHARS);
const watchedName = z.string().min(1).max(MAX_NAME_CHARS).optional().describe('What results call it.');
const watchedRules = monitorRules
  .optional()
  .describe('What rings: min_weight (2), score_points (3), improvements (true), competitors (false).');

const watchedSite = z.strictObject({
  name: watchedName,
  url: site.describe('Address of the site.'),
  profile: z.enum(profiles).optional().describe('Kind of site.'),
  max_pages: z.int().min(1).max(MAX_AUDIT_PAGES).optional().describe('Pages to read, the start page included.'),
  competitors: z
    .array(site)
    .min(1)
    .max(MAX_WATCHED_COMPETITORS)
    .optional()
    .describe('Sites that are audited in the same run.'),
  rules: watchedRules,
});

const watchedBrand = z.strictObject({
  name: watchedName,
  brand: z.string().min(1).max(MAX_NAME_CHARS).describe('The brand, as answers spell it.'),
  niche: z.string().min(1).max(MAX_NAME_CHARS).describe('Its market, such as help desk software.'),
  competitor: z.string().min(1).max(MAX_NAME_CHARS).optional().describe('A brand that is measured beside it.'),
  language: z.enum(promptLanguages).optional().describe('Language of the questions.'),
  kind: z.enum(promptKinds).optional().describe('Questions for a product, or for a service.'),
  local: z.boolean().optional().describe('Whether people look for it in a place.'),
  prompts: z
    .array(z.string().min(1).max(MAX_OWN_PROMPT_CHARS))
    .min(MIN_OWN_PROMPTS)
    .max(MAX_OWN_PROMPTS)
    .optional()
    .describe('Your own questions.'),
  engines: z
    .array(z.string().min(1))
    .min(1)
    .max(MAX_ENGINES)
    .optional()
    .describe('Names of engines of this file; all unless given.'),
  rules: watchedRules,
});

/** The file. It holds no secrets: keys come from the environment. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    urls: z
      .array(site)
      .min(1)
      .max(MAX_SITES)
      .optional()
      .describe('Sites that sightline audit reads without an address; sightline fix takes the only one.'),
    'min-score': z
      .union([points, z.strictObject({ aeo: points, geo: points, agent: points, mcp: points }).partial()])
      .optional()
      .describe('The least points: one number for all scores, or an object of scores.'),
    profile: z.enum(profiles).optional().describe('Kind of site.'),
    'max-pages': z.int().min(1).max(MAX_AUDIT_PAGES).optional().describe('Pages to read, the start page included.'),
    ignore: z
      .array(ignoredCheck)
      .max(MAX_IGNORED)
      .optional()
      .describe(
        'Checks that may fail: shown as ignored, never as passed; no gate counts them, and no fix is made for them.',
      ),
    engines: z
      .array(engine)
      .max(MAX_ENGINES)
      .optional()
      .describe(
        'Answer engines of sightline visibility: all are asked, or those of --engines; --engine names another.',
      ),
    watch: z
      .array(z.union([watchedSite, watchedBrand]))
      .min(1)
      .max(MAX_WATCHED)
      .optional()
      .describe('What sightline watch runs: sites and brands; the sites of urls unless given.'),
    baseline: z
      .string()
      .min(1)
      .max(MAX_TARGET_URL_CHARS)
      .optional()
      .describe(
        'Earlier report or snapshot of one site that each audit is held against, also one of a typed address; relative to this file.',
      ),
  })
  .describe('Settings of the sightline command line for a project.');

export type ProjectConfig = z.infer<typeof configSchema>;
export type ConfiguredEngine = z.infer<typeof engine>;
/** An entry of `watch`. */
export type ConfiguredSite = z.infer<typeof watchedSite>;
export type ConfiguredBrand = z.infer<typeof watchedBrand>;

/** The published schema of the file. */
export const formatConfigSchema = (): string =>
  `${JSON.stringify({ title: CONFIG_FILE, ...z.toJSONSchema(configSchema) }, null, 2)}\n`;
