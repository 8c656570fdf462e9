import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { reasonRow } from '../../../src/payment/terms/reasons.ts';
import { createChainReader } from '../../../src/payment/chain/viem-chain.ts';
import { isDemonstration } from '../../../src/models/answer/port.ts';
import { howToConfigure } from '../../../src/models/answer/how-to-configure.ts';
import type { RequestScope } from '../bindings/composition.ts';
import type { AppOptions } from '../context.ts';
import { engineOf } from '../bindings/engine.ts';
import { type ProblemInput, problemOfReason } from '../../../src/problems/problem.ts';

const RPC_TIMEOUT_MS = 5_000;
/** By RPC: whether its chain is the one where USDC is money. A deployment has one, and a chain keeps its first block. */
const realBase = new Map<string, boolean>();

/**
 * Why nothing can be measured now, before any payment is looked at: no engine is configured, or one that is no AI model
 * stands where real money flows (rule P8: the chain's first block decides, never a variable).
 */
export async function engineMissing(
  { env, settings }: Pick<RequestScope, 'env' | 'settings'>,
  options: AppOptions,
): Promise<ProblemInput | undefined> {
  const choice = engineOf(env, options);
  if (!choice.ok)
    return problemOfReason('engine_not_configured', reasonRow('engine_not_configured'), {
      detail: choice.detail,
      howToConfigure,
    });
  if (!isDemonstration(choice.engine)) return undefined;
  const isReal = await isRealBase(settings.RPC_URL);
  if (isReal === undefined)
    return problemOfReason('capability_unavailable', reasonRow('capability_unavailable'), {
      detail: 'The chain cannot be read',
    });
  if (!isReal) return undefined;
  const detail = `The ${choice.engine.kind} engine is for demonstrations: it is not sold for real money`;
  return problemOfReason('engine_not_configured', reasonRow('engine_not_configured'), { detail, howToConfigure });
}

/** Undefined: nobody can say now. */
async function isRealBase(rpcUrl: string | undefined): Promise<boolean | undefined> {
  if (rpcUrl === undefined) return undefined;
  const known = realBase.get(rpcUrl);
  if (known !== undefined) return known;
  try {
    const isReal = await createChainReader({ rpcUrl, timeoutMs: RPC_TIMEOUT_MS }).isRealBase();
    realBase.set(rpcUrl, isReal);
    return isReal;
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return undefined;
  }
}
