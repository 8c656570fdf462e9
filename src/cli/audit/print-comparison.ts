import * as z from 'zod';
import { formatSafeLine } from '../core/safe-text.ts';

const category = z.object({
  category: z.string(),
  winner: z.string(),
  scores: z.object({ url: z.number(), competitor: z.number() }),
  why: z.string(),
});
const copy = z.object({ check_id: z.string(), title: z.string(), points: z.number(), fix: z.string() });
const schema = z.object({
  competitor: z.string().optional(),
  categories: z.array(category),
  copy_first: z.array(copy),
});

const LABEL_WIDTH = 6;

/** The part of a result that compares two sites: who wins each category and why, then what to copy. Empty for others. */
export function formatComparison(result: Record<string, unknown>): string[] {
  const parsed = schema.safeParse(result);
  if (!parsed.success) return [];
  const { competitor, categories, copy_first: first } = parsed.data;
  const against = competitor === undefined ? [] : [`against ${formatSafeLine(competitor)}`, ''];
  const rows = categories.flatMap(({ category: name, winner, scores, why }) => [
    `${formatSafeLine(name).padEnd(LABEL_WIDTH)} ${String(scores.url).padStart(3)} : ${String(scores.competitor).padEnd(3)} ${formatSafeLine(winner)}`,
    `    ${formatSafeLine(why)}`,
  ]);
  const copies = first.flatMap(({ check_id: id, title, points, fix }, index) => [
    `${index + 1}. ${formatSafeLine(title)}  [${formatSafeLine(id)}]${points > 0 ? `  +${points}` : ''}`,
    `    ${formatSafeLine(fix)}`,
  ]);
  return [...against, ...rows, ...(copies.length === 0 ? [] : ['', 'Copy first:', ...copies])];
}
