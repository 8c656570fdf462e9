import { runForEach } from '../../lib/concurrency.ts';
import { type DnsResolver, findDnsStatement, verifyByDns } from '../ranges/verify-by-dns.ts';
import type { Verification } from '../ranges/verify.ts';
import type { AgentTally } from './agent-tally.ts';
import { mergeCounts } from './counts.ts';
import type { TrafficTally } from './tally.ts';

/** Addresses whose names are looked up in one run; those beyond are judged by the ranges alone. */
export const MAX_DNS_LOOKUPS = 1_000;
/** Lookups at the same time. */
const DNS_LANES = 16;

/** Whose addresses are looked up: those of agents whose owner says how their names end. */
export const lookedUp = { limit: MAX_DNS_LOOKUPS, has: (token: string) => findDnsStatement(token) !== undefined };

/** Asks the names of addresses that the ranges did not verify. What the names leave open stays as the ranges say. @returns how many */
export async function settleClaims(tally: TrafficTally, resolver: DnsResolver): Promise<number> {
  const waiting = [...tally.agents.values()].flatMap((agent) => agent.apart.map((one) => ({ agent, one })));
  await runForEach(waiting, DNS_LANES, async ({ agent, one }) => {
    const found = await verifyByDns(agent.token, one.address, resolver);
    settleApart(agent, one, found === 'claimed' ? one.verification : found);
  });
  return waiting.length;
}

/** Puts what was counted of one address to the state that its names came to. */
function settleApart(agent: AgentTally, { counts }: AgentTally['apart'][number], verification: Verification): void {
  const state = agent.states[verification];
  if (counts.isPretended !== state.isPretended)
    for (const [page, times] of counts.pages) page.agents += state.isPretended ? -times : times;
  mergeCounts(state, counts);
}
