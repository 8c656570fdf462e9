import { DurableObject } from 'cloudflare:workers';
import { admit, type Admission, idleTarget, leave, type TargetState } from '../src/net/target-gate.ts';

const STATE = 'state';
/** An untouched gate deletes itself after its longest memory. */
const FORGET_MS = 3_600_000;

/** The gate in front of one audited host, named by it: all callers together must not hammer it through us (rule F6). */
export class TargetGate extends DurableObject<unknown> {
  async enter(id: string): Promise<Admission> {
    const { admission, state } = admit(this.#read(), id, Date.now());
    this.ctx.storage.kv.put(STATE, state);
    await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
    return admission;
  }

  async leave(id: string): Promise<void> {
    this.ctx.storage.kv.put(STATE, leave(this.#read(), id, Date.now()));
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #read(): TargetState {
    return this.ctx.storage.kv.get<TargetState>(STATE) ?? idleTarget;
  }
}
