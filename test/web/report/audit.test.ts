import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { checks as catalogue } from '../../../src/audit/core/catalogue.ts';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { countRuleChanges } from '../../../src/audit/rubric/changes.ts';
import type { scoreResult } from '../../../src/capabilities/results.ts';
import { sumScore } from '../../../src/web/report/audit/scores.tsx';
import { listReportForms } from '../../../src/web/report/forms.ts';
import { readStored, getSubject } from '../../../src/web/report/stored.ts';
import { views } from '../../../src/web/report/openers.tsx';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { resultNames } from '../../../src/capabilities/capability-name.ts';
import { textOf } from '../../support/pages/view-page.ts';
import { pageOf, storedText } from '../../support/pages/report-view.ts';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { fullReportExample } from '../../support/pages/view-results.ts';

type Score = z.infer<typeof scoreResult>;
const stored = await storedExamples();
const result = await fullReportExample();
const url = 'https://acme.example/';
const page = await pageOf(storedText('full_report', result, url));
const every = Object.entries(result.scores as Record<string, Score>);
const named = every.filter(([, { applies }]) => applies !== false);
const distinct = new Map(every.flatMap(([, { checks }]) => checks).map((check) => [check.id, check]));

type Element = { name: string; attributes: Record<string, string>; text: string };

/** Elements of a page with all the text inside. */
function elementsOf(document: string): Element[] {
  const all: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = { name, attributes, text: '' };
      all.push(element);
      open.push(element);
    },
    ontext(text) {
      for (const element of open) element.text += text;
    },
    onclosetag: () => void open.pop(),
  });
  parser.end(document);
  return all;
}

const elements = elementsOf(page);
const having = (attribute: string): Element[] => elements.filter(({ attributes }) => attribute in attributes);

describe('the rubric of a report', () => {
  test('is named with today’s where they differ, with how many checks moved', async () => {
    const older = { ...result, rubric: { version: '2.0.0', sha256: 'a'.repeat(64) } };
    const moved = countRuleChanges(
      catalogue.map(({ id }) => id),
      '2.0.0',
      RUBRIC_VERSION,
    );
    const text = textOf(await pageOf(storedText('full_report', older, url)));
    expect(text).toContain(`Judged by rubric 2.0.0. The rubric of today is ${RUBRIC_VERSION}: ${moved} checks came`);
  });

  test('is named alone where it is that of today', () => {
    expect(textOf(page)).toContain(`Rubric ${RUBRIC_VERSION}, SHA-256`);
    expect(textOf(page)).not.toContain('The rubric of today');
  });
});

describe('how a score came to be', () => {
  test('one that does not apply has no gauge and no formula, but its reason', () => {
    const left = every.filter(([, { applies }]) => applies === false);
    expect(left.map(([name]) => name)).toEqual(['mcp']);
    expect(elements.filter(({ attributes }) => attributes['class']?.startsWith('gauge '))).toHaveLength(named.length);
    for (const [, { reason }] of left) expect(page).toContain(`MCP readiness does not apply. ${reason}`);
  });

  test.each(named)('%s: the sums of its checks, rounded and capped, are the score', (_name, score) => {
    const { rounded, cap, assessed, nominal } = sumScore(score);
    expect(cap?.cap ?? rounded).toBe(score.score);
    expect(assessed / nominal).toBeCloseTo(score.coverage, 2);
  });

  test.each(named)('%s: the page says each number of the formula', (_name, score) => {
    const formula = elements.find(
      ({ name, attributes, text }) =>
        name === 'details' && attributes['class'] === 'formula' && text.includes(`how ${score.score} came to be`),
    );
    const { earned, assessed, rounded } = sumScore(score);
    const text = formula?.text.replaceAll(/\s+/g, ' ') ?? '';
    for (const number of [earned, assessed, rounded]) expect(text).toContain(String(Number(number.toFixed(3))));
    for (const { cap } of score.gates) expect(text).toContain(`${cap} by`);
  });

  test('the lowest cap counts, and only when it is lower than the rounded sum', () => {
    const check = (id: string, value: number) =>
      ({ id, status: 'partial', weight: 2, value }) as Score['checks'][number];
    const checks = [check('aeo.a', 0.5), check('aeo.b', 1)];
    expect(
      sumScore({
        checks,
        gates: [
          { id: 'aeo.x', cap: 60 },
          { id: 'aeo.y', cap: 40 },
        ],
      }),
    ).toMatchObject({
      exact: 75,
      cap: { id: 'aeo.y', cap: 40 },
    });
    expect(sumScore({ checks, gates: [{ id: 'aeo.x', cap: 80 }] })).not.toHaveProperty('cap');
    expect(sumScore({ checks: [], gates: [] })).toMatchObject({ assessed: 0, rounded: 0 });
  });
});

describe('the checks of a report', () => {
  const items = having('data-check');

  test('each stands once, though several scores may hold it', () => {
    expect(items).toHaveLength(distinct.size);
    const total = items.flatMap(({ attributes }) => (attributes['data-scores'] ?? '').split(' ')).length;
    expect(total).toBe(every.flatMap(([, { checks }]) => checks).length);
  });

  test('each says what it came to, why, from what source, and how to see it', () => {
    for (const { title, note, why, source, reproduce, status } of distinct.values()) {
      const item = items.find(({ text }) => text.includes(title) && text.includes(note));
      expect(item?.attributes['data-status']).toBe(status);
      for (const said of [why, source, reproduce]) expect(item?.text).toContain(said);
    }
  });

  test('one that was often wrong on labelled pages says so and leads to its figures, and a report of before says nothing', async () => {
    const [first, ...rest] = [...distinct.values()].map(({ accuracy: _often, ...check }) => check);
    if (!first) throw new Error('no checks');
    const show = async (checks: readonly object[]): Promise<string> => {
      const scores = { aeo: { ...result.scores['aeo'], checks } };
      return pageOf(storedText('score_aeo', { ...result, scores }, url));
    };
    const shown = await show([{ ...first, accuracy: { n: 60, right: 40, wrong: 20 } }, ...rest]);
    expect(shown).toContain('On labelled pages 40 of 60 verdicts of this check were right.');
    expect(shown).toContain(`<a href="/accuracy#${first.id}">`);
    expect(await show([first, ...rest])).not.toContain('On labelled pages');
  });

  test('failed ones come first, and the heaviest loss among them', () => {
    const statuses = items.map(({ attributes }) => attributes['data-status'] ?? '');
    expect([...new Set(statuses)]).toEqual(
      ['fail', 'partial', 'unknown', 'pass', 'not_applicable'].filter((status) => statuses.includes(status)),
    );
    const failed = statuses.filter((status) => status === 'fail').length;
    const weights = elements
      .filter(({ attributes }) => attributes['class'] === 'weighs')
      .slice(0, failed)
      .map(({ text }) => Number(text.split('weight ')[1] ?? 0));
    expect(weights.length).toBeGreaterThan(10);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  });

  test('a failed one leads to its fix in the same page', () => {
    const ids = new Set(having('id').map(({ attributes }) => attributes['id']));
    const targets = elements
      .map(({ attributes }) => attributes['href'] ?? '')
      .filter((href) => href.startsWith('#fix-') || href.startsWith('#check-'));
    expect(targets.filter((href) => href.startsWith('#fix-')).length).toBeGreaterThan(3);
    expect(targets.filter((href) => !ids.has(href.slice(1)))).toEqual([]);
  });

  test('nothing has the id of another', () => {
    const ids = having('id').map(({ attributes }) => attributes['id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the filter is not there without its script', () => {
    expect(
      elements.find(({ name, attributes }) => name === 'form' && 'data-filter' in attributes)?.attributes,
    ).toHaveProperty('hidden');
  });
});

describe('the page', () => {
  test('names the other forms, of which visibility has no SARIF', async () => {
    const hrefs = elements.map(({ attributes }) => attributes['href'] ?? '');
    for (const ending of ['json', 'md', 'sarif']) expect(hrefs.some((href) => href.endsWith(`.${ending}`))).toBe(true);
    expect(listReportForms('visibility_check')).toEqual(['json', 'html', 'md']);
  });

  test('may be found once it is published, and not before', async () => {
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    const text = storedText('full_report', result, url);
    expect(await pageOf(text, { published: true })).not.toContain('<meta name="robots"');
  });

  test('says what was warned of', () => {
    expect(page).toContain('One warning of the audit.');
  });

  test('is about the host, or the brand', () => {
    expect(getSubject({ url: 'https://acme.example:8443/x?y' })).toBe('acme.example:8443');
    expect(getSubject({ brand: 'Example Desk' })).toBe('Example Desk');
    expect(getSubject({})).toBeUndefined();
  });
});

describe('every capability', () => {
  test.each([...stored])('%s has a view that takes what its row publishes', async (name, text) => {
    const row = catalog.find((one) => one.name === name);
    expect(row?.result.safeParse(JSON.parse(text)).success).toBe(true);
    expect((await pageOf(text)).length).toBeGreaterThan(3000);
  });

  test('has one, and nothing else has', () => {
    expect(Object.keys(views).toSorted()).toEqual([...resultNames].toSorted());
  });

  test('what is not a stored result of ours is a bug, not a page', () => {
    expect(() => readStored('{"capability":"nope","warnings":[]}')).toThrow('capability');
  });
});
