import type { PromisedGains } from '../core/promised-gains.ts';
import type { PackedFix } from './fix.ts';

/** What the points of a fix wait for; '' for one that can be deployed as it is, and for fixes of before. */
export function formatFixCondition({
  state,
  facts_needed: facts,
}: {
  state?: PackedFix['state'] | undefined;
  facts_needed: readonly string[];
}): string {
  if (state === 'draft')
    return facts.length === 1 ? 'once its fact is filled in' : `once its ${facts.length} facts are filled in`;
  return state === 'work' ? 'once the work is done' : '';
}

const SCORE_WORDS = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' } as const;

/** What a fix pack can bring, in one sentence or a few; '' where it does not say. */
export function formatPromise(promised: PromisedGains | undefined): string {
  if (!promised) return '';
  const gains = (state: keyof PromisedGains): string =>
    (Object.keys(SCORE_WORDS) as (keyof typeof SCORE_WORDS)[])
      .flatMap((name) =>
        promised[state][name] === undefined ? [] : [`+${promised[state][name]} ${SCORE_WORDS[name]}`],
      )
      .join(', ');
  const [ready, draft, work] = [gains('ready'), gains('draft'), gains('work')];
  return [
    ready === '' ? 'No score changes by what can be deployed as it is.' : `What can be deployed as it is: ${ready}.`,
    ...(draft === '' ? [] : [`With your facts filled in: ${draft} more.`]),
    ...(work === '' ? [] : [`With the work that no file does: ${work} more.`]),
  ].join(' ');
}
