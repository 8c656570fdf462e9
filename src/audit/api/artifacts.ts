import { defineArtifact, runFirst, planLate } from '../core/artifact.ts';
import { gatherOpenApi } from '../agent-files/gather/agent-files.ts';
import { MAX_CATALOG_TARGETS, readApiCatalog } from './facts/api-catalog.ts';
import { readApiDescription } from './facts/api-description.ts';
import { readApiProbes } from './facts/api-probes.ts';
import { readHttpBehaviour, readRateLimits } from './facts/http-behaviour.ts';
import { readServiceLinks } from './facts/service-links.ts';
import { planApiProbes, planCatalogTargets, planHttpBehaviour } from './gather/api-probes.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const apiArtifacts = {
  openapi: defineArtifact(readApiDescription, ['openapi', 'agentCards', 'page', 'control'], {
    openapi: runFirst(gatherOpenApi, { rank: 17 }),
  }),
  httpBehaviour: defineArtifact(readHttpBehaviour, ['httpBehaviour', 'page'], {
    httpBehaviour: planLate(planHttpBehaviour, { rank: 10, atMost: 2 }),
  }),
  apiProbes: defineArtifact(readApiProbes, ['apiProbes', 'openapi', 'agentCards', 'page', 'control'], {
    apiProbes: planLate(planApiProbes, { rank: 11, atMost: 2 }),
  }),
  apiCatalog: defineArtifact(readApiCatalog, ['catalogTargets', 'openapi', 'agentCards', 'page', 'control'], {
    catalogTargets: planLate(planCatalogTargets, { rank: 13, atMost: MAX_CATALOG_TARGETS }),
  }),
  rateLimits: defineArtifact(readRateLimits, ['page']),
  serviceLinks: defineArtifact(readServiceLinks, ['openapi', 'agentCards', 'mcpDiscovery', 'llms', 'page', 'control']),
};
