import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import type { InstanceFacts, InstanceOrder, SearchQuery } from '../src/search/order.ts';
import { refuseMissingInstance } from '../src/management/interfaces/aisearch/refusals.ts';
import { Refusal } from '../src/lib/refusal.ts';
import type { TenantInstances } from '../src/management/core/tenant-object.ts';
import { type AddressPolicy, allowPublicOnly } from '../src/net/address-policy.ts';
import { formatBotUserAgent } from '../src/net/guarded-fetch.ts';
import {
  type AuditAdmission,
  type AuditKind,
  type AuditTarget,
  buildAuditTarget,
} from '../src/rate-limits/target-gate.ts';
import { answerOrder, answerUpload, readDownload, answerSearch } from '../src/search/answer-order.ts';
import { type PdfService, createServicePdfReader } from '../src/search/pdf/reader.ts';
import type { ApiSettings } from '../src/models/core/api-endpoint.ts';
import type { Embedder } from '../src/models/port.ts';
import { type Engines, productionEmbedders } from '../src/models/registry.ts';
import { selectEmbedder } from '../src/models/settings.ts';
import { applyInstanceSettings } from '../src/search/jobs/apply-instance-settings.ts';
import { type ObjectTools, type Parts, createParts } from '../src/search/jobs/parts.ts';
import { computeNextRoundMs, runDueJobs } from '../src/search/jobs/run-due-jobs.ts';
import { rememberClock } from '../src/search/jobs/sync.ts';
import type {
  Download,
  SearchResult,
  InstanceAnswer,
  SearchRefusal,
  SearchCalls,
  UploadedFile,
} from '../src/search/search-object.ts';

/** An alarm that is due at once leaves calls their turn first. */
const MIN_WAIT_MS = 50;

type Env = Record<string, unknown>;

/** Items, chunks and jobs of one AI Search instance, named by its `uid`. Its alarm indexes, crawls and makes vectors. */
export class SearchInstance extends DurableObject<Env> implements SearchCalls {
  /** Undefined until the first call, and after `drop`: an unused name stores nothing. */
  #parts: Parts | undefined;

  /** Hosts that may be crawled: public ones. The local stack allows its own machine as well. */
  protected crawlPolicy(_env: Env): AddressPolicy {
    return allowPublicOnly({ alternatePorts: true });
  }

  /** Engines that EMBEDDING_ENGINE may name. The local stack has one that is no model. */
  protected embedders(): Engines<Embedder, ApiSettings> {
    return productionEmbedders;
  }

  /** What makes vectors; undefined: the instance is searched by keywords alone. */
  protected embedder(env: Env): Embedder | undefined {
    return selectEmbedder(env, this.embedders(), { fetch: (url, init) => fetch(url, init) });
  }

  async configure(instance: InstanceFacts, clockMs?: number): Promise<void> {
    const parts = this.#open();
    rememberClock(parts, clockMs);
    applyInstanceSettings(parts, instance, 'changed');
    await this.#arm();
  }

  async drop(): Promise<void> {
    this.#parts = undefined;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  async search(instance: InstanceFacts, query: SearchQuery): Promise<SearchResult> {
    return this.#answered(instance, (parts) => answerSearch(parts, instance, query));
  }

  async upload(instance: InstanceFacts, file: UploadedFile): Promise<InstanceAnswer> {
    return this.#answered(instance, (parts) => answerUpload(parts, instance, file));
  }

  async ask(order: InstanceOrder): Promise<InstanceAnswer> {
    return this.#answered(order.instance, (parts) => answerOrder(parts, order));
  }

  async download(instance: InstanceFacts, itemId: string): Promise<Download> {
    return this.#answered(instance, async (parts) => readDownload(parts, itemId));
  }

  override async alarm(): Promise<void> {
    const parts = this.#open();
    try {
      if ((await runDueJobs(parts)) === 'gone') await this.drop();
    } catch (error) {
      if (this.#parts === parts) throw error; // Dropped while it worked: its tables are gone.
    } finally {
      await this.#arm(); // An alarm that fails too often is not tried again: the next one is set whatever happened.
    }
  }

  #open(): Parts {
    this.#parts ??= createParts(this.#tools());
    return this.#parts;
  }

  /** A refusal becomes data: classes do not cross RPC. So does that the instance was dropped while it was asked. */
  async #answered<T>(instance: InstanceFacts, work: (parts: Parts) => Promise<T>): Promise<T | SearchRefusal> {
    const parts = this.#open();
    try {
      applyInstanceSettings(parts, instance, 'heard');
      return await work(parts);
    } catch (error) {
      if (this.#parts !== parts) return { ok: false, refusal: refuseMissingInstance().data };
      if (error instanceof Refusal) return { ok: false, refusal: error.data };
      throw error;
    } finally {
      await this.#arm();
    }
  }

  /** Comes back when there is more to do. */
  async #arm(): Promise<void> {
    const dueMs = this.#parts && computeNextRoundMs(this.#parts);
    if (dueMs === undefined) return;
    const atMs = Math.max(dueMs, Date.now() + MIN_WAIT_MS);
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || atMs < setMs) await this.ctx.storage.setAlarm(atMs);
  }

  #tools(): ObjectTools {
    const { sql } = this.ctx.storage;
    const now = (): number => Date.now();
    const log = (line: Record<string, unknown>): void => console.log(JSON.stringify(line));
    const gate = ({ domain }: AuditTarget): Gate =>
      (this.env['TARGET_GATE'] as ObjectNamespace<Gate>).getByName(domain);
    return {
      sql,
      transaction: (work) => this.ctx.storage.transactionSync(work),
      now,
      random: generateRandomHex,
      databaseBytes: () => sql.databaseSize,
      network: {
        fetch: (url, init) => fetch(url, init),
        policy: this.crawlPolicy(this.env),
        now,
        userAgent: formatBotUserAgent(String(this.env['BASE_URL'])),
      },
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      embedder: () => this.embedder(this.env),
      enter: async (host, id) => {
        const target = buildAuditTarget(host);
        const admission = await gate(target).enter(id, 'paid', target);
        return admission.admitted ? undefined : admission.retryAfterS;
      },
      leave: (host, id) => gate(buildAuditTarget(host)).leave(id, buildAuditTarget(host)),
      isWanted: ({ tenant, uid }) =>
        (this.env['RESOURCE_STORE'] as ObjectNamespace<TenantInstances>).getByName(tenant).hasInstance(uid),
      log,
      sync: () => this.ctx.storage.sync(),
      readPdf: (bytes) =>
        createServicePdfReader(this.env['PDF_READER'] as PdfService, this.ctx.id.toString(), log)(bytes),
    };
  }
}

/** Bindings of the same Worker, as far as they are used here. */
type ObjectNamespace<T> = { getByName: (name: string) => T };
type Gate = {
  enter: (id: string, kind: AuditKind, target: AuditTarget) => Promise<AuditAdmission>;
  leave: (id: string, target: AuditTarget) => Promise<void>;
};
