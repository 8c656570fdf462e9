import { defineArtifact, runFirst, planLast, planLate } from '../core/artifact.ts';
import { parseMcpDiscovery } from './facts/discovery.ts';
import { parseMcpDocs, parseMcpRegistry } from './facts/advertised.ts';
import { parseMcpEndpoint } from './facts/endpoint.ts';
import { readMcpMention } from './facts/mention.ts';
import { MAX_MCP_PROBES } from './facts/places.ts';
import { parseMcpProbes } from './facts/probes.ts';
import { parseMcpProtection } from './facts/protection.ts';
import { gatherMcpDiscovery, planMcpDocs, planMcpRegistry } from './gather/discovery.ts';
import { gatherMcpAuth, gatherMcpEndpoint } from './gather/endpoint.ts';
import { planMcpProbes } from './gather/probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const mcpArtifacts = {
  mcpDiscovery: defineArtifact(parseMcpDiscovery, ['mcpDiscovery', 'page', 'control'], {
    mcpDiscovery: runFirst(gatherMcpDiscovery, { rank: 11 }),
  }),
  mcpEndpoint: defineArtifact(parseMcpEndpoint, ['mcpEndpoint', 'mcpDiscovery', 'page', 'control'], {
    mcpEndpoint: runFirst(gatherMcpEndpoint, { rank: 12 }),
  }),
  mcpMention: defineArtifact(readMcpMention, ['mcpDiscovery', 'page', 'control']),
  mcpProtection: defineArtifact(parseMcpProtection, ['mcpAuth', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'], {
    mcpAuth: runFirst(gatherMcpAuth, { rank: 13 }),
  }),
  mcpProbes: defineArtifact(parseMcpProbes, ['mcpProbes', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'], {
    mcpProbes: planLate(planMcpProbes, { rank: 8, atMost: MAX_MCP_PROBES + 1 }),
  }),
  mcpDocs: defineArtifact(parseMcpDocs, ['mcpDocs', 'mcpDiscovery', 'sample', 'page', 'control'], {
    mcpDocs: planLate(planMcpDocs, { rank: 9, atMost: 1 }),
  }),
  mcpRegistry: defineArtifact(parseMcpRegistry, ['mcpRegistry', 'mcpDiscovery', 'page', 'control'], {
    mcpRegistry: planLast(planMcpRegistry, { rank: 6, atMost: 1 }),
  }),
};
