import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problems as webhookProblems } from '../../src/notifications/operator-api/problems-data.ts';
import { apiProblems, buildProblem, findProblemRow } from '../../src/problems/codes.ts';
import type { ReasonRow } from '../../src/payment/terms/reasons-data.ts';
import { commonProblems } from '../../src/problems/common.ts';
import { buildProblemBody } from '../../src/problems/problem.ts';
import golden from '../data/wire/problems.json' with { type: 'json' };

const namesOf = (rows: Readonly<Record<string, { status: number; title: string }>>) =>
  Object.fromEntries(Object.entries(rows).map(([code, { status, title }]) => [code, { status, title }]));

describe('what clients can meet', () => {
  test('the codes of the api Worker, their status and title, are those of the golden file', () => {
    expect(namesOf(apiProblems)).toEqual(golden.api);
  });

  test('the codes of the webhook Worker, their status and title, are those of the golden file', () => {
    expect(namesOf(webhookProblems)).toEqual(golden.webhook);
  });

  test('a code of both Workers has one status and one title', () => {
    const shared = Object.keys(webhookProblems).filter((code) => findProblemRow(code) !== undefined);
    expect(shared.length).toBeGreaterThan(5);
    const differing = shared.filter((code) => {
      const [row, other] = [findProblemRow(code), namesOf(webhookProblems)[code]];
      return row?.title !== other?.title || row?.status !== other?.status;
    });
    expect(differing).toEqual([]);
  });

  test.each(Object.keys(commonProblems))('%s is in the table of the api Worker', (code) => {
    expect(findProblemRow(code)).toMatchObject(commonProblems[code as keyof typeof commonProblems]);
  });
});

describe('every row', () => {
  const rows = Object.entries<ReasonRow>({ ...webhookProblems, ...apiProblems });

  test('says what it means and what to do next, each in sentences of its own', () => {
    const wrong = rows.filter(([, { title, means, next }]) =>
      [means, next].some(
        (text) => text.length < 12 || text.length > 240 || !text.endsWith('.') || text.includes(title),
      ),
    );
    expect(wrong.map(([code]) => code)).toEqual([]);
    expect(rows.filter(([, { means, next }]) => means === next).map(([code]) => code)).toEqual([]);
  });

  test('asks for no new payment where the old one may still count (P13)', () => {
    const doubtful = rows.filter(([, { status }]) => status === 503 || status === 429);
    expect(doubtful.length).toBeGreaterThan(15);
    expect(doubtful.filter(([, { next }]) => /new payment|pay again by/i.test(next)).map(([code]) => code)).toEqual([]);
  });

  test('is in the body: what it means where an occurrence says nothing of its own, and always what to do', () => {
    const { means, next } = apiProblems.payment_already_used;
    const build = (details = {}) =>
      buildProblemBody('id', 'https://a.example', buildProblem('payment_already_used', details));
    expect(build()).toMatchObject({ detail: means, next });
    expect(build({ detail: 'Ours' })).toMatchObject({ detail: 'Ours', next });
    expect(build({ next: 'Another way.' })).toMatchObject({ detail: means, next: 'Another way.' });
    expect(next).toMatch(/quote of the 402.*payer proof/);
  });
});

describe('a problem', () => {
  test('has the title of its code, whatever its occurrence says besides', () => {
    const { title, status, means, next } = apiProblems.rate_limited;
    expect(buildProblem('rate_limited', { detail: 'This address', retryAfterS: 7 })).toEqual({
      status,
      code: 'rate_limited',
      title,
      means,
      next,
      detail: 'This address',
      retryAfterS: 7,
    });
  });

  test('has the wait of its row, unless the occurrence knows better', () => {
    expect(buildProblem('ledger_unavailable').retryAfterS).toBe(5);
    expect(buildProblem('ledger_unavailable', { retryAfterS: 9 }).retryAfterS).toBe(9);
    expect(buildProblem('ledger_unavailable', { retryAfterS: undefined }).retryAfterS).toBe(5);
  });

  test('has another status only where its occurrence gives one', () => {
    expect(buildProblem('wrong_host').status).toBe(421);
    expect(buildProblem('wrong_host', { status: 403 }).status).toBe(403);
  });
});

/** What answers programs by problems. Console pages speak to people, and the command line's MCP server has words of its own. */
const ANSWERING = ['routes/api', 'routes/webhook', 'src/sales', 'src/mcp', 'src/notifications'];

test('nothing that answers programs writes a title of its own beside a code', () => {
  const files = ANSWERING.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`));
  expect(files.length).toBeGreaterThan(100);
  const literal = /\bcode: '[a-z_]+',\s*title: ['`]|\btitle: ['`][^\n]*,\s*code: '[a-z_]+'/;
  expect(literal.test("{ status: 404, code: 'not_found', title: 'Gone' }")).toBe(true);
  expect(files.filter((file) => literal.test(readFileSync(file, 'utf8')))).toEqual([]);
});
