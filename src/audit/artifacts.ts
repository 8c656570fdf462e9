import { readMarkdownCopy } from './facts/markdown-copy.ts';
import { readAgentCards, readAgentFiles, readAgentSkillsFacts, readPayments } from './facts/agent-files.ts';
import { readApiDescription } from './facts/api-description.ts';
import { readAgentTexts, readLlms, readLlmsFull } from './facts/llms-files.ts';
import { readLlmsLinks } from './facts/llms-links.ts';
import { readMarkdownVariant } from './facts/markdown-variant.ts';
import { parseMcpDiscovery } from './facts/mcp-discovery.ts';
import { parseMcpEndpoint } from './facts/mcp-endpoint.ts';
import { parseMcpProtection } from './facts/mcp-protection.ts';
import { readJsonLd, readTextEvidence } from './facts/page-derived.ts';
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
} from './facts/site-files.ts';
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
  control: readControlAnswer,
  page: readPageFacts,
  jsonLd: readJsonLd,
  textEvidence: readTextEvidence,
  markdownCopy: readMarkdownCopy,
  schemes: readSchemes,
  canonical: readCanonical,
  robots: readRobotsFile,
  sitemaps: readSitemaps,
  userAgents: readUserAgents,
  sample: readSample,
  samplePages: readSamplePages,
  faqPage: readFaqPage,
  mcpDiscovery: parseMcpDiscovery,
  mcpEndpoint: parseMcpEndpoint,
  mcpProtection: parseMcpProtection,
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
} as const satisfies Record<string, Parser<unknown>>;

type ValueOf<P> = P extends Parser<infer T> ? T : never;

/** The facts that checks judge, by artifact name. */
export type Artifacts = { [K in keyof typeof parsers]: ValueOf<(typeof parsers)[K]> };

/** Gatherers whose exchanges an artifact is read from: a capability or a single score runs only those its checks need. */
export const feeds = {
  start: ['page'],
  control: ['control'],
  page: ['page'],
  jsonLd: ['page'],
  textEvidence: ['page'],
  markdownCopy: ['markdownCopy', 'page', 'control'],
  schemes: ['schemes'],
  canonical: ['page', 'canonical'],
  robots: ['robots', 'control'],
  sitemaps: ['sitemaps', 'control'],
  userAgents: ['userAgents'],
  sample: ['sample', 'page'],
  samplePages: ['sample', 'morePages', 'page'],
  faqPage: ['faq', 'page'],
  mcpDiscovery: ['mcpDiscovery', 'page', 'control'],
  mcpEndpoint: ['mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
  mcpProtection: ['mcpAuth', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
  llms: ['llms', 'control'],
  llmsFull: ['llms', 'control'],
  llmsLinks: ['llms', 'control'],
  agentTexts: ['llms', 'agentDocs', 'control'],
  markdown: ['markdown', 'page'],
  agentCards: ['agentCards', 'page', 'control'],
  agentFiles: ['agentFiles', 'control'],
  openapi: ['openapi', 'agentCards', 'page', 'control'],
  payments: ['openapi', 'page', 'control'],
  agentSkills: ['agentSkills', 'control'],
} as const satisfies Record<keyof typeof parsers, readonly (keyof typeof gatherers)[]>;
