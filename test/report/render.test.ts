import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { judgeSite, reportOn } from '../../src/audit/core/report.ts';
import { compareSites } from '../../src/audit/core/compare.ts';
import type { PackedFix } from '../../src/fixes/files/fix.ts';
import { reportHtml } from '../../src/report/html.ts';
import { reportJunit } from '../../src/report/junit.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { formatAccuracy, listChecks, type Reportable } from '../../src/report/reportable.ts';
import { reportSarif } from '../../src/report/sarif.ts';
import { snapshotOf } from '../support/audit/audit.ts';
import { html, SITE, type SiteMap } from '../support/audit/site-fetch.ts';
import { goodSite } from '../sites/good.ts';

/** What a hostile site would like to stand in our report as more than text. */
const ATTACKS = [
  '![x](https://tracker.example/p.png)',
  '[click](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '</code></pre><script>alert(1)</script>',
  '``` \n# heading\n```',
  '@octocat @team/all #1 https://auto.example/link www.auto.example',
  '| a | b |\n| --- | --- |\n',
  '\u0000\u0001\u001B[31mred\u202Eevil\u{E0041}',
  ']]> &amp; <![CDATA[ "quoted" \'single\'',
];
const HOSTILE = ATTACKS.join(' ');
const UNSEEN = ['\u0000', '\u001B', '\u202E', '\u{E0041}'];

const hostileSite: SiteMap = {
  '/': html(
    `<html lang="en"><head><title>${escaped(HOSTILE)}</title><meta name="description" content="${escaped(HOSTILE)}"></head><body><h1>${escaped(HOSTILE)}</h1><p>${escaped(HOSTILE)}</p><img src="/a.png"><a href="/x">${escaped(HOSTILE)}</a><form><input name="${escaped(HOSTILE)}"></form></body></html>`,
  ),
  '/robots.txt': {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: `Disalow: ${ATTACKS[2]}\nUser-agent: *\nDisallow: /${ATTACKS[0]}`,
  },
  '/llms.txt': { status: 200, headers: { 'content-type': 'text/plain' }, body: ATTACKS.join('\n\n') },
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function reportOf(map: SiteMap): Promise<Reportable> {
  const snapshot = await snapshotOf(map);
  const report = await reportOn(snapshot);
  if (!report.ok) throw new Error(report.detail);
  return { url: `${SITE}/`, ...report };
}

const hostileFix: PackedFix = {
  id: 'aeo.meta.title',
  title: HOSTILE,
  status: 'fail',
  scores: ['aeo'],
  weight: 2,
  gains: { aeo: 2 },
  points: 2,
  file: 'index.html',
  action: 'insert',
  instructions: HOSTILE,
  content: `${HOSTILE}\n\`\`\`\`\`\n`,
  diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${HOSTILE}\n+\`\`\`\`\n`,
  configure: { nginx: HOSTILE },
  effort: 'minutes',
  facts_needed: [HOSTILE],
  evidence: [],
  verify: { command: "curl -sSiL 'https://acme.example/'", expect: HOSTILE },
};

const good = await reportOf(goodSite);
const hostile: Reportable = {
  ...(await reportOf(hostileSite)),
  warnings: [HOSTILE],
  summary: { text: HOSTILE },
  profile: { name: 'content', rests_on: [HOSTILE], given: false },
  fixes: [hostileFix],
  files: [{ path: `evil/${HOSTILE}`, media_type: HOSTILE, content: HOSTILE, sha256: '0' }],
};
const judged = async (map: SiteMap) => judgeSite(await snapshotOf(map)).judged;
const compared: Reportable = {
  url: `${SITE}/`,
  competitor: `https://rival.example/${HOSTILE}`,
  ...compareSites(await judged(goodSite), await judged(hostileSite)),
};

type Seen = { tags: Set<string>; attributes: Set<string>; text: string };

function seenIn(document: string): Seen {
  const seen: Seen = { tags: new Set(), attributes: new Set(), text: '' };
  const parser = new Parser({
    onopentag(name, attributes) {
      seen.tags.add(name);
      for (const [key, value] of Object.entries(attributes)) seen.attributes.add(`${name}[${key}]=${value}`);
    },
    ontext(text) {
      seen.text += text;
    },
  });
  parser.end(document);
  return seen;
}

const ACTIVE = ['a', 'img', 'script', 'iframe', 'object', 'embed', 'form', 'input', 'link', 'svg', 'base', 'video'];
const activeIn = ({ tags }: Seen): string[] => ACTIVE.filter((tag) => tags.has(tag));

const markdownHtml = (text: string): string =>
  micromark(text, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });

describe('a check that was often wrong on labelled pages', () => {
  const [first, ...others] = listChecks(good);
  if (!first) throw new Error('no checks');
  const bare = others.map(({ accuracy: _often, ...check }) => check);
  const doubted = (status: 'fail' | 'pass'): Reportable => ({
    url: `${SITE}/`,
    checks: [{ ...first, status, accuracy: { n: 60, right: 36, wrong: 22 } }, ...bare],
  });
  const said = 'On labelled pages 36 of 60 verdicts of this check were right, 2 arguable.';
  const renderings: readonly (readonly [string, (report: Reportable) => string])[] = [
    ['Markdown', reportMarkdown],
    ['HTML', reportHtml],
    ['SARIF', (report) => reportSarif(report, '1.2.3')],
    ['JUnit', reportJunit],
  ];

  test.each(renderings)('says so in %s, whatever it comes to, and no other check does', (_name, render) => {
    for (const status of ['fail', 'pass'] as const) expect(render(doubted(status))).toContain(said);
    expect(render({ url: `${SITE}/`, checks: bare })).not.toContain('On labelled pages');
  });

  test('has one sentence, without what there is none of', () => {
    expect(formatAccuracy({ accuracy: { n: 60, right: 38, wrong: 22 } })).toBe(
      'On labelled pages 38 of 60 verdicts of this check were right.',
    );
    expect(formatAccuracy({})).toBe('');
  });
});

describe('Markdown', () => {
  test.each([
    ['hostile site', hostile],
    ['comparison', compared],
  ] as const)('X7: of a %s renders without a link, an image, HTML or a mention of its own', (_name, report) => {
    const seen = seenIn(markdownHtml(reportMarkdown(report)));
    expect(activeIn(seen)).toEqual([]);
    expect(seen.attributes.size).toBe(
      [...seen.attributes].filter((one) => /^(td|th)\[align]=|^code\[class]=language-(sh|diff)$/.test(one)).length,
    );
    expect(UNSEEN.filter((one) => seen.text.includes(one))).toEqual([]);
  });

  test('X7: a mention outside of code would reach somebody: there is none', () => {
    const outside = markdownHtml(reportMarkdown(hostile)).replaceAll(/<code[^>]*>[^<]*<\/code>/g, '');
    expect(outside).not.toMatch(/@octocat/);
  });

  test('has scores, what to mend and every check', () => {
    const text = reportMarkdown(good);
    expect(text).toContain('| AI search visibility (AEO) |');
    for (const { id } of listChecks(good)) expect(text).toContain(`\`${id}\``);
  });
});

describe('HTML', () => {
  test.each([
    ['hostile site', hostile],
    ['comparison', compared],
    ['good site', good],
  ] as const)('X7: of a %s holds nothing that runs, loads or leads away', (_name, report) => {
    const document = reportHtml(report);
    const seen = seenIn(document);
    expect(activeIn(seen)).toEqual([]);
    expect([...seen.attributes].filter((one) => /\[(on|href|src|style|action)|=refresh$/i.test(one))).toEqual([]);
    expect(UNSEEN.filter((one) => document.includes(one))).toEqual([]);
    expect(document).toContain("default-src 'none'");
  });

  test('shows the text of an attack as text', () => {
    expect(seenIn(reportHtml(hostile)).text).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('SARIF', () => {
  type Log = {
    version: string;
    runs: {
      tool: { driver: { rules: { id: string; helpUri?: string }[] } };
      properties?: { rubric?: unknown };
      results: {
        ruleId: string;
        ruleIndex: number;
        kind: string;
        level: string;
        locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
      }[];
    }[];
  };
  const log = JSON.parse(reportSarif(hostile, '1.2.3')) as Log;
  const [run] = log.runs;

  test('has a rule per check and a result for each that failed, is partial or could not be looked at', () => {
    const checks = listChecks(hostile);
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
    const open = checks.filter(({ status }) => ['fail', 'partial', 'unknown'].includes(status)).map(({ id }) => id);
    expect(run?.results.map(({ ruleId }) => ruleId)).toEqual(open);
    expect(open.length).toBeGreaterThan(10);
    for (const { ruleId, ruleIndex } of run?.results ?? []) expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  test('names the rubric, by which runs compare or do not', () => {
    expect(run?.properties?.rubric).toEqual(hostile.rubric);
    const without = JSON.parse(reportSarif({ url: hostile.url, checks: [] }, '1.2.3')) as Log;
    expect(without.runs[0]).not.toHaveProperty('properties');
  });

  test('X7: links nowhere, and its locations are URIs of the web', () => {
    expect(run?.tool.driver.rules.some((rule) => 'helpUri' in rule)).toBe(false);
    for (const { locations } of run?.results ?? []) {
      const uri = locations[0]?.physicalLocation.artifactLocation.uri ?? '';
      expect(uri).toMatch(/^https?:\/\/[A-Za-z0-9._~:/?#@!$&'()*+,;=%[\]-]+$/);
    }
  });

  test('a failed check without weight is a note', () => {
    const weights = new Map(listChecks(hostile).map(({ id, weight }) => [id, weight]));
    const light = (run?.results ?? []).filter(({ ruleId, kind }) => kind === 'fail' && weights.get(ruleId) === 0);
    expect(light.length).toBeGreaterThan(0);
    for (const { level } of light) expect(level).toBe('note');
  });
});

describe('JUnit', () => {
  function suitesOf(xml: string): { tests: number; failures: number; skipped: number }[] {
    const suites: { tests: number; failures: number; skipped: number }[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      const number = (key: string): number => Number(attributes[key]);
      if (name === 'testsuite')
        suites.push({ tests: number('tests'), failures: number('failures'), skipped: number('skipped') });
    });
    parser.write(xml).close();
    return suites;
  }

  test.each([
    ['hostile site', hostile],
    ['good site', good],
  ] as const)('X7: of a %s is well-formed XML 1.0', (_name, report) => {
    const suites = suitesOf(reportJunit(report));
    expect(suites).toHaveLength(4);
    const expected = Object.values(report.scores ?? {}).map(({ counts, checks }) => ({
      tests: checks.length,
      failures: counts.fail,
      skipped: counts.not_applicable + counts.unknown,
    }));
    expect(suites).toEqual(expected);
  });

  test('names the rubric of each suite, by which runs compare or do not', () => {
    const xml = reportJunit(good);
    expect(
      xml.split(`<properties><property name="rubric" value="${good.rubric?.version}"/></properties>`),
    ).toHaveLength(5);
    expect(reportJunit({ url: good.url, checks: [] })).not.toContain('<properties>');
  });
});
