import { describe, expect, test } from 'vitest';
import { type CapabilityName, capabilityNames } from '../../../src/capabilities/capability-name.ts';
import { listReportForms } from '../../../src/web/report/forms.ts';
import { reportPage, reportView } from '../../../src/web/report/page.tsx';
import { readStored } from '../../../src/web/report/stored.ts';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { REPORT_ID } from '../../support/pages/report-view.ts';
import { textOf } from '../../support/pages/view-page.ts';

const examples = new Map<CapabilityName, string>(await storedExamples());

const BASE = 'https://sightline.test';
const storedAtMs = Date.UTC(2026, 10, 27);
type Frame = Parameters<typeof reportView>[0];

function pageOf(capability: CapabilityName, more: Partial<Frame> = {}, change: object = {}): string {
  const json = { ...JSON.parse(examples.get(capability) ?? '{}'), ...change };
  const publishing = { published: false, publishable: false, reason: 'not_root' } as const;
  const frame: Frame = { id: REPORT_ID, baseUrl: BASE, storedAtMs, expiresAtMs: storedAtMs + 1, publishing, ...more };
  const view = reportView(frame, readStored(JSON.stringify(json)));
  if (!view) throw new Error(`no view of ${capability}`);
  const page = reportPage(view);
  if (page instanceof Promise) throw new Error('a page of a report waits for nothing');
  return page.toString();
}

const hrefs = (page: string): string[] =>
  [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe.each(capabilityNames)('the page of %s', (capability) => {
  test('keeps in sight whom it is about, with a figure, and works without scripts', () => {
    const page = pageOf(capability);
    const [, bar = ''] = page.split('<div class="report-summary"');
    const [summary = ''] = bar.split('</div>');
    expect(textOf(summary)).toMatch(/\d|–/);
    expect(page).not.toMatch(/ style=|<script(?! type="module" src="\/web\/)/);
  });

  test('leads to the form that it came from, filled in, and to its files where it has some', () => {
    const page = pageOf(capability);
    const json = JSON.parse(examples.get(capability) ?? '{}') as { url?: string; brand?: string };
    const again = hrefs(page).find((href) => /^\/[a-z/-]+\?(?:url|brand)=/.test(href)) ?? '';
    const query = new URL(again, BASE).searchParams;
    expect([query.get('url'), query.get('brand')]).toContain(json.url ?? json.brand);
    const zip = `/reports/${REPORT_ID}.zip`;
    expect(hrefs(page.split('</head>')[1] ?? '').includes(zip)).toBe(listReportForms(capability).includes('zip'));
  });

  test('is run again for the kind of site that its buyer named', () => {
    if (capability === 'compare' || !('profile' in JSON.parse(examples.get(capability) ?? '{}'))) return;
    const again = (isGiven: boolean): boolean =>
      hrefs(pageOf(capability, {}, { profile: { name: 'docs', given: isGiven, rests_on: [] } })).some((href) =>
        href.endsWith('&profile=docs'),
      );
    expect([again(true), again(false)]).toEqual([true, false]);
  });

  test('is in German where its reader is: frame, actions and headings of its own', () => {
    const page = pageOf(capability, { language: 'de' });
    expect(page).toContain('<html lang="de">');
    const text = textOf(page);
    for (const words of ['Erstellt 2026-11-27', 'Link kopieren', 'Drucken', 'Lesbar bis'])
      expect(text).toContain(words);
    expect(text).not.toMatch(/Copy link|Can be read until|Check it yourself|What changed since/);
  });
});

describe('the link of a report, where it is shared', () => {
  const metaOf = (page: string, name: string): string | undefined =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(page)?.[1];

  test('X5: of an unlisted one has the picture that all share', () => {
    const page = pageOf('full_audit');
    expect(metaOf(page, 'og:image')).toBe(`${BASE}/web/card.png`);
    expect(metaOf(page, 'twitter:card')).toBe('summary_large_image');
  });

  test('of a published one has the picture of its scores', () => {
    const publishing = { published: true, publishable: true, host: 'acme.example', baseUrl: BASE };
    const page = pageOf('full_audit', { publishing });
    expect(metaOf(page, 'og:image')).toBe(`${BASE}/reports/${REPORT_ID}/card.png`);
    expect(metaOf(page, 'og:url')).toBe(`${BASE}/reports/${REPORT_ID}`);
  });
});

describe('what changed since', () => {
  const state = { publishable: true, host: 'acme.example', baseUrl: BASE };
  const earlier = { reportId: 'e'.repeat(32), atMs: 0, isReadable: true };

  test('can be asked with the address of another report, without scripts', () => {
    expect(pageOf('full_audit')).toContain(`<form method="get" action="/reports/${REPORT_ID}/since"`);
    expect(pageOf('generate_skill')).not.toContain('/since"');
  });

  test.each([
    [
      'of a public one leads to the history',
      { published: true, earlier },
      `/history/acme.example?from=${earlier.reportId}&to=${REPORT_ID}#changes`,
    ],
    [
      'of an unlisted one leads to the published one before it',
      { published: false, earlier },
      `/reports/${REPORT_ID}/since/${earlier.reportId}`,
    ],
    [
      'leads to no report that has expired',
      { published: false, earlier: { ...earlier, isReadable: false } },
      '/history/acme.example',
    ],
  ])('%s', (_what, more, href) => {
    expect(hrefs(pageOf('full_audit', { publishing: { ...state, ...more } }))).toContain(href);
  });
});

describe('a measurement', () => {
  test('leads to texts against its weak spots, filled in', () => {
    const { weak_spots: spots, brand, niche } = JSON.parse(examples.get('visibility_check') ?? '{}');
    const href = hrefs(pageOf('visibility_check')).find((one) => one.startsWith('/visibility/fix?')) ?? '';
    const query = new URL(href, BASE).searchParams;
    expect([query.get('brand'), query.get('niche')]).toEqual([brand, niche]);
    expect(query.get('weak_spots.0.topic')).toBe(spots[0].topic);
    expect(query.get('weak_spots.0.evidence')).toBe(spots[0].evidence.slice(0, 300));
  });

  test('X6: has names in its addresses as text only', () => {
    const page = pageOf('visibility_check', {}, { brand: '"><script>alert(1)</script>&niche=x#' });
    expect(page).not.toContain('<script>alert');
    const again = hrefs(page).find((one) => one.startsWith('/visibility?')) ?? '';
    expect(new URL(again, BASE).searchParams.getAll('niche')).toHaveLength(1);
    expect(new URL(again, BASE).searchParams.get('brand')).toContain('<script>alert(1)</script>&niche=x#');
  });
});

describe('a fix pack', () => {
  test('has each fix once, with before and after, and leads from the failed checks to them', () => {
    const json = JSON.parse(examples.get('fix_pack') ?? '{}') as {
      fixes: { id: string; content?: string; instructions: string }[];
    };
    const page = pageOf('fix_pack');
    expect(json.fixes.length).toBeGreaterThan(3);
    for (const { id } of json.fixes) expect(page.split(`id="fix-${id}"`)).toHaveLength(2);
    expect(page.match(/class="before"/g)).toHaveLength(json.fixes.length);
    expect(page.match(/class="after"/g)).toHaveLength(json.fixes.length);
    expect(page).not.toContain('data-check');
    const linked = hrefs(page).filter((href) => href.startsWith('#fix-'));
    expect(linked.length).toBeGreaterThan(3);
    for (const href of linked) expect(page).toContain(`id="${href.slice(1)}"`);
  });

  test('says of its scores what the audit of the same site says: how sure they are, and which does not apply', () => {
    const { scores } = JSON.parse(examples.get('fix_pack') ?? '{}') as { scores: Record<string, object> };
    const mcp = { ...scores['mcp'], coverage: 0, applies: false, reason: 'No MCP server was found.' };
    const thin = { scores: { ...scores, aeo: { ...scores['aeo'], coverage: 0.2 }, mcp } };
    for (const capability of ['fix_pack', 'full_audit'] as const) {
      const text = textOf(pageOf(capability, {}, thin));
      expect(text).toContain('Only 20 % of its checks, by weight, could be assessed');
      expect(text).toContain('MCP readiness does not apply. No MCP server was found.');
    }
  });
});
