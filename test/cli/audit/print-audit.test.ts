import { expect, test } from 'vitest';
import { auditedSchema, formatAudit, formatScoreBar } from '../../../src/cli/audit/print-audit.ts';
import { renderResult } from '../../../src/cli/audit/print.ts';

const check = (id: string, status: string, weight = 1, more: object = {}) => ({
  id,
  title: `Title of ${id}`,
  status,
  value: status === 'pass' ? 1 : 0,
  weight,
  note: `Seen at ${id}`,
  why: `Why ${id}`,
  ...more,
});

const many = Array.from({ length: 60 }, (_, n) => check(`check-${n}`, 'fail', 60 - n));
const audit = {
  url: 'https://acme.example/?a=b&c',
  scores: {
    aeo: {
      score: 67,
      grade: 'C',
      coverage: 0.914,
      gates: [{ id: 'noindex', cap: 40 }],
      checks: [
        check('noindex', 'fail', 9),
        check('good', 'pass'),
        check('half', 'partial', 2),
        check('away', 'not_applicable'),
        check('dark', 'unknown'),
        check('light', 'fail', 0),
      ],
    },
    geo: { score: 100, grade: 'A', coverage: 1, gates: [], checks: [check('noindex', 'fail', 9)] },
    mcp: { score: 0, grade: 'F', applies: false, reason: 'No MCP surface was found.', gates: [], checks: [] },
  },
  summary: {
    fixes: [
      { check_id: 'half', title: 'Title of half', fix: 'Finish it.', gains: { aeo: 7, geo: 2 } },
      { check_id: 'noindex', title: 'Title of noindex', fix: 'Remove noindex.', gains: {} },
    ],
  },
};

const show = (result: object, isVerbose = false): string =>
  formatAudit(auditedSchema.parse(result), { isVerbose }).join('\n');

test('scores that apply have a bar, their grade and what caps them; the others share a line', () => {
  const lines = show(audit).split('\n');
  expect(lines).toContain(`AEO    ${formatScoreBar(67)}  67 C  91 % of the rubric assessed`);
  expect(lines).toContain('       at most 40 until fixed: Title of noindex');
  expect(lines).toContain(`GEO    ${formatScoreBar(100)} 100 A  100 % of the rubric assessed`);
  expect(lines).toContain('MCP does not apply. No MCP surface was found.');
});

test('why a score does not apply is read to its end', () => {
  const reason = `No MCP surface was found at any of 5 places${', nor at another one'.repeat(3)}. Name the profile mcp.`;
  const lines = show({ ...audit, scores: { mcp: { ...audit.scores.mcp, reason } } }).split('\n');
  const at = lines.findIndex((line) => line.startsWith('MCP does not apply.'));
  expect(lines.slice(at, at + 2).join(' ')).toBe(`MCP does not apply. ${reason}`);
});

test('what to do first has its gains, its effort and how', () => {
  expect(show(audit)).toContain(
    '1. Title of half (+7 AEO, +2 GEO, minutes of work)\n   Finish it.\n2. Title of noindex',
  );
});

test('the counts add up to all checks, each counted once', () => {
  const [, all, rest = ''] = /(\d+) checks: (.*)/.exec(show(audit)) ?? [];
  const parts = [...rest.matchAll(/\d+/g)].map(Number);
  expect(rest).toBe('1 passed, 1 failed, 1 partly, 1 unknown, 1 not applicable, 1 reported only');
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Number(all));
});

test('failures come in the order of what to do first, and what has no weight is marked as information', () => {
  const text = show(audit, true);
  const order = [...text.matchAll(/^(✗|~|info) .*\[(.*)\]$/gm)].map(([, mark, id]) => `${mark} ${id}`);
  expect(order).toEqual(['~ half', '✗ noindex', 'info light']);
  expect(text).toContain('    Fix: Remove noindex.');
});

test.each([[audit], [{ ...audit, checks: many, warnings: ['one', 'two', 'three'] }]])(
  'is one screen of 40 lines and 100 columns: case %#',
  (result) => {
    const lines = renderResult(result).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  },
);

test('a long list says how many it leaves out, and all come when asked for', () => {
  const result = { ...audit, checks: many };
  const shown = show(result).match(/^✗/gm)?.length ?? 0;
  expect(show(result)).toContain(`and ${60 - shown} more: --verbose lists them`);
  expect(show(result, true).match(/^✗/gm)).toHaveLength(61);
});

test('an ignored check is shown as ignored: neither passed nor failed', () => {
  const result = { ...audit, ignored: [{ check: 'noindex', reason: 'A staging site', expires: '2030-01-01' }] };
  const text = show(result, true);
  expect(text).toContain('Ignored: noindex (A staging site, until 2030-01-01)');
  expect(text).toContain('0 failed, 1 partly, 1 unknown, 1 not applicable, 1 reported only, 1 ignored');
  expect(text).not.toContain('✗ Title of noindex');
});

test('a check that was often wrong on labelled pages says so, and others do not', () => {
  const said = 'On labelled pages 40 of 60 verdicts of this check were right.';
  const often = check('often', 'fail', 1, { accuracy: { n: 60, right: 40, wrong: 20 } });
  expect(show({ checks: [often] }, true)).toContain(`    ${said}`);
  expect(show({ checks: [check('other', 'fail')] }, true)).not.toContain('On labelled pages');
});

test('the next command quotes an address for the shell', () => {
  expect(renderResult(audit)).toContain("sightline fix 'https://acme.example/?a=b&c' --out fixes");
});

test.each([
  [0, '░'.repeat(10)],
  [50, '█████░░░░░'],
  [100, '█'.repeat(10)],
  [-5, '░'.repeat(10)],
  [250, '█'.repeat(10)],
])('a score of %i fills the bar accordingly', (score, text) => expect(formatScoreBar(score, 10)).toBe(text));

test('what robots.txt forbids is said below the scores, with what to do', () => {
  const robots = (status: string, note: string, more: object = {}): object => ({
    ...audit,
    ...more,
    scores: { aeo: { ...audit.scores.aeo, checks: [check('aeo.robots.ai-search-bots', status, 5, { note })] } },
  });
  const closed = robots('partial', 'Kept out by robots.txt: OAI-SearchBot.');
  expect(show(closed)).toMatch(
    /\n\nClosed to AI search: Kept out by robots\.txt: OAI-SearchBot\.\n {3}This audit read the page .*\n {3}.*sightline fix writes\.\n\nDo first/,
  );
  expect(show(robots('fail', 'robots.txt keeps all 9 out.'))).toContain('Closed to AI search: robots.txt keeps all');
  expect(show(robots('unknown', 'No answer.'))).toContain('whether AI search may read the site is unknown');
  expect(show(robots('pass', 'All may.'))).not.toContain('robots.txt');
  const ignored = [{ check: 'aeo.robots.ai-search-bots', reason: 'A private site' }];
  expect(show(robots('fail', 'robots.txt keeps all 9 out.', { ignored }))).not.toContain('Closed to');
});
