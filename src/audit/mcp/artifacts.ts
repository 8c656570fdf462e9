import { defineArtifact } from '../core/artifact.ts';
import { parseMcpDiscovery } from './facts/discovery.ts';
import { parseMcpDocs } from './facts/docs.ts';
import { parseMcpEndpoint } from './facts/endpoint.ts';
import { MAX_MCP_PROBES } from './facts/places.ts';
import { parseMcpProbes } from './facts/probes.ts';
import { parseMcpProtection } from './facts/protection.ts';
import { parseMcpRegistry } from './facts/registry.ts';
import { gatherMcpDiscovery, gatherMcpDocs, gatherMcpRegistry } from './gather/discovery.ts';
import { gatherMcpAuth, gatherMcpEndpoint } from './gather/endpoint.ts';
import { gatherMcpProbes } from './gather/probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const mcpArtifacts = {
  mcpDiscovery: defineArtifact({
    parse: parseMcpDiscovery,
    from: ['mcpDiscovery', 'page', 'control'],
    gather: {
      mcpDiscovery: { run: gatherMcpDiscovery, wave: 'first', rank: 11 },
    },
  }),
  mcpEndpoint: defineArtifact({
    parse: parseMcpEndpoint,
    from: ['mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
    gather: {
      mcpEndpoint: { run: gatherMcpEndpoint, wave: 'first', rank: 12 },
    },
  }),
  mcpProtection: defineArtifact({
    parse: parseMcpProtection,
    from: ['mcpAuth', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
    gather: {
      mcpAuth: { run: gatherMcpAuth, wave: 'first', rank: 13 },
    },
  }),
  mcpProbes: defineArtifact({
    parse: parseMcpProbes,
    from: ['mcpProbes', 'mcpEndpoint', 'mcpDiscovery', 'page', 'control'],
    gather: {
      mcpProbes: { run: gatherMcpProbes, wave: 'late', rank: 8, atMost: MAX_MCP_PROBES },
    },
  }),
  mcpDocs: defineArtifact({
    parse: parseMcpDocs,
    from: ['mcpDocs', 'mcpDiscovery', 'sample', 'page', 'control'],
    gather: {
      mcpDocs: { run: gatherMcpDocs, wave: 'late', rank: 9, atMost: 1 },
    },
  }),
  mcpRegistry: defineArtifact({
    parse: parseMcpRegistry,
    from: ['mcpRegistry', 'mcpDiscovery', 'page', 'control'],
    gather: {
      mcpRegistry: { run: gatherMcpRegistry, wave: 'last', rank: 6, atMost: 1 },
    },
  }),
};
