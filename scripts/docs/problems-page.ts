import { apiProblems } from '../../src/problems/codes.ts';
import { problems as webhookProblems } from '../../src/notifications/operator-api/problems-data.ts';
import { escapeProse, formatCode, formatGeneratedPage, formatTable } from './markdown.ts';

/** What a row of a table of problems says. */
type Row = { status: number; title: string; means: string; next: string; retryAfterS?: number | undefined };

/** Every code of both Workers; the api Worker's row where both have one. */
export const listProblems = (): readonly (readonly [code: string, row: Row, sentBy: string])[] => {
  const shared = Object.keys(webhookProblems).filter((code) => Object.hasOwn(apiProblems, code));
  const ofApi = Object.entries<Row>(apiProblems).map(
    ([code, row]) => [code, row, shared.includes(code) ? 'api and webhook Worker' : 'api Worker'] as const,
  );
  const ofWebhook = Object.entries<Row>(webhookProblems)
    .filter(([code]) => !shared.includes(code))
    .map(([code, row]) => [code, row, 'webhook Worker'] as const);
  return [...ofApi, ...ofWebhook].toSorted(([a, one], [b, other]) => one.status - other.status || a.localeCompare(b));
};

/** `docs/reference/problems.md`: a section for each code, whose anchor is the code. */
export const problemsPage = (): string => {
  const rows = listProblems();
  return formatGeneratedPage(
    'Problems',
    '`src/problems/codes.ts` and `src/notifications/operator-api/problems-data.ts`',
    [
      'Every refusal is a problem (RFC 9457, `application/problem+json`). Its `type` is an address that opens the section of its code on this page. Programs branch on `code`, which never changes its meaning; `detail` says what was special about this case; `request_id` finds the request in the log.',
      'The body of a 402 has `type`, `title`, `status`, `code` and `request_id` of a problem beside the terms of x402; its media type is `application/json`, as x402 clients expect, and `error` says what a `detail` would. It has challenges of MPP in `WWW-Authenticate` as well. 402 always means that a new payment is the right next step. On 409 and 503 repeat the same request with the same header: you are not charged twice.',
      '## All codes',
      formatTable(
        ['Status', 'Code', 'What happened'],
        rows.map(([code, { status, title }]) => [
          String(status),
          `[${formatCode(code)}](#${code})`,
          escapeProse(title),
        ]),
      ),
      ...rows.flatMap(([code, row, sentBy]) => renderProblem(code, row, sentBy)),
    ],
  );
};

function renderProblem(code: string, row: Row, sentBy: string): readonly string[] {
  const { status, title, retryAfterS, means, next } = row;
  return [
    `## ${code}`,
    `**${escapeProse(title)}.** ${escapeProse(means)}`,
    `What to do next: ${escapeProse(next)}`,
    `Status ${status}${retryAfterS === undefined ? '' : `, with \`Retry-After: ${retryAfterS}\` unless the answer knows better`}. Sent by the ${sentBy}.`,
  ];
}
