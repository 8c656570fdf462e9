import { PRODUCT, VERSION } from '../lib/product.ts';
import { formatIsoTimestamp, SECOND_MS } from '../lib/time.ts';

/** Whether something was looked at, and what was seen: `undefined` where it could not be looked at. */
export type StatusLook = {
  lookedAtMs: number;
  sales: { isOpen: boolean; networks: readonly string[] };
  /** Whether visibility can be measured, and whether by what is no AI model. */
  engine: { isConfigured: boolean; demonstration?: 'simulated' | 'recorded' | undefined };
  /** The newest block that the node of the first network answered. */
  chain: { block: string; atMs: number } | undefined;
  /** The HTTP status of its facilitator's answer. */
  facilitator: number | undefined;
  queues: readonly { name: string; messages: number | undefined }[];
};

/** `not_read`: it did not answer in time, or could not be asked. That alone does not say that it is down. */
export type PartState = 'open' | 'closed' | 'ready' | 'not_configured' | 'answers' | 'refuses' | 'behind' | 'not_read';

export type StatusPart = { name: string; state: PartState; detail: string };

/** What the service knows of itself at one moment. There is no history in it, and no share of time. */
export type ServiceStatus = {
  service: string;
  version: string;
  looked_at: string;
  parts: readonly StatusPart[];
  queues: readonly { name: string; waiting: number | null }[];
  note: string;
};

/** A chain makes a block every two seconds: one so old means that the node is behind. */
const MAX_BLOCK_AGE_S = 120;
/** Below it an answer of the facilitator shows that it works. */
const SERVER_ERROR = 500;

const NOTE =
  'What one look found. Nothing is measured over time, so no availability is claimed. "not_read" means that it could not be looked up, not that it is down.';

/** What a look found, as it is published. */
export const describeStatus = (look: StatusLook): ServiceStatus => ({
  service: PRODUCT,
  version: VERSION,
  looked_at: formatIsoTimestamp(look.lookedAtMs),
  parts: [describeSales(look), describeEngine(look), describeChain(look), describeFacilitator(look)],
  queues: look.queues.map(({ name, messages }) => ({ name, waiting: messages ?? null })),
  note: NOTE,
});

const describeSales = ({ sales: { isOpen, networks } }: StatusLook): StatusPart => ({
  name: 'sales',
  state: isOpen ? 'open' : 'closed',
  detail: isOpen ? `Calls are sold on ${networks.join(', ')}` : 'Nothing is sold now; what was sold stays readable',
});

function describeEngine({ engine: { isConfigured, demonstration } }: StatusLook): StatusPart {
  if (!isConfigured)
    return { name: 'answer engine', state: 'not_configured', detail: 'Visibility is not measured here; audits are' };
  return {
    name: 'answer engine',
    state: 'ready',
    detail:
      demonstration === undefined
        ? 'An answer engine is configured; it is not asked for this page'
        : `The answer engine is ${demonstration}: it is no AI model`,
  };
}

function describeChain({ chain, lookedAtMs, sales }: StatusLook): StatusPart {
  const name = 'chain';
  const [network = 'the chain'] = sales.networks;
  if (chain === undefined) return { name, state: 'not_read', detail: 'The node did not answer in time' };
  const ageS = Math.max(0, Math.round((lookedAtMs - chain.atMs) / SECOND_MS));
  const detail = `Block ${chain.block} of ${network}, ${ageS} s old`;
  return { name, state: ageS > MAX_BLOCK_AGE_S ? 'behind' : 'answers', detail };
}

function describeFacilitator({ facilitator }: StatusLook): StatusPart {
  const name = 'facilitator';
  if (facilitator === undefined) return { name, state: 'not_read', detail: 'It did not answer in time' };
  const state = facilitator < SERVER_ERROR ? 'answers' : 'refuses';
  return { name, state, detail: `Its last answer was ${facilitator}` };
}
