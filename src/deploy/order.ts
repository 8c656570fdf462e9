import type { WorkerPlan } from './configuration.ts';

/** A Worker without code that is put where a binding needs one, until the real one takes its place. */
export type StubPlan = { name: string; entrypoints: readonly string[]; compatibilityDate: string };

export type WorkerOrder = { order: readonly WorkerPlan[]; stubs: readonly StubPlan[] };

/**
 * The order in which Workers can be uploaded: each after those that its bindings name. Where they name each other, or
 * one that is not deployed, a stub is put first for what does not exist.
 * @param existing names of scripts that are there
 */
export function sortWorkers(chosen: readonly WorkerPlan[], existing: ReadonlySet<string>): WorkerOrder {
  const there = new Set(existing);
  const stubbed = new Set<string>();
  const waiting = [...chosen];
  const order: WorkerPlan[] = [];
  const listMissing = (plan: WorkerPlan): readonly string[] => [
    ...new Set(plan.services.map(({ service }) => service).filter((name) => name !== plan.name && !there.has(name))),
  ];
  while (waiting.length > 0) {
    const next = waiting.toSorted((a, b) => listMissing(a).length - listMissing(b).length)[0];
    if (next === undefined) break;
    for (const name of listMissing(next)) {
      stubbed.add(name);
      there.add(name);
    }
    there.add(next.name);
    order.push(next);
    waiting.splice(waiting.indexOf(next), 1);
  }
  return { order, stubs: [...stubbed].map((name) => planStub(name, chosen)) };
}

function planStub(name: string, chosen: readonly WorkerPlan[]): StubPlan {
  const named = chosen.flatMap(({ services }) => services.filter(({ service }) => service === name));
  return {
    name,
    entrypoints: [...new Set(named.flatMap(({ entrypoint }) => entrypoint ?? []))],
    compatibilityDate: chosen[0]?.compatibilityDate ?? '2026-10-20',
  };
}

/** The module of a stub: it answers 503, and its entrypoints have no methods. */
export const renderStub = ({ entrypoints }: StubPlan): string =>
  [
    "import { WorkerEntrypoint } from 'cloudflare:workers';",
    ...entrypoints.map((name) => `export class ${name} extends WorkerEntrypoint {}`),
    "export default { fetch: () => new Response('This Worker is not deployed yet.', { status: 503 }) };",
    '',
  ].join('\n');
