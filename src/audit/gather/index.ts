import type { Gatherer } from '../gather.ts';
import { gatherAgentCards, gatherAgentFiles, gatherAgentSkills, gatherOpenApi } from './agent-files.ts';
import { gatherAgentDocs, gatherLlms } from './llms.ts';
import { MAX_PAGES } from './limits.ts';
import { gatherMarkdown } from './markdown.ts';
import { gatherCanonical, gatherControl, gatherFaq, gatherPage, gatherSchemes } from './page.ts';
import { gatherMarkdownCopy } from './markdown-copy.ts';
import { gatherMcpAuth } from './mcp-auth.ts';
import { gatherMcpDiscovery } from './mcp-discovery.ts';
import { gatherMcpEndpoint } from './mcp-endpoint.ts';
import { gatherRobots } from './robots.ts';
import { gatherMorePages, gatherSample } from './sample.ts';
import { gatherSitemaps } from './sitemaps.ts';
import { gatherUserAgents } from './user-agents.ts';

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
  llms: gatherLlms,
  agentDocs: gatherAgentDocs,
  markdown: gatherMarkdown,
  agentCards: gatherAgentCards,
  agentFiles: gatherAgentFiles,
  openapi: gatherOpenApi,
  agentSkills: gatherAgentSkills,
  morePages: gatherMorePages,
} as const satisfies Record<string, Gatherer>;

export type GathererName = keyof typeof gatherers;

/** A gatherer that runs after the others, and the most requests it makes. */
export type Later = { name: GathererName; atMost: number };

/** What checks with a small weight need, the most useful first: where the budget is short, the last go without. */
export const extras: readonly Later[] = [];

/** What only informs (weight 0), and pages beyond the usual sample: read while there is room. */
export const informational: readonly Later[] = [{ name: 'morePages', atMost: MAX_PAGES }];
