import type { CallToolResult } from '@modelcontextprotocol/server';

/** A problem as a tool tells it: the members of our HTTP problems that say what to do. */
export type ToolProblem = {
  status: number;
  /** Stable word, listed in the OpenAPI document. */
  code: string;
  title: string;
  detail?: string;
  retryAfterS?: number;
  errors?: readonly { pointer: string; message: string }[];
  howToConfigure?: readonly string[];
};

/** Their details quote what a site or an engine said, which no model is shown as our words (rule X4). */
const QUOTING: ReadonlySet<string> = new Set(['target_unreachable', 'measurement_incomplete', 'result_unavailable']);

/** A call that failed as expected: nothing was charged for it unless its title says so. */
export function problemResult(problem: ToolProblem): CallToolResult {
  const { status, code, title, retryAfterS, errors, howToConfigure } = problem;
  const detail = QUOTING.has(code) ? undefined : problem.detail;
  const words = [
    `${title} (${code}).`,
    ...(detail === undefined ? [] : [`${detail}.`]),
    ...(errors ?? []).map(({ pointer, message }) => `${pointer === '' ? 'The arguments' : pointer}: ${message}.`),
    ...(retryAfterS === undefined ? [] : [`Try again in ${retryAfterS} s.`]),
  ];
  return {
    isError: true,
    content: [{ type: 'text', text: words.join(' ') }],
    structuredContent: {
      code,
      title,
      status,
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
      ...(errors === undefined ? {} : { errors: [...errors] }),
      ...(howToConfigure === undefined ? {} : { how_to_configure: [...howToConfigure] }),
    },
  };
}
