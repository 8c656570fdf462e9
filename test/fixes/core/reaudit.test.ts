import { describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { buildDeployablePage, buildPatchedPage, patchRobots } from '../../../src/fixes/core/patched-files.ts';
import { FIX_FILES } from '../../../src/fixes/core/recipe.ts';
import type { PackedFix } from '../../../src/fixes/files/fix.ts';
import type { Audited } from '../../../src/fixes/files/generated-file.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { auditedOf, outcomeIn, tools } from '../../support/audit/fixes.ts';
import { agentSite } from '../../support/audit/agent-site.ts';
import { html, type SiteAnswer, type SiteMap } from '../../support/audit/site-fetch.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite, closedSite } from '../../sites/poor.ts';

const sites: readonly (readonly [string, SiteMap])[] = [
  ['a sound site', goodSite],
  ['a page of a few words', bareSite],
  ['a closed site', closedSite],
  ['a site for agents', agentSite],
];

/** Fixes of one site that are deployed one by one: all of them in the soak. */
const ONE_BY_ONE = budgetFor(12, 500);

const RANK: Readonly<Record<OutcomeStatus, number>> = { pass: 3, not_applicable: 3, unknown: 3, partial: 1, fail: 0 };

/** What became worse. A check that had nothing to judge before, and is asked of a richer site, is no loss by itself. */
const listLosses = (before: Audited, after: Audited): readonly string[] =>
  before.judged.flatMap(({ check: { id }, outcome }) => {
    const now = outcomeIn(after, id);
    const isLoss =
      RANK[now.status] < RANK[outcome.status] && outcome.status !== 'not_applicable' && outcome.status !== 'unknown';
    return isLoss ? [`${id}: ${now.note}`] : [];
  });

const isFileOfSite = ({ file, action, content }: PackedFix): boolean =>
  content !== undefined && (action === 'create' || action === 'replace') && file !== FIX_FILES.page;

/** The site with another start page; whatever else its server does stays. */
function withPage(map: SiteMap, page: string): SiteMap {
  const served = map['/'];
  const change = (answer: SiteAnswer): SiteAnswer =>
    'headers' in answer && /html/.test(answer.headers['content-type'] ?? '') ? { ...answer, body: page } : answer;
  if (served === undefined) return { ...map, '/': html(page) };
  return { ...map, '/': typeof served === 'function' ? (request) => change(served(request)) : change(served) };
}

/** The site with one ready fix made; undefined for a setting of the server, which the real servers prove. */
async function deploy(map: SiteMap, before: Audited, fix: PackedFix): Promise<Audited | undefined> {
  if (fix.file === FIX_FILES.robots) {
    const { text } = patchRobots(before, tools, [fix.id]);
    return auditedOf({ ...map, '/robots.txt': { status: 200, headers: { 'content-type': 'text/plain' }, body: text } });
  }
  if (fix.file === FIX_FILES.page) {
    const patched = await buildPatchedPage(before, tools, [fix.id]);
    return patched.ok ? auditedOf(withPage(map, patched.html)) : undefined;
  }
  if (!isFileOfSite(fix)) return undefined;
  const at = fix.file === FIX_FILES.pageMarkdown ? '/index.md' : `/${fix.file}`;
  const type = fix.media_type ?? 'text/plain';
  return auditedOf({
    ...map,
    [at]: { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body: fix.content ?? '' },
  });
}

describe('a fix that can be deployed as it is', () => {
  test.each(sites)('passes when %s is audited again, and no other check gets worse', async (_name, map) => {
    const before = await auditedOf(map);
    const ready = (await buildFixes(before, tools)).filter(({ state }) => state === 'ready').slice(0, ONE_BY_ONE);
    expect(ready.length).toBeGreaterThan(2);
    const wrong: string[] = [];
    for (const fix of ready) {
      const after = await deploy(map, before, fix);
      if (!after) continue;
      const { status, note } = outcomeIn(after, fix.id);
      if (status !== 'pass' && status !== 'not_applicable') wrong.push(`${fix.id} does not pass: ${note}`);
      wrong.push(...listLosses(before, after).map((loss) => `${fix.id} costs ${loss}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe('all page fixes that ask for nothing, made together', () => {
  test.each(sites)('pass when %s is audited again, and no other check gets worse', async (_name, map) => {
    const before = await auditedOf(map);
    const page = await buildDeployablePage(before, tools);
    if (!page.ok) throw new Error(page.why);
    const after = await auditedOf(withPage(map, page.ready.text));
    const ready = new Set(
      (await buildFixes(before, tools)).flatMap(({ id, state }) => (state === 'ready' ? [id] : [])),
    );
    const open = page.ready.applied
      .filter((id) => ready.has(id))
      .filter((id) => !['pass', 'not_applicable'].includes(outcomeIn(after, id).status))
      .map((id) => `${id}: ${outcomeIn(after, id).note}`);
    expect([...open, ...listLosses(before, after)]).toEqual([]);
  });
});
