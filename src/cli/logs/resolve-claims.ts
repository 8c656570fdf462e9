import { runForEach } from '../../lib/concurrency.ts';
import { type DnsResolver, findDnsStatement, verifyByDns } from '../../traffic/ranges/verify-by-dns.ts';
import { settleApart, type Tally } from '../../traffic/tally/tally.ts';

/** Addresses whose names are looked up in one run; those beyond are judged by the ranges alone. */
const MAX_DNS_LOOKUPS = 1_000;
/** Lookups at the same time. */
const DNS_LANES = 16;

/** Whose addresses are looked up: those of agents whose owner says how their names end. */
export const lookedUp = { limit: MAX_DNS_LOOKUPS, has: (token: string) => findDnsStatement(token) !== undefined };

/** Asks the names of addresses that the ranges did not verify. What the names leave open stays as the ranges say. @returns how many */
export async function resolveClaims(tally: Tally, resolver: DnsResolver): Promise<number> {
  const waiting = [...tally.agents.values()].flatMap((agent) => agent.apart.map((one) => ({ agent, one })));
  await runForEach(waiting, DNS_LANES, async ({ agent, one }) => {
    const found = await verifyByDns(agent.token, one.address, resolver);
    settleApart(agent, one, found === 'claimed' ? one.verification : found);
  });
  return waiting.length;
}
