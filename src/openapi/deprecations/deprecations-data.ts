import type { DeprecatedThing } from './deprecations.ts';

/** What this service replaces, and will take away no sooner than the policy allows: `docs/reference/deprecations.md`. */
export const deprecatedThings: readonly DeprecatedThing[] = [
  {
    method: 'GET',
    path: '/.well-known/mcp-server-card.json',
    since: '2026-11-27',
    why: 'An early draft of Server Cards for MCP asked for a card here.',
    instead: 'GET /mcp/server-card, and /.well-known/ai-catalog.json to find it',
  },
  {
    method: 'GET',
    path: '/.well-known/mcp/server-card.json',
    since: '2026-11-27',
    why: 'A later draft of Server Cards for MCP (SEP-1649) asked for a card here.',
    instead: 'GET /mcp/server-card, and /.well-known/ai-catalog.json to find it',
  },
];
