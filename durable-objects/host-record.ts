import { DurableObject } from 'cloudflare:workers';
import { type HostBook, openHostBook } from '../src/ownership/host-book.ts';
import { type HostProof, judgeProof, type ProofLook } from '../src/ownership/proof.ts';
import type { HostClaimResult, HostListObject, HostRecordObject, LookTurn } from '../src/ownership/protocol.ts';
import { type CountsBook, openCountsBook } from '../src/traffic/edge/counts-book.ts';
import type { Acceptance, HostCountsObject } from '../src/traffic/edge/protocol.ts';
import type { StoredCounts } from '../src/traffic/edge/stored-counts.ts';
import type { SummedBatch } from '../src/traffic/edge/summed-batch.ts';

/**
 * One host with the accounts that claim it and the counts that they send, or the list of hosts of one account: its name says
 * which.
 */
export class HostRecord extends DurableObject<unknown> implements HostRecordObject, HostListObject, HostCountsObject {
  readonly #book: HostBook;
  readonly #counts: CountsBook;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#book = openHostBook(ctx.storage.sql, () => Date.now());
    this.#counts = openCountsBook(ctx.storage.sql, () => Date.now());
  }

  async claim(account: string, host: string): Promise<HostClaimResult> {
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

  /** With everything that the account sent. */
  async drop(account: string): Promise<void> {
    this.#transact((book, counts) => {
      book.drop(account);
      counts.forget(account);
    });
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

  async setCountsToken(account: string, hash: string): Promise<boolean> {
    return this.#transact((book, counts) => {
      const proof = book.proof(account);
      if (proof === undefined || judgeProof(proof, Date.now(), true) !== 'proven') return false;
      counts.setToken(account, hash);
      return true;
    });
  }

  async countsTokenTime(account: string): Promise<number | undefined> {
    return this.#counts.findTokenTime(account);
  }

  async acceptCounts(hash: string, batch: SummedBatch, wasLooked: boolean): Promise<Acceptance> {
    return this.#transact((book, counts): Acceptance => {
      const account = counts.findAccount(hash);
      const proof = account === undefined ? undefined : book.proof(account);
      if (account === undefined || proof === undefined) return { ok: false, reason: 'unknown_token' };
      const state = judgeProof(proof, Date.now(), wasLooked);
      if (state === 'look_due') return { ok: false, reason: state, account };
      if (state === 'ended') return { ok: false, reason: state };
      const counting = counts.accept(account, batch);
      return counting === 'too_many' ? { ok: false, reason: counting } : { ok: true, isNew: counting === 'counted' };
    });
  }

  async readCounts(account: string, fromDay: number, toDay: number): Promise<StoredCounts> {
    return this.#counts.read(account, fromDay, toDay);
  }

  #transact<T>(step: (book: HostBook, counts: CountsBook) => T): T {
    return this.ctx.storage.transactionSync(() => step(this.#book, this.#counts));
  }
}
