import { EntryStore as Entries } from '../durable-objects/entry-store.ts';
import { SearchInstance as Search } from '../durable-objects/search-instance.ts';
import { createEmulatorHandler } from './emulator/worker/handler.ts';
import { allowOwnMachine } from './emulator/worker/environment.ts';
import { localEmbedders } from '../src/models/registry-local.ts';

export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { RateCounter } from '../durable-objects/rate-counter.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { EmulatorAccess } from './emulator/worker/access.ts';
export { PushDelivery } from './emulator/worker/push-delivery.ts';
export { ResourceStore } from './emulator/worker/stores.ts';
export { TenantRegistry } from './emulator/worker/stores.ts';

/** The emulator that asks for a token. */
export default createEmulatorHandler('token');

/**
 * The emulator that takes any token or none (`--no-auth`). Which of the two answers is decided by where the socket leads, and
 * by no variable.
 */
export const open = createEmulatorHandler('open');

/** Sinks may send to this machine. */
export class EntryStore extends Entries {
  protected override pushPolicy(env: Record<string, unknown>) {
    return allowOwnMachine(env);
  }
}

/** So may crawls read it; and vectors may come of an embedder that is no AI. */
export class SearchInstance extends Search {
  protected override crawlPolicy(env: Record<string, unknown>) {
    return allowOwnMachine(env);
  }

  protected override embedders() {
    return localEmbedders;
  }
}
