import { A2A_PATH, service } from '../capabilities/service.ts';
import { X402_EXTENSION } from './payment-metadata.ts';
import { listSkills } from './skills.ts';
import { A2A_VERSIONS } from './versions.ts';

/** Where clients of versions before 0.3 look. */
export const OLDER_AGENT_CARD_PATH = '/.well-known/agent.json';

const BINDING = 'JSONRPC';
/** The last version before 1.0, as cards of its form spell it. */
const OLDER_VERSION = '0.3.0';
const MODES = ['application/json', 'text/plain'];

/** What cards of both forms say. No sign-in is needed, so there are no security schemes. */
const buildCommonCard = (baseUrl: string) => ({
  name: service.title,
  description: `${service.description} Skills take JSON and no prose; "index" is free and lists them.`,
  version: service.version,
  documentationUrl: `${baseUrl}/docs/guides/a2a`,
  provider: { organization: service.title, url: `${baseUrl}/` },
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [
      {
        uri: X402_EXTENSION,
        description: 'Skills with a price are paid by x402 version 2 in USDC; free skills answer without it.',
        required: true,
      },
    ],
  },
  defaultInputModes: MODES,
  defaultOutputModes: MODES,
  skills: listSkills(),
});

/**
 * The card of A2A 1.0.
 * @see https://a2a-protocol.org/latest/specification/ section 4.4
 */
export const buildAgentCard = (baseUrl: string): Record<string, unknown> => {
  const { capabilities, ...card } = buildCommonCard(baseUrl);
  return {
    ...card,
    supportedInterfaces: A2A_VERSIONS.map((protocolVersion) => ({
      url: `${baseUrl}${A2A_PATH}`,
      protocolBinding: BINDING,
      protocolVersion,
    })),
    capabilities: { ...capabilities, extendedAgentCard: false },
  };
};

const listOlderMembers = (baseUrl: string) => ({
  protocolVersion: OLDER_VERSION,
  url: `${baseUrl}${A2A_PATH}`,
  preferredTransport: BINDING,
});

/** The same agent in the form of 0.3. */
export const buildCardOf03 = (baseUrl: string): Record<string, unknown> => ({
  ...listOlderMembers(baseUrl),
  ...buildCommonCard(baseUrl),
  supportsAuthenticatedExtendedCard: false,
});

/**
 * The card for those who do not say their version, as only clients before 1.0 may: that of 1.0 with the members that clients
 * of 0.3 read. Readers of protocol buffers may refuse members that they do not know, so those of 1.0 get their card alone.
 */
export const buildCombinedAgentCard = (baseUrl: string): Record<string, unknown> => ({
  ...listOlderMembers(baseUrl),
  ...buildAgentCard(baseUrl),
});
