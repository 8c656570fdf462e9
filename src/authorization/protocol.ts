import type { Provider } from './provider.ts';
import { creditCapsOf } from './client-access.ts';
import { clientsOf } from './clients.ts';
import { operatorAccess } from './operator-access.ts';
import type { StoreTools } from './rows.ts';
import type { WireAnswer } from './store-protocol.ts';
import { tokenEndpointOf } from './token-endpoint.ts';
import { MACHINE_TOKEN_PREFIX, type ValidToken } from './tokens.ts';

/** Machine clients beside the provider library: their grants, their tokens, and the revocation of those. */
export type MachinePort = {
  /** Answers a token or revocation request that `isMachineRequest` claims. */
  token: (request: { form: URLSearchParams; authorization: string | null }) => Promise<WireAnswer>;
  validate: (token: string, resource: string) => Promise<ValidToken | null> | ValidToken | null;
};

export type ProtocolParts = { tools: StoreTools; provider: Provider; machine?: MachinePort; issuer: string };

/** Longest token that is looked at: ours have about 120 characters. */
const MAX_TOKEN_CHARS = 512;

export type Protocol = ReturnType<typeof protocolOf>;

/**
 * The OAuth protocol over one store. Nothing here guards against two calls at once: the object runs each alone.
 */
export function protocolOf({ tools, provider, machine, issuer }: ProtocolParts) {
  const clients = clientsOf(tools);
  const caps = creditCapsOf(tools);
  const operators = operatorAccess(tools);
  return {
    clients,
    token: tokenEndpointOf({ tools, provider, clients, machine, issuer }),
    validate: async (token: string, resource: string): Promise<ValidToken | null> => {
      if (token.length > MAX_TOKEN_CHARS) return null;
      if (token.startsWith(MACHINE_TOKEN_PREFIX)) return (await machine?.validate(token, resource)) ?? null;
      const valid = await provider.validate(resource, token);
      // An operator whose access has ended has no token, even while its grants are still being ended one by one.
      if (valid?.props.kind === 'operator' && operators.epochOf(valid.userId) === undefined) return null;
      const capMicroUsdc = valid === null ? undefined : caps.get(valid.userId, valid.clientId);
      return valid === null || capMicroUsdc === undefined
        ? valid
        : { ...valid, props: { ...valid.props, capMicroUsdc } };
    },
  };
}
