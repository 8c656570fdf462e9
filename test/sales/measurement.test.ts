import { expect, test, vi } from 'vitest';
import { createMeasurer } from '../../src/sales/measurement.ts';
import type { PanelEngine } from '../../src/models/panel.ts';
import type { RunProgress, RunRequest, VisibilityRunObject } from '../../src/visibility/run/run.ts';

const TOTAL = 30;

/** A run whose answers come when the test says so; `asked` counts the questions for its progress. */
function createRun() {
  let done = 0;
  let asked = 0;
  let waiting: (() => void)[] = [];
  const look = (): RunProgress => ({
    done,
    answered: done,
    refused: 0,
    failed: 0,
    total: TOTAL,
    ended: done === TOTAL,
  });
  const next = async (_runId: string | null, seen: number): Promise<RunProgress> => {
    asked += 1;
    if (done <= seen && done < TOTAL) await new Promise<void>((resolve) => waiting.push(resolve));
    return look();
  };
  return {
    object: { next } as unknown as VisibilityRunObject,
    asked: () => asked,
    waiting: () => waiting.length,
    answer: () => {
      done += 1;
      for (const wake of waiting) wake();
      waiting = [];
    },
  };
}

const engine = (name: string) => ({
  name,
  kind: 'simulated' as const,
  model: 'm',
  usdPerRun: 0,
  webSearch: false,
  answer: () => Promise.reject(new Error('no request was expected')),
});

const follow = (runs: Readonly<Record<string, ReturnType<typeof createRun>>>) =>
  createMeasurer('object', {
    open: (name) => {
      const run = runs[name.split('/')[1] ?? ''];
      if (run === undefined) throw new Error(`no run of the name ${name}`);
      return run.object;
    },
    settings: { VISIBILITY_RUN_S: 60, ANSWER_TIMEOUT_S: 10 },
    engines: Object.keys(runs).map(engine),
    capability: 'visibility_panel_2',
  }).follow;

test('a run that is slower than the other is asked once, however often the other changes', async () => {
  const [fast, slow] = [createRun(), createRun()];
  const ask = follow({ fast, slow });
  expect((await ask(-1))?.map(({ done }) => done)).toEqual([0, 0]);
  for (let step = 1; step <= TOTAL; step += 1) {
    const change = ask(step - 1);
    fast.answer();
    expect((await change)?.map(({ done }) => done)).toEqual([step, 0]);
  }
  expect(slow.waiting()).toBe(1);
  expect(slow.asked()).toBe(2);
  expect(fast.asked()).toBeLessThanOrEqual(TOTAL + 2);
  const last = ask(TOTAL);
  slow.answer();
  expect((await last)?.map(({ done }) => done)).toEqual([TOTAL, 1]);
});

test('a run that cannot be asked any more fails for who waits for it', async () => {
  const [one, other] = [createRun(), createRun()];
  const ask = follow({ one, other });
  await ask(-1);
  Object.assign(other.object, { next: () => Promise.reject(new Error('gone')) });
  await expect(ask(0)).rejects.toThrow('gone');
});

test('each configured engine has a queue of its own, and a panel never asks two by one', async () => {
  const lanesOf = async (names: readonly string[], all = names): Promise<readonly (number | undefined)[]> => {
    const lanes: (number | undefined)[] = [];
    const start = async (_object: string, { lane }: RunRequest): Promise<string> => {
      lanes.push(lane);
      throw new Error('the test has seen enough');
    };
    const listEngines = (some: readonly string[]): readonly PanelEngine[] =>
      some.map((name) => ({ name, kind: 'simulated', model: name }) as unknown as PanelEngine);
    const [engines, configured] = [listEngines(names), listEngines(all)];
    const settings = { VISIBILITY_RUN_S: 60, ANSWER_TIMEOUT_S: 10 };
    const open = (): VisibilityRunObject => ({ start }) as unknown as VisibilityRunObject;
    vi.useFakeTimers();
    const asked = { niche: 'n', promptSet: { id: 'v1', sha256: '' }, prompts: [] };
    const failed = createMeasurer('object', { open, settings, engines, configured, capability: 'row' })
      .measure(asked, () => {})
      .catch(() => 'failed');
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(await failed).toBe('failed');
    return [...new Set(lanes)];
  };
  expect(await lanesOf(['one'])).toEqual([undefined]);
  expect(await lanesOf(['one', 'two', 'three', 'four'])).toEqual([undefined, 1, 2, 3]);
  // It is its own in every order; of two that share one, the second takes the next that is free.
  const five = ['one', 'two', 'three', 'four', 'five'];
  expect(await lanesOf(['two'], five)).toEqual([1]);
  expect(await lanesOf(['two', 'one'], five)).toEqual([1, undefined]);
  expect(await lanesOf(['one', 'five'], five)).toEqual([undefined, 1]);
});
