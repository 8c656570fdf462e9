import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { finishSentence } from '../lib/text.ts';

/** A problem as a tool reports it: the members of our HTTP problems that say what to do. */
export type ToolProblem = {
  status: number;
  /** Stable word, listed in the OpenAPI document. */
  code: string;
  title: string;
  means?: string;
  next?: string;
  detail?: string;
  retryAfterS?: number;
  errors?: readonly { pointer: string; message: string }[];
  howToConfigure?: readonly string[];
};

/** Their details quote what a site or an engine said, which no model is shown as our words (rule X4). */
const QUOTING: ReadonlySet<string> = new Set([
  'target_unreachable',
  'measurement_incomplete',
  'nothing_to_generate',
  'result_unavailable',
]);

/** A call that failed as expected: nothing was charged for it unless its title says so. */
export function buildProblemResult(problem: ToolProblem): CallToolResult {
  const { status, code, title, means, next, retryAfterS, errors, howToConfigure } = problem;
  const detail = (QUOTING.has(code) ? undefined : problem.detail) ?? means;
  const words = [
    `${title} (${code}).`,
    ...(detail === undefined ? [] : [finishSentence(detail)]),
    ...(errors ?? []).map(({ pointer, message }) => `${pointer === '' ? 'The arguments' : pointer}: ${message}.`),
    ...(next === undefined ? [] : [finishSentence(next)]),
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
      ...(next === undefined ? {} : { next }),
      ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
      ...(errors === undefined ? {} : { errors: [...errors] }),
      ...(howToConfigure === undefined ? {} : { how_to_configure: [...howToConfigure] }),
    },
  };
}

const indexRow = z.object({ description: z.string(), price_usd: z.string(), available: z.boolean() });

/** The free index: the catalogue as data, and a line for each capability. All of it is ours. */
export function buildIndexResult(index: Record<string, unknown>): CallToolResult {
  const rows = Object.entries(z.record(z.string(), indexRow).parse(index['capabilities']));
  const lines = rows.map(
    ([name, { description, price_usd, available }]) =>
      `${name}: ${description}. ${price_usd} USDC${available ? '' : ', cannot be bought now'}`,
  );
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: index };
}
