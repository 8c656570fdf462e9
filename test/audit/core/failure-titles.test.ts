import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { compareSites } from '../../../src/audit/core/compare.ts';
import { isOpen } from '../../../src/audit/core/fix-order.ts';
import { judgeSite, reportOn } from '../../../src/audit/core/report.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { generateSkill } from '../../../src/fixes/files/skill.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { reportMarkdown } from '../../../src/report/markdown.ts';
import { reportJunit } from '../../../src/report/junit.ts';
import { reportSarif } from '../../../src/report/sarif.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite } from '../../sites/poor.ts';
import { auditedOf, tools } from '../../support/audit/fixes.ts';
import { imperatives } from '../../support/words/imperatives-data.ts';

describe('the title of a failed check', () => {
  test('says what to do: each check has its own order to the reader, and never its ideal', () => {
    const titles = checks.map(({ failureTitle }) => failureTitle);
    expect(new Set(titles).size).toBe(checks.length);
    expect(checks.filter(({ title, failureTitle }) => title === failureTitle).map(({ id }) => id)).toEqual([]);
    expect(titles.filter((title) => !imperatives.has(title.split(' ')[0] ?? ''))).toEqual([]);
    expect(titles.filter((title) => title.length < 10 || title.length > 75 || /[.:]$/.test(title))).toEqual([]);
  });

  test.each([
    ['a sound site', goodSite],
    ['a bare site', bareSite],
  ])('is what every list of faults and fixes of %s shows', async (_name, map) => {
    const audited = await auditedOf(map);
    const report = await reportOn(audited.snapshot, {}, judgeSite(audited.snapshot));
    if (!report.ok) throw new Error(report.detail);
    const { ok: _ok, ...result } = report;
    const fixes = await buildFixes(audited, tools);
    const [skill] = await generateSkill(audited, fixes);
    const open = audited.judged.filter(isOpen).map(({ check }) => check);
    expect(fixes.map(({ title }) => title).toSorted()).toEqual(open.map(({ failureTitle }) => failureTitle).toSorted());
    const whole = { url: 'https://acme.example/', ...result, fixes };
    // A title may be part of another text: in lists it is set apart.
    const lists = [
      reportMarkdown(whole),
      reportHtml(whole),
      reportSarif(whole, '1'),
      reportJunit(whole),
      skill?.content ?? '',
    ];
    const [markdown = ''] = lists;
    expect(markdown.split('\nWhat to do: ').length - 1).toBe(
      Math.min(open.length, markdown.split('\nSee it yourself:').length - 1),
    );
    for (const { title, failureTitle, id } of open) {
      const shown = lists.filter((list) =>
        [
          `### ${title}\n`,
          `. ${title}\n`,
          `<h3>${title}<`,
          `. ${title}<`,
          `"${title}"`,
          `: ${title}\n`,
          `name="${title}"`,
        ].some((form) => list.includes(form)),
      );
      expect([id, shown.length]).toEqual([id, 0]);
      expect([id, result.summary.text.includes(`"${title}"`)]).toEqual([id, false]);
      expect(failureTitle).not.toBe(title);
    }
  });

  test('is what a comparison says of every lead of the competitor, and of what to copy', async () => {
    const [poor, good] = [await auditedOf(bareSite), await auditedOf(goodSite)];
    const { gaps, copy_first: copied } = compareSites(poor.judged, good.judged);
    const byId = new Map(checks.map((check) => [check.id, check]));
    const leads = gaps.filter(({ ahead }) => ahead === 'competitor');
    expect(leads.length).toBeGreaterThan(10);
    expect(leads.filter(({ id, title }) => title !== byId.get(id)?.failureTitle)).toEqual([]);
    expect(copied.filter(({ check_id: id, title }) => title !== byId.get(id)?.failureTitle)).toEqual([]);
    const ours = gaps.filter(({ ahead }) => ahead === 'url');
    expect(ours.filter(({ id, title }) => title !== byId.get(id)?.title)).toEqual([]);
  });
});
