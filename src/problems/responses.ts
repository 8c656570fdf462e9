import { apiProblems, type ProblemRow } from './codes.ts';

type CodedRow = ProblemRow & { code: string };

/** Problem responses of an OpenAPI operation, grouped by status, each code as an example. */
export function describeProblemResponses(chosen: (row: CodedRow) => boolean): Record<string, unknown> {
  const byStatus = new Map<number, CodedRow[]>();
  for (const [code, row] of Object.entries(apiProblems)) {
    const full = { ...row, code };
    if (chosen(full)) byStatus.set(row.status, [...(byStatus.get(row.status) ?? []), full]);
  }
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, describeProblemResponse(rows)]));
}

function describeProblemResponse(rows: readonly CodedRow[]): Record<string, unknown> {
  const examples = rows.map(({ code, title, status }) => [
    code,
    { value: { type: `/problems/${code}`, title, status, code, request_id: '4bf92f3577b34da6a3ce929d0e0e4736' } },
  ]);
  return {
    description: rows.map((row) => row.title).join('; '),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
