import { judge } from './judge.ts';
import { append } from './edits/all.ts';
import { changeBlock, type Change } from './edits/blocks.ts';
import { type Edit, spliced } from './edits/splice.ts';
import { hasErrors, type Problem } from './problem.ts';
import { entryAt } from './values.ts';
import { yamlScalar } from './yaml-scalar.ts';

const KEY = 'externalSeedHost';

export type Seeded = { ok: true; text: string; edits: readonly Edit[] } | { ok: false; problems: readonly Problem[] };

/**
 * A copy of a 1.3 file with `cassandra.externalSeedHost`, for the time in which old and new nodes join one ring. The file
 * itself stays without it.
 * @param host address of a node of the old ring
 */
export function withSeedHost(text: string, host: string): Seeded {
  const { report, overrides } = judge(text, {});
  if (overrides === undefined || hasErrors(report.problems)) return { ok: false, problems: report.problems };
  const raw = yamlScalar(host);
  const entry = overrides.entries.get('cassandra');
  const has = entryAt(overrides, 'cassandra', KEY) !== undefined;
  const add = [{ key: KEY, raw }];
  const change: Change = has
    ? { remove: new Set(), add: [], replace: new Map([[KEY, raw]]), reason: 'joins the old ring' }
    : { remove: new Set(), add, reason: 'joins the old ring' };
  if (entry === undefined) return done(text, [append(overrides, [{ key: 'cassandra', add }], [])]);
  const { edits, problems } = changeBlock(overrides.source, entry, change);
  if (hasErrors(problems)) return { ok: false, problems };
  return done(text, edits);
}

const done = (text: string, edits: readonly Edit[]): Seeded => ({ ok: true, text: spliced(text, edits), edits });
