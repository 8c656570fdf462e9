import type { TrustKeeper } from '../payment/facilitator/trust.ts';

/** How long an isolate goes by what it was last told, in milliseconds: so long a facilitator may lie on. */
const ASK_EVERY_MS = 30_000;

/** Whether the facilitator's word is enough to deliver a sale below 1 USD. */
export type TrustTool = {
  /** True as well when the keeper cannot be asked: the receipt is read then. */
  readsEveryReceipt: () => Promise<boolean>;
  /** Tells that a settlement was found on chain while every receipt is read. */
  foundOnChain: () => Promise<void>;
};

/** What this isolate was last told. */
export type TrustMemory = { isDistrusted: boolean; askedAtMs: number };

export function trustTool(
  keeper: () => TrustKeeper,
  memory: TrustMemory,
  { now, log }: { now: () => number; log: (event: Record<string, unknown>) => void },
): TrustTool {
  return {
    async readsEveryReceipt() {
      if (now() - memory.askedAtMs < ASK_EVERY_MS) return memory.isDistrusted;
      try {
        memory.isDistrusted = await keeper().isDistrusted();
        memory.askedAtMs = now();
        return memory.isDistrusted;
      } catch (error) {
        log({ event: 'facilitator_trust_unknown', error: String(error).slice(0, 200) });
        return true;
      }
    },
    async foundOnChain() {
      try {
        await keeper().noteGoodLook();
      } catch (error) {
        log({ event: 'facilitator_trust_unknown', error: String(error).slice(0, 200) }); // The next one counts.
      }
    },
  };
}
