import { bodyOf } from '../core/conventions/body.ts';
import { accepted } from '../core/conventions/outcome.ts';
import { pathOf, queryOf } from '../core/conventions/parameters.ts';
import { type Engine, execute } from '../core/engine/execute.ts';
import type { Answer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { EntryOrder } from '../log-store/order.ts';
import { refuse, type RefusalData } from '../../lib/refusal.ts';
import type { MethodRow } from '../core/table/method-row.ts';
import { methods } from '../core/table/methods.ts';
import { schemasOf } from '../core/table/schemas.ts';
import type { SeedCall } from './bodies.ts';
import { enrolled } from './enrolments.ts';
import { emulatorCaller } from './made-up.ts';

/** Makes each call in turn, every one by itself: what one comes to does not stop the next. */
export function makeCalls(calls: readonly SeedCall[], engine: Engine): readonly Answer[] {
  return calls.map((sent) => {
    const made = enrolled(sent, engine);
    if (made !== undefined) return made;
    const judged = seedCallOf(sent, engine.tenant);
    if ('refusal' in judged) return { ok: false, refusal: judged.refusal };
    return execute(judged.call, { ...engine, hand: (order) => requireUnneeded(order, sent.method) });
  });
}

/**
 * A seed is made by the tenant's resources alone. That buckets are there, the store of entries hears with the first entry.
 * @throws Refusal for what needs the store of log entries and spans
 */
function requireUnneeded(order: EntryOrder, method: string): void {
  if (order.do === 'buckets' && order.buckets.every(({ isGone }) => isGone !== true)) return;
  throw refuse.failedPrecondition(
    `${method} works on log entries or spans, which a seed has none of: call it by itself`,
  );
}

type Refused = { refusal: RefusalData };

/** The call that a row of a seed asks for, judged by the same rules as one that comes by HTTP; whose names it has is not. */
export function seedCallOf(
  { method, params, body }: SeedCall,
  tenant: Tenant,
): { row: MethodRow; call: Call } | Refused {
  const row = methods.find(({ id }) => id === method);
  if (row === undefined) return { refusal: refuse.invalidInput('method').data };
  const { inPath, pairs } = split(params, row);
  const missing = missingParameter(inPath, row);
  if (missing !== undefined) return { refusal: refuse.required(missing).data };
  const path = pathOf(inPath, row);
  if (!path.ok) return path;
  const query = queryOf(pairs, row);
  if (!query.ok) return query;
  // AI Search has no schemas in the table: its handlers judge what was sent.
  const judged =
    row.interface === 'aisearch'
      ? accepted(body)
      : bodyOf({ content: JSON.stringify(body) }, row, schemasOf(row.interface, row.version));
  if (!judged.ok) return judged;
  const caller = emulatorCaller(tenant);
  return { row, call: { method, path: path.value, query: query.value, body: judged.value, caller } };
}

/** Parameters of the path, and the others as the pairs that a query would have. */
function split(params: SeedCall['params'], row: MethodRow) {
  const entries = Object.entries(params).map(([name, value]) => [name, [value].flat().map(String)] as const);
  const isInPath = (name: string): boolean =>
    Object.hasOwn(row.parameters, name) && row.parameters[name]?.in === 'path';
  return {
    inPath: Object.fromEntries(
      entries.filter(([name]) => isInPath(name)).map(([name, values]) => [name, values.join(',')]),
    ),
    pairs: entries
      .filter(([name]) => !isInPath(name))
      .flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  };
}

const missingParameter = (path: Record<string, string>, row: MethodRow): string | undefined =>
  Object.entries(row.parameters).find(([name, { in: where }]) => where === 'path' && !Object.hasOwn(path, name))?.[0];
