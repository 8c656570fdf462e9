import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { judgeSite } from '../../src/audit/core/report.ts';
import { compareSites } from '../../src/audit/core/compare.ts';
import { reportHtml } from '../../src/report/html.ts';
import { reportJunit } from '../../src/report/junit.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { formatAccuracy, listChecks, type Reportable } from '../../src/report/reportable.ts';
import { reportSarif } from '../../src/report/sarif.ts';
import { snapshotOf } from '../support/audit/audit.ts';
import { SITE, type SiteMap } from '../support/audit/site-fetch.ts';
import { goodSite } from '../sites/good.ts';
import { HOSTILE, hostileReport, hostileSite, markdownHtml, reportOf, type Seen, seenIn, UNSEEN } from './support.ts';

const good = await reportOf(goodSite);
const hostile = await hostileReport();
const judged = async (map: SiteMap) => judgeSite(await snapshotOf(map)).judged;
const compared: Reportable = {
  url: `${SITE}/`,
  competitor: `https://rival.example/${HOSTILE}`,
  ...compareSites(await judged(goodSite), await judged(hostileSite)),
};

const ACTIVE = ['a', 'img', 'script', 'iframe', 'object', 'embed', 'form', 'input', 'link', 'svg', 'base', 'video'];
const activeIn = ({ tags }: Seen): string[] => ACTIVE.filter((tag) => tags.has(tag));

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
    ['JUnit', reportJunit],
  ];
  const sarif = (report: Reportable): string => reportSarif(report, '1.2.3');

  test.each(renderings)('says so in %s, whatever it comes to, and no other check does', (_name, render) => {
    for (const status of ['fail', 'pass'] as const) expect(render(doubted(status))).toContain(said);
    expect(render({ url: `${SITE}/`, checks: bare })).not.toContain('On labelled pages');
  });

  test('says so in SARIF where it is a finding', () => {
    expect(sarif(doubted('fail'))).toContain(said);
    for (const report of [doubted('pass'), { url: `${SITE}/`, checks: bare }])
      expect(sarif(report)).not.toContain('On labelled pages');
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

  test('skips what the caller ignores, with its reason, and counts it as no failure', () => {
    const all = Object.values(hostile.scores ?? {}).flatMap(({ checks }) => checks);
    const failing = all.find(({ id, status }) => status === 'fail' && all.filter((one) => one.id === id).length === 1);
    if (failing === undefined) throw new Error('nothing failed');
    const named = { ...hostile, ignored: [{ check: failing.id, reason: 'Next <release>' }] };
    const count = (report: Reportable): number =>
      suitesOf(reportJunit(report)).reduce((sum, { failures }) => sum + failures, 0);
    expect(count(named)).toBe(count(hostile) - 1);
    expect(reportJunit(named)).toContain('<skipped message="ignored (fail): Next &lt;release&gt;"/>');
  });

  test('names the rubric of each suite, by which runs compare or do not', () => {
    const xml = reportJunit(good);
    expect(
      xml.split(`<properties><property name="rubric" value="${good.rubric?.version}"/></properties>`),
    ).toHaveLength(5);
    expect(reportJunit({ url: good.url, checks: [] })).not.toContain('<properties>');
  });
});
