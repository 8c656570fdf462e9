/**
 * Every path that a fix may name (rule X2). None is built from what a site says, so that writing a fix pack to a folder
 * cannot leave it. A file of the site keeps the place it is served from; the last three are notes for settings and work
 * that no single file holds.
 */
export const FIX_FILES = {
  page: 'index.html',
  pageMarkdown: 'index.md',
  about: 'about.html',
  author: 'author.html',
  robots: 'robots.txt',
  sitemap: 'sitemap.xml',
  sitemapMarkdown: 'sitemap.md',
  feed: 'feed.xml',
  llms: 'llms.txt',
  llmsFull: 'llms-full.txt',
  agents: 'AGENTS.md',
  licence: 'license.xml',
  openapi: 'openapi.json',
  securityTxt: '.well-known/security.txt',
  apiCatalog: '.well-known/api-catalog',
  aiCatalog: '.well-known/ai-catalog.json',
  serverCard: '.well-known/mcp/server-card.json',
  mcpJson: '.well-known/mcp.json',
  agentCard: '.well-known/agent-card.json',
  skillsIndex: '.well-known/agent-skills/index.json',
  skill: '.well-known/agent-skills/site/SKILL.md',
  resourceMetadata: '.well-known/oauth-protected-resource',
  serverMetadata: '.well-known/oauth-authorization-server',
  tdmReservation: '.well-known/tdmrep.json',
  signatureKeys: '.well-known/http-message-signatures-directory',
  server: 'server-configuration.md',
  mcpServer: 'mcp-server.md',
  api: 'api-changes.md',
} as const;

export type FixFile = (typeof FIX_FILES)[keyof typeof FIX_FILES];
