import { DurableObject } from 'cloudflare:workers';
import { type HostBook, openHostBook } from '../src/ownership/host-book.ts';
import type { HostProof, ProofLook } from '../src/ownership/proof.ts';
import type { ClaimResult, HostListObject, HostRecordObject, LookTurn } from '../src/ownership/protocol.ts';

/** One host and the accounts that claim it, or the list of hosts of one account: its name says which. */
export class HostRecord extends DurableObject<unknown> implements HostRecordObject, HostListObject {
  readonly #book: HostBook;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#book = openHostBook(ctx.storage.sql, () => Date.now());
  }

  async claim(account: string, host: string): Promise<ClaimResult> {
    return this.#transact((book) => book.claim(account, host));
  }

  async proof(account: string): Promise<HostProof | undefined> {
    return this.#book.proof(account);
  }

  async takeLook(account: string): Promise<LookTurn> {
    return this.#transact((book) => book.takeLook(account));
  }

  async recordLook(account: string, value: string, look: ProofLook): Promise<HostProof | undefined> {
    return this.#transact((book) => book.recordLook(account, value, look));
  }

  async drop(account: string): Promise<void> {
    this.#transact((book) => book.drop(account));
  }

  async hosts(): Promise<readonly string[]> {
    return this.#book.hosts();
  }

  async addHost(host: string): Promise<boolean> {
    return this.#transact((book) => book.addHost(host));
  }

  async removeHost(host: string): Promise<void> {
    this.#transact((book) => book.removeHost(host));
  }

  #transact<T>(step: (book: HostBook) => T): T {
    return this.ctx.storage.transactionSync(() => step(this.#book));
  }
}
