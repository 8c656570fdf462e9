import { defineArtifact, runFirst, runLast, runLate } from '../core/artifact.ts';
import { parseMcpDiscovery } from './facts/discovery.ts';
import { parseMcpDocs, parseMcpRegistry } from './facts/advertised.ts';
import { parseMcpEndpoint } from './facts/endpoint.ts';
import { readMcpMention } from './facts/mention.ts';
import { MAX_MCP_PROBES } from './facts/places.ts';
import { parseMcpProbes } from './facts/probes.ts';
import { parseMcpProtection } from './facts/protection.ts';
import { gatherMcpDiscovery, gatherMcpDocs, gatherMcpRegistry } from './gather/discovery.ts';
import { gatherMcpAuth, gatherMcpEndpoint } from './gather/endpoint.ts';
import { gatherMcpProbes } from './gather/probes.ts';

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
    mcpProbes: runLate(gatherMcpProbes, { rank: 8, atMost: MAX_MCP_PROBES }),
  }),
  mcpDocs: defineArtifact(parseMcpDocs, ['mcpDocs', 'mcpDiscovery', 'sample', 'page', 'control'], {
    mcpDocs: runLate(gatherMcpDocs, { rank: 9, atMost: 1 }),
  }),
  mcpRegistry: defineArtifact(parseMcpRegistry, ['mcpRegistry', 'mcpDiscovery', 'page', 'control'], {
    mcpRegistry: runLast(gatherMcpRegistry, { rank: 6, atMost: 1 }),
  }),
};
