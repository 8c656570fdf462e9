/** Requests of the llms.txt, Markdown and agent-file part of one audit, redirects not counted: the sum of the limits below. */
export const MAX_AGENT_REQUESTS = 28;

/** Links of llms.txt that are followed, and how many of them may lead to one foreign site. */
export const MAX_LLMS_LINKS = 8;
export const MAX_LINKS_PER_FOREIGN_SITE = 2;
/** Places an OpenAPI description is looked for, and documented paid paths that are asked: together at most this many. */
export const MAX_API_REQUESTS = 6;
export const MAX_PAID_PATHS = 2;

/** Decoded bytes that are read of one text, link or document. */
export const MAX_TEXT_BYTES = 512 * 1024;
export const MAX_LINK_BYTES = 256 * 1024;
export const MAX_OPENAPI_BYTES = 4 * 1024 * 1024;

const JSON_ACCEPT = 'application/json, */*;q=0.5';
const TEXT_ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.1';

/** Files at fixed places, by the role of their request. */
export const AGENT_FILES = {
  llms: { path: '/llms.txt', accept: TEXT_ACCEPT },
  'llms-full': { path: '/llms-full.txt', accept: TEXT_ACCEPT },
  'agents-md': { path: '/AGENTS.md', accept: TEXT_ACCEPT },
  'skill-md': { path: '/SKILL.md', accept: TEXT_ACCEPT },
  'agent-card': { path: '/.well-known/agent-card.json', accept: JSON_ACCEPT },
  'agent-json': { path: '/.well-known/agent.json', accept: JSON_ACCEPT },
  'ai-plugin': { path: '/.well-known/ai-plugin.json', accept: JSON_ACCEPT },
  'agents-json': { path: '/.well-known/agents.json', accept: JSON_ACCEPT },
  'api-catalog': {
    path: '/.well-known/api-catalog',
    accept: 'application/linkset+json, application/json;q=0.9, */*;q=0.5',
  },
  'skills-index': { path: '/.well-known/agent-skills/index.json', accept: JSON_ACCEPT },
  'skills-index-old': { path: '/.well-known/skills/index.json', accept: JSON_ACCEPT },
  'security-txt': { path: '/.well-known/security.txt', accept: 'text/plain, */*;q=0.1' },
  'sitemap-md': { path: '/sitemap.md', accept: TEXT_ACCEPT },
  tdmrep: { path: '/.well-known/tdmrep.json', accept: JSON_ACCEPT },
  ucp: { path: '/.well-known/ucp', accept: JSON_ACCEPT },
  acp: { path: '/.well-known/acp.json', accept: JSON_ACCEPT },
  'auth-md': { path: '/auth.md', accept: TEXT_ACCEPT },
  'signature-directory': {
    path: '/.well-known/http-message-signatures-directory',
    accept: 'application/http-message-signatures-directory+json, application/json;q=0.9',
  },
} as const;

export type AgentFileRole = keyof typeof AGENT_FILES;

/** Where an OpenAPI description is looked for when no link names one, in order. */
export const OPENAPI_PATHS = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/api/openapi.json',
  '/.well-known/openapi.json',
  '/v1/openapi.json',
] as const;

/** Roles of the other requests; the first three end in `:<n>`. */
export const AGENT_ROLES = {
  llmsLink: 'llms-link',
  openapi: 'openapi',
  paid: 'x402-paid',
  skill: 'agent-skill:0',
  markdown: 'markdown',
} as const;
