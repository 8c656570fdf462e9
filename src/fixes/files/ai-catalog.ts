import * as z from 'zod';
import { SERVER_CARD_TYPE } from '../../audit/mcp/facts/server-card.ts';
import { formatAsciiSlug } from './safe-site.ts';

const identifier = z.string().regex(/^urn:air:[A-Za-z0-9.-]{1,253}:(?:mcp|a2a):[A-Za-z0-9._-]{1,200}$/u);

/**
 * An AI Catalog as this module writes it (draft 1.0). `displayName` is written although the draft lets it out: the readers
 * of earlier drafts require it. Strict: the draft keeps members of others under `extensions`, and none is needed.
 * @see https://github.com/Agent-Card/ai-catalog specification/ai-catalog.md
 */
export const aiCatalogSchema = z.strictObject({
  specVersion: z.literal('1.0'),
  host: z.strictObject({ displayName: z.string().min(1), identifier: z.string().min(1) }),
  entries: z.array(
    z.strictObject({
      identifier,
      displayName: z.string().min(1),
      type: z.enum([SERVER_CARD_TYPE, 'application/a2a-agent-card+json']),
      url: z.url({ protocol: /^https?$/u }),
    }),
  ),
});

export type AiCatalog = z.infer<typeof aiCatalogSchema>;

/** What the catalog lists; a part that the site does not have is absent, and so is its entry. */
export type CatalogParts = {
  siteName: string;
  start: URL;
  server?: { name: string; title: string; cardUrl: string };
  agent?: { name: string; cardUrl: string };
};

/** The catalog for /.well-known/ai-catalog.json. Without a server and an agent it has no entries, and claims nothing. */
export function buildSiteAiCatalog({ siteName, start, server, agent }: CatalogParts): AiCatalog {
  // An address in brackets holds colons, which part the segments of a URN.
  const publisher = start.hostname.replaceAll(/[^A-Za-z0-9.-]/gu, '-');
  return aiCatalogSchema.parse({
    specVersion: '1.0',
    host: { displayName: siteName, identifier: start.hostname },
    entries: [
      ...(server
        ? [
            {
              identifier: `urn:air:${publisher}:mcp:${server.name.split('/').at(-1) ?? server.name}`,
              displayName: server.title,
              type: SERVER_CARD_TYPE,
              url: server.cardUrl,
            },
          ]
        : []),
      ...(agent
        ? [
            {
              identifier: `urn:air:${publisher}:a2a:${formatAsciiSlug(agent.name, 64) || 'agent'}`,
              displayName: agent.name,
              type: 'application/a2a-agent-card+json',
              url: agent.cardUrl,
            },
          ]
        : []),
    ],
  });
}
