import type * as z from 'zod';
import { visibilityFixBody } from '../../capabilities/bodies.ts';
import type { CapabilityTools } from '../../capabilities/capability.ts';
import { runVisibilityFixes } from '../../capabilities/visibility-work.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';

const filling = visibilityFixBody.pick({ url: true, facts: true });

/** What the texts of a fix pack are filled with: a site, facts of the caller, both or neither. */
export type FixFilling = z.infer<typeof filling>;

type FixWords = {
  isPanel?: boolean;
  fixes?: boolean | undefined;
  site?: string | undefined;
  fact?: readonly string[] | undefined;
};

/** `--site` and `--fact name=value`, or what is wrong with them. A panel reads the site for its citations too. */
export function readFixFilling({
  fixes = false,
  isPanel = false,
  site,
  fact = [],
}: FixWords): FixFilling | CommandFailure {
  if (!fixes && ((site !== undefined && !isPanel) || fact.length > 0))
    return refuseUsage('--site and --fact fill texts: add --fixes.');
  const pairs = fact.map((text) => /^([^=]+)=(.+)$/su.exec(text));
  const wrong = pairs.indexOf(null);
  if (wrong !== -1) return refuseUsage(`--fact is written name=value, not ${formatSafeLine(fact[wrong] ?? '')}.`);
  const facts = pairs.map((pair) => ({ name: pair?.[1] ?? '', value: pair?.[2] ?? '' }));
  const read = filling.safeParse({
    ...(site === undefined ? {} : { url: site }),
    ...(facts.length > 0 ? { facts } : {}),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const option = issue?.path[0] === 'url' ? '--site' : '--fact';
  return refuseUsage(formatSafeLine(`${option}: ${issue?.message ?? 'invalid'}`));
}

type Measured = { brand: string; niche: string };

/**
 * The fix pack for the weak spots that were just found. Where nothing fills its texts they are drafts, and a warning says
 * why: a measurement is not thrown away for it.
 */
export async function buildMeasuredFixes(
  { brand, niche }: Measured,
  result: Record<string, unknown>,
  given: FixFilling,
  tools: CapabilityTools,
): Promise<{ members: Record<string, unknown>; warnings: readonly string[] }> {
  const sided = result as { brands?: { brand: object }; pooled?: object }; // Made by us a moment ago, as is its list.
  const { weak_spots: spots } = (sided.brands?.brand ?? sided.pooled ?? result) as { weak_spots: unknown };
  const body = { brand, niche, weak_spots: spots as [] };
  const made = await runVisibilityFixes({ ...body, ...given }, tools);
  const shown = made.ok ? made : await runVisibilityFixes(body, tools);
  const { brand: _brand, niche: _niche, ...members } = shown.ok ? shown.result : {};
  return { members, warnings: made.ok ? [] : [`The texts are drafts (${made.reason}). ${made.detail}`] };
}
