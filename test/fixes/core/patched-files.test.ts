import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/page/facts/page.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { buildDeployablePage, hasOpenSlots } from '../../../src/fixes/core/patched-files.ts';
import { computePromisedGains } from '../../../src/fixes/core/promised-gains.ts';
import { isSlot } from '../../../src/lib/slots.ts';
import { goodPage, goodSite } from '../../sites/good.ts';
import { bareSite } from '../../sites/poor.ts';
import { auditedOf, outcomeIn, scoreIn, tools } from '../../support/audit/fixes.ts';
import { html } from '../../support/audit/site-fetch.ts';

const site = {
  ...goodSite,
  '/': html(
    goodPage('/')
      .replace(/<html lang="en">/, '<html>')
      .replace('</main>', '<img src="/a.jpg"><img src="/b.jpg"></main>'),
  ),
};

describe('the page with its fixes', () => {
  test('has those that ask for nothing, and a draft has all of them', async () => {
    const page = await buildDeployablePage(await auditedOf(site), tools);
    if (!page.ok) throw new Error(page.why);
    expect(hasOpenSlots(page.ready.text)).toBe(false);
    expect(page.ready.open).toEqual([]);
    expect(page.ready.applied.length).toBeGreaterThan(3);
    expect(page.draft?.applied.length).toBeGreaterThan(page.ready.applied.length);
    expect(page.draft?.open.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['aeo.media.alt/imageText/1', 'aeo.media.alt/imageText/2']),
    );
    expect(hasOpenSlots(page.draft?.text ?? '')).toBe(true);
  });

  test('has more of them with each answer, and no draft once all are given', async () => {
    const audited = await auditedOf(site);
    const before = await buildDeployablePage(audited, tools);
    if (!before.ok || !before.draft) throw new Error('no draft');
    const texts = ['aeo.media.alt/imageText/1', 'aeo.media.alt/imageText/2'] as const;
    const one = await buildDeployablePage(audited, { ...tools, answers: new Map([[texts[0], 'Oak & "steel"']]) });
    expect(one.ok && one.ready.applied).not.toContain('aeo.media.alt');
    const both = await buildDeployablePage(audited, {
      ...tools,
      answers: new Map([
        [texts[0], 'Oak & "steel"'],
        [texts[1], 'A shelf'],
      ]),
    });
    if (!both.ok) throw new Error(both.why);
    expect(both.ready.applied).toContain('aeo.media.alt');
    const facts = parsePage(both.ready.text, { url: 'https://acme.example/', bodyBytes: 1 });
    expect(facts.images.map(({ alt }) => alt)).toEqual(expect.arrayContaining(['Oak & "steel"', 'A shelf']));
  });

  test('is not thought open for a slot that its code shows', () => {
    expect(hasOpenSlots('<pre>[FACT NEEDED: x]</pre>')).toBe(false);
    expect(hasOpenSlots('<p>[FACT NEEDED: x]</p>')).toBe(true);
  });
});

describe('what is promised', () => {
  test.each([
    ['a sound site', goodSite],
    ['a bare site', bareSite],
  ])('of %s adds up to what passing everything brings, and drafts are those with slots', async (_name, map) => {
    const audited = await auditedOf(map);
    const fixes = await buildFixes(audited, tools);
    const promised = computePromisedGains(audited.judged, fixes);
    const open = new Set(fixes.map(({ id }) => id));
    const perfect = audited.judged.map((one) =>
      open.has(one.check.id) ? { ...one, outcome: { ...one.outcome, status: 'pass' as const, value: 1 } } : one,
    );
    for (const name of ['aeo', 'geo', 'agent', 'mcp'] as const) {
      const sum = (promised.ready[name] ?? 0) + (promised.draft[name] ?? 0) + (promised.work[name] ?? 0);
      expect(scoreIn(audited, name) + sum).toBe(scoreIn({ ...audited, judged: perfect }, name));
    }
    for (const { state, content = '', facts_needed: facts } of fixes) {
      if (state === 'ready') expect(isSlot(content)).toBe(false);
      expect(state === 'draft').toBe(facts.length > 0);
    }
  });

  test('of a fix with slots is nothing until they are filled in', async () => {
    const audited = await auditedOf({ '/': html(goodPage('/').replace('</main>', '<img src="/a.jpg"></main>')) });
    const fixes = (await buildFixes(audited, tools)).filter(({ id }) => id === 'aeo.media.alt');
    expect(outcomeIn(audited, 'aeo.media.alt').status).not.toBe('pass');
    expect(fixes).toMatchObject([{ state: 'draft' }]);
    expect(computePromisedGains(audited.judged, fixes).ready).toEqual({});
  });
});
