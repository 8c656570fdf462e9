import { defineArtifact } from '../core/artifact.ts';
import { gatherOpenApi } from '../agent-files/gather/agent-files.ts';
import { MAX_CATALOG_TARGETS, readApiCatalog } from './facts/api-catalog.ts';
import { readApiDescription } from './facts/api-description.ts';
import { readApiProbes } from './facts/api-probes.ts';
import { readHttpBehaviour, readRateLimits } from './facts/http-behaviour.ts';
import { readServiceLinks } from './facts/service-links.ts';
import { gatherApiProbes, gatherCatalogTargets } from './gather/api-probes.ts';
import { gatherHttpBehaviour } from './gather/http-behaviour.ts';

/** What the audit knows of this subject, and the requests that it takes. */
export const apiArtifacts = {
  openapi: defineArtifact({
    parse: readApiDescription,
    from: ['openapi', 'agentCards', 'page', 'control'],
    gather: {
      openapi: { run: gatherOpenApi, wave: 'first', rank: 17 },
    },
  }),
  httpBehaviour: defineArtifact({
    parse: readHttpBehaviour,
    from: ['httpBehaviour', 'page'],
    gather: {
      httpBehaviour: { run: gatherHttpBehaviour, wave: 'late', rank: 10, atMost: 2 },
    },
  }),
  apiProbes: defineArtifact({
    parse: readApiProbes,
    from: ['apiProbes', 'openapi', 'agentCards', 'page', 'control'],
    gather: {
      apiProbes: { run: gatherApiProbes, wave: 'late', rank: 11, atMost: 2 },
    },
  }),
  apiCatalog: defineArtifact({
    parse: readApiCatalog,
    from: ['catalogTargets', 'openapi', 'agentCards', 'page', 'control'],
    gather: {
      catalogTargets: { run: gatherCatalogTargets, wave: 'late', rank: 13, atMost: MAX_CATALOG_TARGETS },
    },
  }),
  rateLimits: defineArtifact({
    parse: readRateLimits,
    from: ['page'],
  }),
  serviceLinks: defineArtifact({
    parse: readServiceLinks,
    from: ['openapi', 'agentCards', 'mcpDiscovery', 'llms', 'page', 'control'],
  }),
};
