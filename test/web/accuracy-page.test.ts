import { expect, test } from 'vitest';
import { type Accuracy, accuracy } from '../../src/audit/core/accuracy-data.ts';
import { checks } from '../../src/audit/core/catalogue.ts';
import { buildAccuracyPage } from '../../src/web/start/accuracy-text.ts';
import { formatPageMarkdown } from '../../src/web/start/document.ts';
import { renderSitePage } from '../../src/web/start/page.tsx';

const BASE = 'https://audits.example.com';
const show = (given: Accuracy): Promise<string> =>
  Promise.resolve(renderSitePage({ page: buildAccuracyPage(given), baseUrl: BASE, operator: { identities: [] } })).then(
    String,
  );
const write = (given: Accuracy): string => formatPageMarkdown(buildAccuracyPage(given), BASE);

const { mainText: _text, planted: _planted, robots: _robots, peers: _peers, ...least } = accuracy;
const most: Accuracy = {
  ...least,
  mainText: { pages: 181, precision: 0.9, recall: 0.8, f1: 0.847 },
  planted: { sites: 4, defects: 40, found: 38, good: 50, contradicted: 2 },
  robots: {
    files: 1200,
    decisions: 1_000_000,
    equal: 999_000,
    unexplained: 0,
    reasons: [{ reason: 'escape-case', decisions: 1000, files: 3 }],
  },
  peers: [
    { name: 'some|tool', version: '1.2.3', facts: 31, precision: null, recall: 0.25, recallThere: 0.5, oursThere: 1 },
  ],
};

test('each measured check has a row that reports can link to, with its counts and its interval', async () => {
  const page = await show(accuracy);
  for (const [id, { n, right, arguable, wrong, low, high }] of Object.entries(accuracy.checks)) {
    const [row = ''] = page.split(`<tr id="${id}">`)[1]?.split('</tr>') ?? [];
    const cells = [...row.matchAll(/<td class="number"[^>]*>(.*?)<\/td>/g)].map(([, text]) => text);
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    expect(cells).toEqual([
      ...[n, right, arguable, wrong].map(String),
      percent((n - wrong) / n),
      `${percent(low)} to ${percent(high)}`,
    ]);
  }
});

test('each check of the catalogue is in the table, or among those that were not measured', () => {
  const [, unmeasured = ''] = write(accuracy).split('## Not measured on outside pages');
  const named = [...unmeasured.matchAll(/`([a-z]+\.[^`]+)`/g)].map(([, id]) => id);
  const left = checks.map(({ id }) => id).filter((id) => !(id in accuracy.checks));
  expect(left.length).toBeGreaterThan(0);
  expect(named.toSorted()).toEqual(left.toSorted());
});

test('what a run did not measure has no section', () => {
  const headings = (given: Accuracy): readonly string[] => buildAccuracyPage(given).sections.map(({ id }) => id);
  const optional = ['planted', 'robots', 'peers'];
  expect(headings(least).filter((id) => optional.includes(id))).toEqual([]);
  expect(headings(most).filter((id) => optional.includes(id))).toEqual(optional);
  expect(write(least)).not.toContain('main text of');
});

test('planted defects, decisions about robots.txt and other tools are shown by their counts', () => {
  const text = write(most);
  expect(text).toContain(
    'names 38 of the defects (recall 95.0 %) and contradicts 2 of the good facts (precision 95.0 %)',
  );
  expect(text).toContain('999,000 of 1,000,000 decisions about 1,200 public files');
  expect(text).toContain('| `escape-case` | 1,000 | 3 |');
  expect(text).toContain('| some\\|tool | 1.2.3 | 31 | none | 25.0 % | 50.0 % | 100.0 % |');
});

test('checks that weigh too much for their accuracy are named, and none is named where there is none', () => {
  const row = { n: 60, right: 20, arguable: 0, wrong: 40, low: 0.2, high: 0.5 };
  const heavy = checks.find(({ weight }) => weight >= 2);
  if (!heavy) throw new Error('no check of weight 2');
  expect(write({ ...least, checks: { [heavy.id]: row } })).toContain(`These still weigh more: \`${heavy.id}\`.`);
  expect(write({ ...least, checks: { [heavy.id]: { ...row, right: 60, wrong: 0 } } })).toContain('All do.');
});

test('it is a report of the service for programs too', async () => {
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await show(accuracy)) ?? [];
  const organization = { '@id': `${BASE}/#organization` };
  const report = { '@type': 'Report', author: organization, dateModified: accuracy.date };
  expect(JSON.parse(data)).toMatchObject({ '@graph': [organization, {}, {}, report] });
});

test('it says who the readers were, and what is not measured', () => {
  const text = write(accuracy);
  for (const said of ['language models', 'one family', 'saved', 'whole site', accuracy.date])
    expect(text).toContain(said);
});
