import { readAboutPages } from './facts/about-pages.ts';
import { readAuthorPage } from './facts/author.ts';
import { readCitations } from './facts/citations.ts';
import { readLicence } from './facts/licence.ts';
import { readMarkdownCopy } from './facts/markdown-copy.ts';
import { readAgentCards, readAgentFiles, readAgentSkillsFacts, readPayments } from './facts/agent-files.ts';
import { readA2aInterface } from './facts/a2a-interface.ts';
import { readAgentDiscovery } from './facts/agent-discovery.ts';
import { readApiCatalog } from './facts/api-catalog.ts';
import { readApiDescription } from './facts/api-description.ts';
import { readApiProbes } from './facts/api-probes.ts';
import { readHttpBehaviour, readRateLimits } from './facts/http-behaviour.ts';
import { readLlmsPointers } from './facts/llms-pointers.ts';
import { readMarkdownCopies } from './facts/markdown-copies.ts';
import { readNlWeb } from './facts/nlweb.ts';
import { readPricePage } from './facts/price-page.ts';
import { readRsl } from './facts/rsl.ts';
import { readSecurityTxt } from './facts/security-txt.ts';
import { readServiceLinks } from './facts/service-links.ts';
import { readSignatureDirectory } from './facts/signature-directory.ts';
import { readSkillFiles } from './facts/skill-files.ts';
import { readUsagePreferences } from './facts/usage-statements.ts';
import { readAgentsMd, readCommerceProfile, readSitemapMd } from './facts/well-known-extras.ts';
import { readAgentTexts, readLlms, readLlmsFull } from './facts/llms-files.ts';
import { readLlmsLinks } from './facts/llms-links.ts';
import { readMarkdownPreference, readMarkdownVariant } from './facts/markdown-variant.ts';
import { parseMcpDiscovery } from './facts/mcp-discovery.ts';
import { parseMcpDocs } from './facts/mcp-docs.ts';
import { parseMcpEndpoint } from './facts/mcp-endpoint.ts';
import { parseMcpProbes } from './facts/mcp-probes.ts';
import { parseMcpProtection } from './facts/mcp-protection.ts';
import { parseMcpRegistry } from './facts/mcp-registry.ts';
import { readJsonLd, readTextEvidence } from './facts/page-derived.ts';
import { readScriptFiles } from './facts/page-script-files.ts';
import { readCrawlerFiles } from './facts/crawler-files.ts';
import { readSiteFeed } from './facts/site-feed.ts';
import { readStartTimings } from './facts/start-timings.ts';
import { readRobotsFile } from './facts/robots-file.ts';
import {
  readCanonical,
  readControlAnswer,
  readFaqPage,
  readPageFacts,
  readSample,
  readSamplePages,
  readSchemes,
  readStart,
  readStartPage,
} from './facts/site-files.ts';
import { readSiteSearch } from './facts/site-search.ts';
import { readSitemaps } from './facts/sitemap-files.ts';
import { readUserAgents } from './facts/user-agents.ts';
import type { gatherers } from './gather/index.ts';
import type { Snapshot } from './snapshot.ts';

/** What a parser makes of a snapshot: the facts, or why they could not be read. A 404 is a fact, a failed fetch is not. */
export type Artifact<T> = { state: 'ready'; value: T } | { state: 'failed'; reason: string; url: string };

export type Parser<T> = (snapshot: Snapshot) => Artifact<T>;

/** Every artifact by name, and the pure function that reads it from a snapshot. */
export const parsers = {
  start: readStart,
  startPage: readStartPage,
  control: readControlAnswer,
  page: readPageFacts,
  jsonLd: readJsonLd,
  textEvidence: readTextEvidence,
  markdownCopy: readMarkdownCopy,
  schemes: readSchemes,
  canonical: readCanonical,
  startTimings: readStartTimings,
  robots: readRobotsFile,
  crawlerFiles: readCrawlerFiles,
  siteFeed: readSiteFeed,
  sitemaps: readSitemaps,
  userAgents: readUserAgents,
  sample: readSample,
  samplePages: readSamplePages,
  faqPage: readFaqPage,
  mcpDiscovery: parseMcpDiscovery,
  mcpEndpoint: parseMcpEndpoint,
  mcpProtection: parseMcpProtection,
  mcpProbes: parseMcpProbes,
  mcpDocs: parseMcpDocs,
  mcpRegistry: parseMcpRegistry,
  llms: readLlms,
  llmsFull: readLlmsFull,
  llmsLinks: readLlmsLinks,
  agentTexts: readAgentTexts,
  markdown: readMarkdownVariant,
  agentCards: readAgentCards,
  agentFiles: readAgentFiles,
  openapi: readApiDescription,
  payments: readPayments,
  agentSkills: readAgentSkillsFacts,
  skillFiles: readSkillFiles,
  agentsMd: readAgentsMd,
  sitemapMd: readSitemapMd,
  commerceProfile: readCommerceProfile,
  securityTxt: readSecurityTxt,
  nlweb: readNlWeb,
  llmsPointers: readLlmsPointers,
  markdownCopies: readMarkdownCopies,
  markdownPreference: readMarkdownPreference,
  httpBehaviour: readHttpBehaviour,
  rateLimits: readRateLimits,
  agentDiscovery: readAgentDiscovery,
  serviceLinks: readServiceLinks,
  apiProbes: readApiProbes,
  apiCatalog: readApiCatalog,
  a2aInterface: readA2aInterface,
  pricePage: readPricePage,
  usagePreferences: readUsagePreferences,
  rsl: readRsl,
  signatureDirectory: readSignatureDirectory,
  aboutPages: readAboutPages,
  citations: readCitations,
  authorPage: readAuthorPage,
  licence: readLicence,
  siteSearch: readSiteSearch,
  scriptFiles: readScriptFiles,
} as const satisfies Record<string, Parser<unknown>>;

type ValueOf<P> = P extends Parser<infer T> ? T : never;

/** The facts that checks judge, by artifact name. */
export type Artifacts = { [K in keyof typeof parsers]: ValueOf<(typeof parsers)[K]> };

/** Gatherers whose exchanges an artifact is read from: a capability or a single score runs only those its checks need. */
export const feeds = {
  start: ['page'],
  startPage: ['page'],
  control: ['control'],
  page: ['page'],
  jsonLd: ['page'],
  textEvidence: ['page'],
  markdownCopy: ['markdownCopy', 'page', 'control'],
  schemes: ['schemes'],
  canonical: ['page', 'canonical'],
  startTimings: ['page', 'userAgents'],
  robots: ['robots', 'control'],
  crawlerFiles: ['crawlerFiles', 'sitemaps', 'page', 'control'],
  siteFeed: ['feed', 'page', 'control'],
  sitemaps: ['sitemaps', 'control'],
  userAgents: ['userAgents'],
  sample: ['sample', 'morePages', 'page'],
  samplePages: ['sample', 'morePages', 'page'],
  faqPage: ['faq', 'page'],
  mcpDiscovery: ['mcpDiscovery', 'page', 'control'],
  mcpEndpoint: ['mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
  mcpProtection: ['mcpAuth', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
  mcpProbes: ['mcpProbes', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
  mcpDocs: ['mcpDocs', 'mcpDiscovery', 'sample', 'page', 'control'],
  mcpRegistry: ['mcpRegistry', 'mcpDiscovery', 'page', 'control'],
  llms: ['llms', 'control'],
  llmsFull: ['llms', 'control'],
  llmsLinks: ['llms', 'control'],
  agentTexts: ['llms', 'agentDocs', 'control'],
  markdown: ['markdown', 'page'],
  agentCards: ['agentCards', 'page', 'control'],
  agentFiles: ['agentFiles', 'control'],
  openapi: ['openapi', 'agentCards', 'page', 'control'],
  payments: ['openapi', 'page', 'control'],
  agentSkills: ['agentSkills', 'oldSkillsIndex', 'control'],
  skillFiles: ['agentDocs', 'agentSkills', 'control'],
  agentsMd: ['agentDocs', 'control'],
  sitemapMd: ['reportedFiles', 'control'],
  commerceProfile: ['reportedFiles', 'control'],
  securityTxt: ['reportedFiles', 'control'],
  nlweb: ['nlweb', 'page'],
  llmsPointers: ['robots', 'page'],
  markdownCopies: ['markdownCopy', 'markdownForm', 'markdown', 'page', 'control'],
  markdownPreference: ['markdownLast', 'markdown', 'page'],
  httpBehaviour: ['httpBehaviour', 'page'],
  rateLimits: ['page'],
  agentDiscovery: ['robots', 'llms', 'agentCards', 'mcpDiscovery', 'openapi', 'page', 'control'],
  serviceLinks: ['openapi', 'agentCards', 'mcpDiscovery', 'llms', 'page', 'control'],
  apiProbes: ['apiProbes', 'openapi', 'agentCards', 'page', 'control'],
  apiCatalog: ['catalogTargets', 'openapi', 'agentCards', 'page', 'control'],
  a2aInterface: ['a2aInterface', 'agentCards', 'control'],
  pricePage: ['pricePage', 'page', 'control'],
  usagePreferences: ['robots', 'reportedFiles', 'page', 'control'],
  rsl: ['rsl', 'robots', 'page', 'control'],
  signatureDirectory: ['signatureDirectory', 'control'],
  aboutPages: ['about', 'page', 'control'],
  citations: ['citations', 'page'],
  authorPage: ['author', 'page', 'control'],
  licence: ['licence', 'page', 'control'],
  siteSearch: ['siteSearch', 'page', 'control'],
  scriptFiles: ['scriptFiles', 'page'],
} as const satisfies Record<keyof typeof parsers, readonly (keyof typeof gatherers)[]>;
