import { type AddressPolicy, allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import type { EmulatorAccess } from './access.ts';

/** Bindings of the emulator's Worker, as `local/emulator/runtime.ts` writes them: `toControlEnv` adds what is stood in for. */
export type EmulatorEnv = ControlEnv & {
  /** Own origin, `http://127.0.0.1:9099`. */
  CONTROL_URL: string;
  /** The fixed token of this run. */
  EMULATOR_TOKEN: string;
  /** Proves that the emulator's own program asks. */
  ADMIN_TOKEN: string;
  EMULATOR_ACCESS: DurableObjectNamespace<EmulatorAccess>;
};

/** The tenant that a call is for unless it names another. */
export const DEFAULT_TENANT = 'C00000001';

const composed = new WeakMap<EmulatorEnv, ControlEnv>();

/** What the control Worker gets: a limiter that always agrees, and no reader of PDFs. One for each environment, as settings are kept by it. */
export function toControlEnv(env: EmulatorEnv): ControlEnv {
  const known = composed.get(env);
  if (known !== undefined) return known;
  const made = {
    ...env,
    MANAGEMENT_LIMIT: { limit: async () => ({ success: true }) },
    AUTHORIZATION: { validate: async () => null }, // Never asked: the emulator judges tokens itself.
    PDF_READER: { fetch: async () => new Response(null, { status: 503 }) },
  } as unknown as ControlEnv; // The consoles' bindings are missing: the emulator serves no console.
  composed.set(env, made);
  return made;
}

/** Public addresses and this machine, but for the emulator's own ports. */
export const allowOwnMachine = (env: Record<string, unknown>): AddressPolicy =>
  allowLoopbackExcept(String(env['LOCAL_BLOCKED_PORTS']).split(',').filter(Boolean).map(Number));
