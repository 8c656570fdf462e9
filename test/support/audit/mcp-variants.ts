import {
  CACHED_CARD_HEADERS,
  card,
  CARD_HEADERS,
  catalog,
  except,
  legacyServer,
  mcpSite,
  modernServer,
  type Rpc,
  servedCard,
  type Server,
} from './mcp-site.ts';
import { html, json, type SiteAnswer, type SiteMap } from './site-fetch.ts';

/** Answers by path that replace those of the sound site; `undefined` takes one away. */
export type Changes = Readonly<Record<string, SiteAnswer | undefined>>;

export const modern = modernServer();

/** The sound site with another server. */
export const served = (server: Server, changes: Changes = {}): SiteMap => mcpSite({ 'POST /mcp': server, ...changes });

/** The sound site whose server lists these tools. */
export const withTools = (...tools: readonly unknown[]): SiteMap => served(modernServer({ pages: [tools] }));

export const isToolCall = ({ method }: Rpc): boolean => method === 'tools/call';

export const called = (answer: SiteAnswer, server: Server = modern): SiteMap =>
  served(except(server, isToolCall, answer));

export const terms = {
  x402Version: 2,
  resource: { url: 'mcp://tool/search' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '10000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
    },
  ],
};

export const legacy = (options: Parameters<typeof legacyServer>[0] = {}): SiteMap => served(legacyServer(options));

export const silent = served(() => html('<!doctype html><p>Welcome'));

export const isInitialize = ({ method }: Rpc): boolean => method === 'initialize';

export const answering = (when: (rpc: Rpc) => boolean, answer: SiteAnswer): SiteMap =>
  served(except(modern, when, answer));

export const inlineCard = (members = {}): SiteAnswer =>
  json(
    catalog([{ identifier: 'urn:air:site.test:mcp:a', type: 'application/mcp-server-card+json', data: card(members) }]),
  );

export const withCard = (
  members: Parameters<typeof card>[0],
  headers: Readonly<Record<string, string>> = CARD_HEADERS,
): SiteMap => mcpSite({ '/mcp/server-card': servedCard(members, headers) });

export const withRemotes = (...list: readonly object[]): SiteMap => withCard({ remotes: list });

export const noDocuments: Changes = { '/.well-known/ai-catalog.json': undefined, '/mcp/server-card': undefined };

export const empty = mcpSite({ ...noDocuments, 'POST /mcp': undefined });

export const onlyMcpJson = (document: unknown, changes: Changes = {}): SiteMap =>
  mcpSite({ ...noDocuments, '/.well-known/mcp.json': json(document), ...changes });

export type CardMembers = Parameters<typeof card>[0];

export const withCachedCard = (
  members: CardMembers,
  headers: Readonly<Record<string, string>> = CACHED_CARD_HEADERS,
): SiteMap => mcpSite({ '/mcp/server-card': servedCard(members, headers) });

export const startPage = (body: string, headers: Readonly<Record<string, string>> = {}): SiteAnswer =>
  html(`<!doctype html><title>Archive</title>${body}`, { headers });
