import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problems as webhookProblems } from '../../src/notifications/operator-api/problems-data.ts';
import { apiProblems, buildProblem, findProblemRow } from '../../src/problems/codes.ts';
import { commonProblems } from '../../src/problems/common.ts';
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

describe('a problem', () => {
  test('has the title of its code, whatever its occurrence says besides', () => {
    const { title, status } = apiProblems.rate_limited;
    expect(buildProblem('rate_limited', { detail: 'This address', retryAfterS: 7 })).toEqual({
      status,
      code: 'rate_limited',
      title,
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
