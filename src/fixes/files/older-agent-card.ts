import * as z from 'zod';
import { formatSlot } from '../core/fix-slots.ts';
import { type AgentCard, agentCardSchema, isOlderVersion, listSeenInterfaces, OLDER_VERSION } from './agent-card.ts';
import type { Audited } from './generated-file.ts';

/**
 * The document for `/.well-known/agent.json`: a card in the form of A2A 0.3. Only clients of versions before 0.3 look there.
 * They take the address from `url` and refuse a card without it, so a copy of the card of 1.0 is of no use to them.
 * @see https://a2a-protocol.org/v0.3.0/specification/ AgentCard
 */
export const olderAgentCardSchema = agentCardSchema.omit({ supportedInterfaces: true }).extend({
  protocolVersion: z.string().regex(/^0\.\d/u),
  url: agentCardSchema.shape.supportedInterfaces.element.shape.url,
  preferredTransport: z.string().min(1),
  additionalInterfaces: z.array(z.strictObject({ url: z.string(), transport: z.string() })).optional(),
});

export type OlderAgentCard = z.infer<typeof olderAgentCardSchema>;

/** The interfaces of the site's agent that clients of before 1.0 can speak to. */
const listOlderInterfaces = (audited: Audited): AgentCard['supportedInterfaces'] =>
  listSeenInterfaces(audited).filter(({ protocolVersion }) => isOlderVersion(protocolVersion));

/** Whether the site's agent is known to answer messages of before 1.0. */
export const hasOlderAgent = (audited: Audited): boolean => listOlderInterfaces(audited).length > 0;

/** The same agent in the older form. Without an address that answers messages of before 1.0 it is a draft. */
export function buildOlderAgentCard(audited: Audited, card: AgentCard): OlderAgentCard {
  const { supportedInterfaces: _, ...agent } = card;
  const [first, ...others] = listOlderInterfaces(audited);
  return olderAgentCardSchema.parse({
    protocolVersion: first?.protocolVersion ?? OLDER_VERSION,
    ...agent,
    url: first?.url ?? formatSlot('olderAgentUrl'),
    preferredTransport: first?.protocolBinding ?? 'JSONRPC',
    ...(others.length === 0
      ? {}
      : { additionalInterfaces: others.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })) }),
  });
}
