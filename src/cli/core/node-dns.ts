import { Resolver } from 'node:dns/promises';
import { formatReverseName } from '../../net/address-words.ts';
import type { DnsResolver } from '../../traffic/ranges/verify-by-dns.ts';

/** Answers that say that there is no such name or address. Others are failures, of which nothing follows. */
const NO_ANSWER = new Set(['ENOTFOUND', 'ENODATA']);
const QUERY_MS = 2_000;
const TRIES = 2;

/** The resolver of this machine, or the servers that are given (`127.0.0.1:5300`). */
export function createNodeResolver(servers?: readonly string[]): DnsResolver {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    // `resolver.reverse` says ENOTFOUND where a server failed, too.
    reverse: async (address) => await emptyWhenNone(resolver.resolvePtr(formatReverseName(address) ?? address)),
    forward: async (name, family) =>
      await emptyWhenNone(family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
  };
}

async function emptyWhenNone(work: Promise<string[]>): Promise<readonly string[]> {
  try {
    return await work;
  } catch (error) {
    if (NO_ANSWER.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
