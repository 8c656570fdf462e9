import * as z from 'zod';
import { SERVER_CARD_SCHEMA } from '../../audit/mcp/facts/server-card.ts';
import type { ObservedEndpoint } from './mcp-json-endpoint.ts';
import { formatAsciiSlug } from './safe-site.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';
import { formatSlot } from '../core/fix-slots.ts';

const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 100;
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,100}$/u;
const RANGE = /^[~^<>=]|[*|]|\s-\s|(?:^|\.)[xX](?:\.|$)/u;

/**
 * A Server Card as this module writes it. Strict: later drafts of the schema allow no unknown member, so there is none;
 * `_meta`, which exists for that, holds what must be said about the file.
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card schema.json
 */
export const serverCardSchema = z.strictObject({
  $schema: z.literal(SERVER_CARD_SCHEMA),
  name: z.string().min(3).max(MAX_NAME_CHARS).regex(NAME),
  version: z
    .string()
    .min(1)
    .max(255)
    .refine((version) => !RANGE.test(version)),
  description: z.string().min(1).max(MAX_TEXT_CHARS),
  title: z.string().min(1).max(MAX_TEXT_CHARS).optional(),
  websiteUrl: z.url({ protocol: /^https?$/u }),
  remotes: z
    .array(
      z.strictObject({
        type: z.enum(['streamable-http', 'sse']),
        url: z.url({ protocol: /^https?$/u }),
        supportedProtocolVersions: z
          .array(z.string().regex(/^\d{4}-\d{2}-\d{2}$/u))
          .min(1)
          .optional(),
        headers: z
          .array(
            z.strictObject({
              name: z.string().min(1),
              description: z.string().min(1).optional(),
              isRequired: z.boolean().optional(),
              isSecret: z.boolean().optional(),
            }),
          )
          .min(1)
          .optional(),
      }),
    )
    .length(1),
  _meta: z.strictObject({ note: z.string() }),
});

export type ServerCard = z.infer<typeof serverCardSchema>;

/** What the card says of the server beside its endpoint; '' for what is not known. */
export type ServerWords = { title: string; description: string; websiteUrl: string };

/** The Server Card (SEP-2127) for an endpoint that the audit saw. What neither server nor site says is a slot. */
export function buildSiteServerCard(endpoint: ObservedEndpoint, words: ServerWords, start: URL): ServerCard {
  const title = endpoint.title || words.title;
  return serverCardSchema.parse({
    $schema: SERVER_CARD_SCHEMA,
    name: findCardName(endpoint, start),
    version: findServerVersion(endpoint),
    description: endpoint.description || formatPlainLine(words.description, MAX_TEXT_CHARS) || formatSlot('mcpText'),
    ...(title === '' ? {} : { title: formatPlainLine(title, MAX_TEXT_CHARS) }),
    websiteUrl: words.websiteUrl,
    remotes: [
      {
        type: endpoint.transport,
        url: endpoint.url,
        ...(endpoint.headers.length === 0 ? {} : { headers: [...endpoint.headers] }),
        ...(endpoint.versions.length === 0 ? {} : { supportedProtocolVersions: [...endpoint.versions] }),
      },
    ],
    _meta: {
      note: 'Written from an audit of the live server. Keep it in step with what server/discover answers: where the two differ, clients believe the server.',
    },
  });
}

/** The present card's name, else the server's own, else one made of the reversed host and the end of the endpoint. */
function findCardName({ card, name, url }: ObservedEndpoint, start: URL): string {
  const present = [card?.card.name, name].find(
    (given) => given !== undefined && given.length <= MAX_NAME_CHARS && NAME.test(given),
  );
  if (present !== undefined) return present;
  const namespace = start.hostname
    .split('.')
    .toReversed()
    .join('.')
    .replaceAll(/[^a-zA-Z0-9.-]/gu, '-')
    .slice(0, 120);
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  return `${namespace}/${formatAsciiSlug(name, 64) || formatAsciiSlug(last, 64) || 'mcp'}`;
}

function findServerVersion({ version, card }: ObservedEndpoint): string {
  const known = [version, card?.card.version ?? ''];
  return known.find((text) => VERSION.test(text) && !RANGE.test(text)) ?? formatSlot('mcpVersion');
}
