import { scoreNames } from '../../src/audit/core/check.ts';
import { reportOn } from '../../src/audit/core/report.ts';
import { ORIGIN, record } from '../audit/in-memory.ts';
import { siteFiles } from '../audit/page.ts';

/** The stored text of a full audit of the benchmark's site, of which `count` checks are kept, whatever scores they count in. */
export async function storedReport(count: number): Promise<string> {
  const files = siteFiles(ORIGIN);
  const report = await reportOn(await record((path) => files.get(path)));
  if (!report.ok || !('scores' in report)) throw new Error('no report');
  const { ok: _ok, scores, warnings, ...frame } = report;
  const ids = [...new Set(scoreNames.flatMap((name) => scores[name]?.checks.map(({ id }) => id) ?? []))];
  if (ids.length < count) throw new Error(`there are ${ids.length} checks only`);
  const kept = new Set(ids.slice(0, count));
  const cut = Object.fromEntries(
    scoreNames.flatMap((name) => {
      const score = scores[name];
      return score ? [[name, { ...score, checks: score.checks.filter(({ id }) => kept.has(id)) }]] : [];
    }),
  );
  return JSON.stringify({ capability: 'full_audit', url: `${ORIGIN}/`, scores: cut, ...frame, warnings });
}
