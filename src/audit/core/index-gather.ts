import { MAX_MCP_PROBES } from '../mcp/facts/places.ts';
import { MAX_SCRIPT_FILES } from '../page/facts/script-files.ts';
import { MAX_CATALOG_TARGETS } from '../api/facts/api-catalog.ts';
import type { Gatherer } from './gatherer.ts';
import {
  gatherAgentCards,
  gatherAgentDocs,
  gatherAgentFiles,
  gatherAgentSkills,
  gatherNlWeb,
  gatherOldSkillsIndex,
  gatherOpenApi,
  gatherReportedFiles,
} from '../agent-files/gather/agent-files.ts';
import { gatherA2aInterface, gatherApiProbes, gatherCatalogTargets } from '../api/gather/api-probes.ts';
import { gatherAbout } from '../publisher/gather/about.ts';
import { gatherCitations } from '../text/gather/citations.ts';
import { gatherCrawlerFiles } from '../crawlers/gather/crawler-files.ts';
import { gatherFeed } from '../sitemaps/gather/feed.ts';
import { gatherHttpBehaviour } from '../api/gather/http-behaviour.ts';
import { gatherLlms } from '../llms-txt/gather/llms.ts';
import { MAX_PAGES } from './limits.ts';
import {
  gatherMarkdown,
  gatherMarkdownCopy,
  gatherMarkdownForm,
  gatherMarkdownLast,
} from '../llms-txt/gather/markdown-copy.ts';
import {
  gatherCanonical,
  gatherControl,
  gatherFaq,
  gatherPage,
  gatherSchemes,
  gatherScriptFiles,
  gatherSiteSearch,
} from '../page/gather/page.ts';
import { gatherMcpAuth, gatherMcpEndpoint } from '../mcp/gather/endpoint.ts';
import { gatherMcpDiscovery, gatherMcpDocs, gatherMcpRegistry } from '../mcp/gather/discovery.ts';
import { gatherMcpProbes } from '../mcp/gather/probes.ts';
import { gatherAuthor, gatherLicence } from '../publisher/gather/publisher.ts';
import { gatherRsl, gatherSignatureDirectory } from '../crawlers/gather/preferences.ts';
import { gatherPricePage } from '../agent-files/gather/price-page.ts';
import { gatherRobots } from '../crawlers/gather/robots.ts';
import { gatherMorePages, gatherSample } from './sample.ts';
import { gatherSitemaps } from '../sitemaps/gather/sitemaps.ts';
import { gatherUserAgents } from '../crawlers/gather/user-agents.ts';

/** Every gatherer by name. Adding one is a file beside this list and a row in it. */
export const gatherers = {
  page: gatherPage,
  control: gatherControl,
  schemes: gatherSchemes,
  canonical: gatherCanonical,
  robots: gatherRobots,
  sitemaps: gatherSitemaps,
  userAgents: gatherUserAgents,
  sample: gatherSample,
  faq: gatherFaq,
  markdownCopy: gatherMarkdownCopy,
  mcpDiscovery: gatherMcpDiscovery,
  mcpEndpoint: gatherMcpEndpoint,
  mcpAuth: gatherMcpAuth,
  mcpProbes: gatherMcpProbes,
  mcpDocs: gatherMcpDocs,
  mcpRegistry: gatherMcpRegistry,
  llms: gatherLlms,
  agentDocs: gatherAgentDocs,
  markdown: gatherMarkdown,
  agentCards: gatherAgentCards,
  agentFiles: gatherAgentFiles,
  openapi: gatherOpenApi,
  agentSkills: gatherAgentSkills,
  oldSkillsIndex: gatherOldSkillsIndex,
  httpBehaviour: gatherHttpBehaviour,
  apiProbes: gatherApiProbes,
  catalogTargets: gatherCatalogTargets,
  a2aInterface: gatherA2aInterface,
  markdownLast: gatherMarkdownLast,
  markdownForm: gatherMarkdownForm,
  pricePage: gatherPricePage,
  rsl: gatherRsl,
  signatureDirectory: gatherSignatureDirectory,
  reportedFiles: gatherReportedFiles,
  nlweb: gatherNlWeb,
  morePages: gatherMorePages,
  crawlerFiles: gatherCrawlerFiles,
  feed: gatherFeed,
  about: gatherAbout,
  citations: gatherCitations,
  author: gatherAuthor,
  licence: gatherLicence,
  siteSearch: gatherSiteSearch,
  scriptFiles: gatherScriptFiles,
} as const satisfies Record<string, Gatherer>;

export type GathererName = keyof typeof gatherers;

/** A gatherer that runs after the others, and the most requests it makes. */
export type Later = { name: GathererName; atMost: number };

/** What checks with a small weight need, the most useful first: where the budget is short, the last go without. */
export const extras: readonly Later[] = [
  { name: 'crawlerFiles', atMost: 1 },
  { name: 'about', atMost: 2 },
  { name: 'feed', atMost: 1 },
  { name: 'citations', atMost: 5 },
  { name: 'author', atMost: 1 },
  { name: 'licence', atMost: 1 },
  { name: 'siteSearch', atMost: 1 },
  { name: 'mcpProbes', atMost: MAX_MCP_PROBES },
  { name: 'mcpDocs', atMost: 1 },
  { name: 'httpBehaviour', atMost: 2 },
  { name: 'apiProbes', atMost: 2 },
  { name: 'a2aInterface', atMost: 2 },
  { name: 'catalogTargets', atMost: MAX_CATALOG_TARGETS },
  { name: 'markdownLast', atMost: 1 },
  { name: 'pricePage', atMost: 1 },
  { name: 'rsl', atMost: 1 },
  { name: 'signatureDirectory', atMost: 1 },
  { name: 'markdownForm', atMost: 1 },
];

/** What only informs (weight 0), and pages beyond the usual sample: read while there is room. */
export const informational: readonly Later[] = [
  { name: 'agentFiles', atMost: 2 },
  { name: 'agentDocs', atMost: 2 },
  { name: 'oldSkillsIndex', atMost: 1 },
  { name: 'reportedFiles', atMost: 4 },
  { name: 'nlweb', atMost: 1 },
  { name: 'mcpRegistry', atMost: 1 },
  { name: 'morePages', atMost: MAX_PAGES },
  { name: 'scriptFiles', atMost: MAX_SCRIPT_FILES },
];
