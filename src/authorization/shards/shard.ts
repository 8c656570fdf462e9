import type { AuthenticatedClient, TokenOutcome, TokenRequest } from '../oauth/store-protocol.ts';
import { CLIENT_ROWS, parseNamedGrant } from '../oauth/kv-facade.ts';
import { createOAuthProtocol, createTokenJudge, isMachineRequest, type MachinePort } from '../oauth/protocol.ts';
import { createProvider, type ProviderOptions } from '../oauth/provider.ts';
import type { KeyValueRow, Rows, StoreTools } from '../oauth/rows.ts';
import { ACCESS_TOKEN_S, type ValidToken } from '../oauth/tokens.ts';
import { createCreditCaps } from '../people/client-access.ts';
import { createGrantable } from '../people/grantable.ts';
import { createMachineGrants } from '../service-accounts/machine.ts';
import { findMachineCredential } from '../service-accounts/last-uses.ts';
import { createMachineTokens, type MachineSettings, type MachineToken } from '../service-accounts/shapes.ts';
import { createShardRows, type RootFacts } from './facts.ts';
import type { NumberedNotice } from './notices.ts';

/** A grant that the root hands to a shard, and what the shard must know of it besides. */
export type AdoptedGrant = {
  row: KeyValueRow<unknown>;
  accountId: string;
  /** `number` as of a notice: older ones may still be on their way. */
  cap?: { clientId: string; capMicroUsdc: number; number: number };
};

/** What became of a token request, and what the root has to hear: a grant that is over here, a client whose life goes on. */
export type ShardOutcome = {
  outcome: TokenOutcome;
  endedGrant?: { accountId: string; grantId: string };
  usedClient?: string;
  /** The machine client, or the service account and key, that got a token by it. */
  usedMachine?: string;
};

/** The methods of an object that holds a shard. Tokens come without their seal. */
export type ShardObject = {
  /** Keeps a new grant with its code. */
  adoptGrant: (grant: AdoptedGrant) => Promise<void>;
  /** Answers the token endpoint for a grant or token of this shard, or makes a new machine token here. */
  shardToken: (request: TokenRequest, facts: RootFacts) => Promise<ShardOutcome>;
  /** Looks at a client's assertion and uses it up: assertions of one id all come to one shard. */
  shardAuthenticate: (request: TokenRequest, facts: RootFacts) => Promise<TokenOutcome | AuthenticatedClient | null>;
  shardValidate: (token: string, resource: string) => Promise<ValidToken | null>;
  /** Carries out what the root decided; again is no harm. */
  heed: (notices: readonly NumberedNotice[]) => Promise<void>;
};

export type ShardParts = Pick<ProviderOptions, 'issuer' | 'resources' | 'onRefusal'> & {
  tools: StoreTools;
  machine: MachineSettings;
};

const ENDED = 'own:shard:ended:';
/** Tokens live an hour. One may still be made from what the root said a moment before. */
const ENDED_MS = (ACCESS_TOKEN_S + 600) * 1000;
const CAP_NUMBER = 'own:shard:cap:';
/** What is on its way arrives long before. */
const CAP_NUMBER_MS = 600_000;

/**
 * One shard of grants and tokens. It asks no other object: what it needs of the root comes with a request, and what the root ends
 * comes as a notice. Nothing here guards against two calls at once: the object runs each alone.
 */
export function createShard(parts: ShardParts): ShardObject {
  const { tools } = parts;
  const { rows, now } = tools;
  const provider = createProvider({ ...parts, grantable: () => [] });
  const caps = createCreditCaps(tools);
  const machine = createMachineJudge(tools);
  // Whether an operator still is one, the root is asked besides: see the router.
  const validate = createTokenJudge({ tools, provider, machine, isOperator: () => true });
  /** What a later decision has replaced changes nothing, when it comes late. */
  const setCap = ({ accountId, clientId, capMicroUsdc, number }: CapDecision): void => {
    const key = `${CAP_NUMBER}${accountId}:${clientId}`;
    if (number < (rows.get<number>(key) ?? 0)) return;
    rows.put(key, number, now() + CAP_NUMBER_MS);
    caps.set(accountId, clientId, capMicroUsdc);
  };
  const carryOut = async (notice: NumberedNotice): Promise<void> => {
    if (notice.is === 'grant_ended') return provider.revokeGrant(notice.grantId, notice.accountId);
    if (notice.is === 'cap') return setCap(notice);
    rows.put(ENDED + notice.id, true, now() + ENDED_MS);
  };
  return {
    adoptGrant: async ({ row, accountId, cap }) => {
      rows.put(row.key, row.value, row.expiresAtMs ?? undefined);
      if (cap !== undefined) setCap({ accountId, ...cap });
    },
    shardToken: (request, facts) => answerToken(parts, request, facts),
    shardAuthenticate: (request, facts) => createShardProtocol(parts, facts).protocol.authenticate(request),
    shardValidate: validate,
    heed: async (notices) => {
      for (const notice of notices) await carryOut(notice);
    },
  };
}

type CapDecision = Omit<Extract<NumberedNotice, { is: 'cap' }>, 'is'>;

async function answerToken(parts: ShardParts, request: TokenRequest, facts: RootFacts): Promise<ShardOutcome> {
  const { protocol, usedClient, usedMachine } = createShardProtocol(parts, facts);
  const outcome = await protocol.token(request);
  const [used, machine] = [usedClient(), usedMachine()];
  const endedGrant = findEndedGrant(parts.tools.rows, new URLSearchParams(request.body));
  return {
    outcome,
    ...(endedGrant === undefined ? {} : { endedGrant }),
    ...(used === undefined ? {} : { usedClient: used }),
    ...(machine === undefined ? {} : { usedMachine: machine }),
  };
}

/**
 * The grant that a request is about, where it is over: now or before, since the root may have missed it. The seal vouches
 * for its name. No seal does for what a request of a machine client names besides, and that ends nothing.
 */
function findEndedGrant(rows: Rows, form: URLSearchParams): ShardOutcome['endedGrant'] {
  const { accountId, grantId, key } = parseNamedGrant(form);
  const isOver = grantId !== '' && !isMachineRequest(form) && rows.get(key) === undefined;
  return isOver ? { accountId, grantId } : undefined;
}

/** The protocol of the one store of before, over the rows of this shard and what the root says of the parties. */
function createShardProtocol({ tools, machine, ...parts }: ShardParts, facts: RootFacts) {
  let used: string | undefined;
  let usedMachine: string | undefined;
  const laid = createShardRows(tools.rows, facts, (key) => {
    if (key.startsWith(CLIENT_ROWS)) used = key.slice(CLIENT_ROWS.length);
  });
  const rows: Rows = {
    ...laid,
    put: (key, value, expiresAtMs) => {
      usedMachine = findMachineCredential(key, value) ?? usedMachine;
      laid.put(key, value, expiresAtMs);
    },
  };
  const own = { ...tools, rows };
  const provider = createProvider({ ...parts, tools: own, grantable: createGrantable(own) });
  const protocol = createOAuthProtocol({
    tools: own,
    provider,
    machine: createMachineGrants(own, machine),
    issuer: parts.issuer,
  });
  return { protocol, usedClient: () => used, usedMachine: () => usedMachine };
}

/** Judges machine tokens by what notices said of their holders. */
function createMachineJudge(tools: StoreTools): Pick<MachinePort, 'validate'> {
  const isOver = (id: string): boolean => tools.rows.get(ENDED + id) !== undefined;
  const lives = ({ client, account, key }: MachineToken): boolean =>
    ![client, account, ...(key === undefined ? [] : [`${account}:${key}`])].some(isOver);
  return createMachineTokens(tools, lives);
}
