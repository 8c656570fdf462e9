import { SERVER_CARD_TYPE } from './server-card.ts';

/**
 * Requests of the whole MCP part of one audit, redirects not counted: 5 when a site has no MCP surface, up to 27 to
 * find it, to list its tools and to read how it is protected, up to `MAX_MCP_PROBES` to see how an open endpoint answers what is wrong or seldom
 * asked, one for the page that explains how to connect and one for the proof of the registry.
 */
export const MAX_MCP_REQUESTS = 39;
/** Of these, eight for every open server and one for each of two capabilities that it may declare. */
export const MAX_MCP_PROBES = 10;
/** Catalog URLs that are considered, in order, and how many of them are fetched. */
export const MAX_CATALOG_URLS = 10;
export const MAX_CATALOG_FETCHES = 4;
export const MAX_TOOL_PAGES = 5;
/** Protocol versions that a card lists and the live server did not name: each costs one handshake. */
export const MAX_VERSION_PROBES = 2;
export const MAX_RESOURCE_METADATA_URLS = 3;
export const MAX_SERVER_METADATA_URLS = 3;
/** Decoded bytes of a discovery document and of an MCP answer that are read. */
export const MAX_DOCUMENT_BYTES = 512 * 1024;
export const MAX_RPC_BYTES = 2 * 1024 * 1024;

/** Where an MCP surface is looked for on every site: the AI Catalog, then the de-facto places that came before it. */
export const WELL_KNOWN = {
  catalog: {
    role: 'mcp-ai-catalog',
    path: '/.well-known/ai-catalog.json',
    accept: 'application/ai-catalog+json, application/json;q=0.9',
  },
  mcpJson: { role: 'mcp-json', path: '/.well-known/mcp.json', accept: 'application/json' },
  cardJson: {
    role: 'mcp-legacy-card:0',
    path: '/.well-known/mcp/server-card.json',
    accept: `${SERVER_CARD_TYPE}, application/json;q=0.9`,
  },
  card: {
    role: 'mcp-legacy-card:1',
    path: '/.well-known/mcp-server',
    accept: `${SERVER_CARD_TYPE}, application/json;q=0.9`,
  },
  servers: { role: 'mcp-servers-json', path: '/.well-known/mcp/servers.json', accept: 'application/json' },
} as const;

/** Roles of the other requests of the MCP part; numbered ones end in `:<n>`. */
export const MCP_ROLES = {
  catalogUrl: 'mcp-catalog-url',
  card: 'mcp-card',
  discover: 'mcp-discover',
  initialize: 'mcp-initialize',
  initialized: 'mcp-initialized',
  tools: 'mcp-tools',
  origin: 'mcp-origin',
  version: 'mcp-version',
  mismatch: 'mcp-mismatch',
  unknownMethod: 'mcp-unknown-method',
  badJson: 'mcp-bad-json',
  get: 'mcp-get',
  toolsAgain: 'mcp-tools-again',
  unknownTool: 'mcp-unknown-tool',
  preflight: 'mcp-preflight',
  resources: 'mcp-resources',
  prompts: 'mcp-prompts',
  linkedCatalog: 'mcp-linked-catalog',
  docs: 'mcp-docs',
  registryProof: 'mcp-registry-auth',
  badToken: 'mcp-bad-token',
  resourceMetadata: 'mcp-prm',
  serverMetadata: 'mcp-as',
  jwks: 'mcp-jwks',
} as const;

export const MODERN_REVISION = '2026-07-28';
export const LEGACY_REVISION = '2025-11-25';
/** A version that no server can support: the revisions begin in 2024. */
export const IMPOSSIBLE_REVISION = '1900-01-01';
/** The first revision whose clients name their version in a header, which servers must then look at. */
export const FIRST_WITH_VERSION_HEADER = '2025-06-18';
