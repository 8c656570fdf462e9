import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../src/lib/digest.ts';
import {
  type CollectedRun,
  type RunAnswer,
  type PromptStart,
  collect,
  MAX_PROMPT_DEATHS,
  mergeAnswers,
  buildMessages,
  openRun,
  computeRunProgress,
  type PromptMessage,
  RUN_KEPT_MS,
  type RunHead,
  type RunProgress,
  type RunRequest,
  classifyRun,
  getPromptTotal,
  isRefusedRun,
  isTextWanted,
  type VisibilityRunObject,
} from '../src/visibility/run/run.ts';
import { buildRunRecord, chooseRegister, type RunRegister } from '../src/visibility/run/run-register.ts';

type RunEnv = {
  PROMPTS: Queue<PromptMessage>;
  PROMPTS_2?: Queue<PromptMessage>;
  PROMPTS_3?: Queue<PromptMessage>;
  PROMPTS_4?: Queue<PromptMessage>;
  OPERATIONS_REGISTER: DurableObjectNamespace;
};

const HEAD = 'head';
const ANSWER = 'answer:';
const BEGUN = 'begun:';
/** Longest time that one question for progress waits. */
const WAIT_MS = 10_000;
const RUN_ID_BYTES = 16;
/** Repeats of the same payment that may wait for the run at the same time. */
const MAX_FOLLOWERS = 16;

/**
 * One measurement: collects the answers to its prompts, from any sender and any number of times, and ends when all have
 * arrived or at its deadline. Its name is a secret digest of payment and request, so a repeat reaches the same object;
 * the id it gives out is random (rule P11).
 */
export class VisibilityRun extends DurableObject<RunEnv> implements VisibilityRunObject {
  readonly #waiting = new Set<() => void>();
  #sending: Promise<void> | undefined;
  /** What became of each prompt; read from the storage once, since everybody who waits asks for it with every answer. */
  #outcomes: Map<number, Pick<RunAnswer, 'status'>> | undefined;

  async start(object: string, request: RunRequest): Promise<string> {
    const before = this.#endIfDue(this.#head());
    if (before && !this.#isSpent(before)) {
      if (!before.sent && before.endedAtMs === null) await this.#send(object, before, request);
      return before.runId;
    }
    await this.ctx.storage.deleteAll();
    this.#outcomes = undefined;
    const head: RunHead = { ...openRun(request, generateRunId(), Date.now()), object };
    this.ctx.storage.kv.put(HEAD, head);
    this.#tell(head);
    await this.ctx.storage.setAlarm(head.deadlineMs);
    await this.#send(object, head, request);
    return head.runId;
  }

  async record(runId: string, kept: RunAnswer): Promise<boolean> {
    const head = this.#endIfDue(this.#head());
    if (head?.runId !== runId || head.endedAtMs !== null || !isIndex(kept.index, head)) return false;
    const next = mergeAnswers(this.#answer(kept.index), kept);
    if (next === undefined) return false;
    this.ctx.storage.kv.put(buildAnswerKey(kept.index), packAnswer(next));
    const outcomes = this.#standing().set(kept.index, { status: next.status });
    if (outcomes.size === getPromptTotal(head)) await this.#end(head);
    else if (isRefusedRun(outcomes.values())) await this.#end({ ...head, isStopped: true });
    this.#wake();
    return true;
  }

  async begin(runId: string, index: number): Promise<PromptStart> {
    const head = this.#endIfDue(this.#head());
    const isOpen = head?.runId === runId && head.endedAtMs === null && isIndex(index, head);
    if (!isOpen || !isTextWanted(this.#answer(index))) return 'unwanted';
    const begun = this.#begun(index);
    if (begun >= MAX_PROMPT_DEATHS) {
      await this.record(runId, { index, status: 'failed', reason: 'not_delivered' });
      return 'gave_up';
    }
    this.ctx.storage.kv.put(buildStartKey(index), begun + 1);
    return 'ask';
  }

  async putBack(runId: string, index: number): Promise<void> {
    if (this.#head()?.runId === runId)
      this.ctx.storage.kv.put(buildStartKey(index), Math.max(0, this.#begun(index) - 1));
  }

  async deaths(runId: string, index: number): Promise<number> {
    return this.#head()?.runId === runId ? this.#begun(index) : 0;
  }

  async next(runId: string | null, seen: number): Promise<RunProgress | undefined> {
    const progress = this.#progress(runId);
    if (!progress || progress.ended || progress.done > seen) return progress;
    if (runId === null && this.#waiting.size >= MAX_FOLLOWERS) return undefined;
    await this.#change();
    return this.#progress(runId);
  }

  async collected(runId: string): Promise<CollectedRun | undefined> {
    const head = this.#endIfDue(this.#head());
    if (head?.runId !== runId || head.endedAtMs === null) return undefined;
    return collect(head, this.#answers(), head.endedAtMs);
  }

  override async alarm(): Promise<void> {
    const head = this.#head();
    if (!head) return;
    const nowMs = Date.now();
    if (head.endedAtMs === null && nowMs < head.deadlineMs) return this.ctx.storage.setAlarm(head.deadlineMs);
    if (head.endedAtMs === null) {
      await this.#end(head);
      return this.#wake();
    }
    const keptUntilMs = head.endedAtMs + RUN_KEPT_MS;
    if (nowMs < keptUntilMs) return this.ctx.storage.setAlarm(keptUntilMs);
    await this.ctx.storage.deleteAll();
  }

  #head(): RunHead | undefined {
    return this.ctx.storage.kv.get<RunHead>(HEAD);
  }

  #answer(index: number): RunAnswer | undefined {
    const found = this.ctx.storage.kv.get<PackedAnswer>(buildAnswerKey(index));
    return found && unpackAnswer(found);
  }

  /** How often the engine was asked for this prompt without a word of what became of it. */
  #begun(index: number): number {
    return this.ctx.storage.kv.get<number>(buildStartKey(index)) ?? 0;
  }

  /** Prompts that the engine was asked; what a consumer put back was not answered, and costs nothing. */
  #countAsked(): number {
    return Array.from(this.ctx.storage.kv.list<number>({ prefix: BEGUN })).filter(([, times]) => times > 0).length;
  }

  #answers(): readonly RunAnswer[] {
    return Array.from(this.ctx.storage.kv.list<PackedAnswer>({ prefix: ANSWER }), ([, found]) => unpackAnswer(found));
  }

  #standing(): Map<number, Pick<RunAnswer, 'status'>> {
    return (this.#outcomes ??= new Map(this.#answers().map(({ index, status }) => [index, { status }])));
  }

  /** A run that ended without enough answers measured nothing: the same payment may start another. */
  #isSpent(head: RunHead): boolean {
    return (
      head.endedAtMs !== null && classifyRun([...this.#standing().values()], getPromptTotal(head)) === 'incomplete'
    );
  }

  #progress(runId: string | null): RunProgress | undefined {
    const head = this.#endIfDue(this.#head());
    if (!head || (runId !== null && head.runId !== runId)) return undefined;
    return computeRunProgress([...this.#standing().values()], getPromptTotal(head), head.endedAtMs !== null);
  }

  /** An alarm may be late; the deadline is not. */
  #endIfDue(head: RunHead | undefined): RunHead | undefined {
    if (!head || head.endedAtMs !== null || Date.now() < head.deadlineMs) return head;
    const ended = { ...head, endedAtMs: head.deadlineMs };
    this.ctx.storage.kv.put(HEAD, ended);
    this.#tell(ended);
    this.#wake();
    return ended;
  }

  async #end(head: RunHead): Promise<void> {
    const endedAtMs = Math.min(Date.now(), head.deadlineMs);
    this.ctx.storage.kv.put(HEAD, { ...head, endedAtMs });
    this.#tell({ ...head, endedAtMs });
    await this.ctx.storage.setAlarm(endedAtMs + RUN_KEPT_MS);
  }

  /** The operator's register hears of the run on the side: nothing waits for it, and nothing fails with it. */
  #tell(head: RunHead): void {
    if (head.object === undefined) return;
    const record = buildRunRecord(head.object, head, [...this.#standing().values()], this.#countAsked());
    const report = async (): Promise<void> => {
      try {
        const register = this.env.OPERATIONS_REGISTER.getByName(chooseRegister(record.runId));
        await (register as unknown as RunRegister).run(record); // The class implements it.
      } catch (error) {
        console.error(JSON.stringify({ event: 'run_not_registered', name: error instanceof Error ? error.name : '' }));
      }
    };
    this.ctx.waitUntil(report());
  }

  /** Two that start the run at the same time send its prompts once. */
  async #send(object: string, head: RunHead, request: RunRequest): Promise<void> {
    this.#sending ??= this.#sendAll(object, head, request).finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /** Sent twice does no harm, not sent at all would: so it is remembered only afterwards. */
  async #sendAll(object: string, head: RunHead, request: RunRequest): Promise<void> {
    await this.#queue(head.lane).sendBatch(buildMessages(object, head, request).map((body) => ({ body })));
    const now = this.#head();
    if (now?.runId === head.runId) this.ctx.storage.kv.put(HEAD, { ...now, sent: true });
  }

  #queue(lane = 0): Queue<PromptMessage> {
    const { PROMPTS: first, PROMPTS_2: second, PROMPTS_3: third, PROMPTS_4: fourth } = this.env;
    return [first, second, third, fourth][lane] ?? first;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, WAIT_MS);
      this.#waiting.add(done);
    });
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }
}

/** As it is stored: UTF-8, because one character beyond Latin-1 would make the storage write two bytes for every one. */
type Packed<Answer> = Answer extends { text: string } ? Omit<Answer, 'text'> & { text: Uint8Array } : Answer;
type PackedAnswer = Packed<RunAnswer>;

const packAnswer = (kept: RunAnswer): PackedAnswer =>
  kept.status === 'failed' ? kept : { ...kept, text: new TextEncoder().encode(kept.text) };
const unpackAnswer = (kept: PackedAnswer): RunAnswer =>
  kept.status === 'failed'
    ? kept
    : { ...kept, text: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(kept.text) };

const buildAnswerKey = (index: number): string => `${ANSWER}${String(index).padStart(2, '0')}`;
const buildStartKey = (index: number): string => `${BEGUN}${index}`;
const isIndex = (index: number, head: RunHead): boolean =>
  Number.isInteger(index) && index >= 0 && index < getPromptTotal(head);

const generateRunId = (): string => generateRandomHex(RUN_ID_BYTES);
