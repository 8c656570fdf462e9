import { readA2aInterface } from '../agent-files/facts/a2a-interface.ts';
import {
  readAgentCards,
  readAgentDiscovery,
  readAgentFiles,
  readAgentSkillsFacts,
  readPayments,
} from '../agent-files/facts/agent-files.ts';
import { readNlWeb } from '../agent-files/facts/nlweb.ts';
import { readPricePage } from '../agent-files/facts/price-page.ts';
import { readSecurityTxt } from '../agent-files/facts/security-txt.ts';
import { readSkillFiles } from '../agent-files/facts/skill-files.ts';
import { readAgentsMd, readCommerceProfile, readSitemapMd } from '../agent-files/facts/well-known-extras.ts';
import { readApiCatalog } from '../api/facts/api-catalog.ts';
import { readApiDescription } from '../api/facts/api-description.ts';
import { readApiProbes } from '../api/facts/api-probes.ts';
import { readHttpBehaviour, readRateLimits } from '../api/facts/http-behaviour.ts';
import { readServiceLinks } from '../api/facts/service-links.ts';
import { readCrawlerFiles, readRobotsFile } from '../crawlers/facts/robots-file.ts';
import { readRsl } from '../crawlers/facts/rsl.ts';
import { readSignatureDirectory } from '../crawlers/facts/signature-directory.ts';
import { readUsagePreferences } from '../crawlers/facts/usage-statements.ts';
import { readUserAgents } from '../crawlers/facts/ai-agents.ts';
import { readAgentTexts, readLlms, readLlmsFull, readLlmsPointers } from '../llms-txt/facts/llms-files.ts';
import { readLlmsLinks } from '../llms-txt/facts/llms-links.ts';
import { readMarkdownCopies } from '../llms-txt/facts/markdown-copies.ts';
import { readMarkdownCopy } from '../llms-txt/facts/markdown-copy.ts';
import { readMarkdownPreference, readMarkdownVariant } from '../llms-txt/facts/markdown-variant.ts';
import { parseMcpDiscovery } from '../mcp/facts/discovery.ts';
import { parseMcpDocs } from '../mcp/facts/docs.ts';
import { parseMcpEndpoint } from '../mcp/facts/endpoint.ts';
import { parseMcpProbes } from '../mcp/facts/probes.ts';
import { parseMcpProtection } from '../mcp/facts/protection.ts';
import { parseMcpRegistry } from '../mcp/facts/registry.ts';
import { readJsonLd, readTextEvidence } from '../page/facts/derived.ts';
import { readScriptFiles } from '../page/facts/script-files.ts';
import { readSiteSearch } from '../page/facts/site-search.ts';
import { readAboutPages } from '../publisher/facts/about-pages.ts';
import { readAuthorPage } from '../publisher/facts/author.ts';
import { readLicence } from '../publisher/facts/licence.ts';
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
} from '../reach/facts/site-files.ts';
import { readStartTimings } from '../reach/facts/start-timings.ts';
import { readSiteFeed } from '../sitemaps/facts/site-feed.ts';
import { readSitemaps } from '../sitemaps/facts/sitemap-files.ts';
import { readCitations } from '../text/facts/citations.ts';
import type { Parser } from './artifact.ts';
import type { gatherers } from './index-gather.ts';

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
