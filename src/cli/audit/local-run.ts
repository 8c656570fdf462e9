import { catalog } from '../../capabilities/catalog.ts';
import type { WorkOutcome } from '../../capabilities/capability.ts';
import type { Reportable } from '../../report/reportable.ts';
import { EXIT } from '../core/exit.ts';
import { localTools } from './local-work.ts';
import { progressBar } from './progress.ts';
import { safeLine } from '../core/safe-text.ts';
import { usageError } from '../core/usage-error.ts';

export type LocalResult = Reportable & { capability: string } & Record<string, unknown>;
export type LocalRun =
  | { ok: true; result: LocalResult; outcome: WorkOutcome & { ok: true } }
  | { ok: false; status: number };

/**
 * Does the work of a capability on this machine, free: the same code that the paid route runs, with its body.
 * Says on standard error why there is no result.
 */
export async function runLocally(capability: string, body: Readonly<Record<string, unknown>>): Promise<LocalRun> {
  const row = catalog.find(({ name }) => name === capability);
  if (!row) return { ok: false, status: usageError(`No capability ${safeLine(capability)}: ${names().join(', ')}.`) };
  if (!Object.hasOwn(row.body.shape, 'url'))
    return { ok: false, status: usageError(`${capability} is not done on this machine: buy it from a service.`) };
  const input = row.body.safeParse(body);
  if (!input.success) {
    const [issue] = input.error.issues;
    return {
      ok: false,
      status: usageError(safeLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)),
    };
  }
  const bar = progressBar(process.stderr);
  const outcome = await row.run(input.data, await localTools(bar.step));
  bar.end();
  if (!outcome.ok) {
    process.stderr.write(`${outcome.reason}: ${safeLine(outcome.detail)}\n`);
    return { ok: false, status: EXIT.unreachable };
  }
  const { url, competitor } = input.data as { url: string; competitor?: string }; // Rows without an engine have a url.
  const named = { capability, url, ...(competitor === undefined ? {} : { competitor }) };
  return { ok: true, outcome, result: { ...named, ...outcome.result, warnings: outcome.warnings } };
}

const names = (): readonly string[] =>
  catalog.filter(({ body }) => Object.hasOwn(body.shape, 'url')).map(({ name }) => name);
