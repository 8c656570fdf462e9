import { waitOrAbort } from '../../net/deadline.ts';
import { classifyAddress, withoutTrailingDot } from '../../net/address.ts';
import { ADDRESS_WORDS, joinAddressWords, readAddressWords } from '../../net/address-words.ts';
import { agentSources, type DnsStatement } from './agent-sources-data.ts';
import type { Verification } from './verify.ts';

/** Looks names up. An empty list means that there is none; a lookup that failed rejects, which is never "no". */
export type DnsResolver = {
  /** The names of an address. */
  reverse: (address: string) => Promise<readonly string[]>;
  /** The addresses of a name, of one family. */
  forward: (name: string, family: 4 | 6) => Promise<readonly string[]>;
};

/** Time for all lookups about one address. */
export const DNS_VERIFY_MS = 5_000;
/** Names of one address that are read; crawlers have one. */
export const MAX_REVERSE_NAMES = 8;

const MAX_NAME_CHARS = 255;
const MAPPED = /^::ffff:(?=\d+\.)/i;

const statements = new Map<string, DnsStatement>(
  agentSources.flatMap(({ tokens, dns }) => (dns === undefined ? [] : tokens.map((token) => [token, dns] as const))),
);

/** What the owner of an agent says of the names of its addresses; undefined where it says nothing. */
export const findDnsStatement = (token: string): DnsStatement | undefined => statements.get(token);

/**
 * Judges one visitor by its names: the address has a name under a suffix that the owner documents, and that name has the
 * address. Anyone may give an address any name, so the second lookup decides. No name, or names of others: `pretended`.
 */
export async function verifyByDns(
  token: string,
  address: string,
  resolver: DnsResolver,
  limitMs = DNS_VERIFY_MS,
): Promise<Verification> {
  const statement = findDnsStatement(token);
  const asked = address.replace(MAPPED, '');
  const value = parseAddress(asked);
  if (statement === undefined || value === undefined || classifyAddress(asked).kind !== 'public') return 'claimed';
  if (statement.family !== undefined && statement.family !== value.family) return 'claimed';
  const signal = AbortSignal.timeout(limitMs);
  const names = await lookUp(resolver.reverse(asked), signal);
  if (names === undefined) return 'claimed';
  const own = names.slice(0, MAX_REVERSE_NAMES).filter((name) => hasSuffix(name, statement.suffixes));
  const answers = await Promise.all(
    own.map(async (name) => await lookUp(resolver.forward(withoutTrailingDot(name), value.family), signal)),
  );
  const agrees = answers.some((found) => found?.some((text) => parseAddress(text)?.key === value.key) ?? false);
  if (agrees) return 'verified';
  return answers.includes(undefined) || names.length > MAX_REVERSE_NAMES ? 'claimed' : 'pretended';
}

async function lookUp(work: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    return await waitOrAbort(work, signal);
  } catch {
    return undefined;
  }
}

/** Whether a name lies below a suffix: `a.search.msn.com` does, `asearch.msn.com` does not. */
function hasSuffix(name: string, suffixes: readonly string[]): boolean {
  const bare = withoutTrailingDot(name).toLowerCase();
  return bare.length <= MAX_NAME_CHARS && suffixes.some((suffix) => bare.endsWith(`.${suffix}`));
}

function parseAddress(text: string): { family: 4 | 6; key: string } | undefined {
  const words = new Uint32Array(ADDRESS_WORDS);
  const family = readAddressWords(text.replace(MAPPED, ''), words);
  return family === 0 ? undefined : { family, key: `${family} ${joinAddressWords(words)}` };
}
