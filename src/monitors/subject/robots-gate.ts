import { decideRobotsVerdict, parseRobots } from '../../audit/crawlers/facts/robots.ts';
import { PRODUCT } from '../../lib/product.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import type { GuardedFetch } from '../../net/fetched.ts';

/** The product token of our User-Agent, as robots.txt names it. */
export const AGENT_TOKEN = `${PRODUCT}Bot`;

/** Of the one look at robots.txt before a run: a few redirects (RFC 9309, section 2.3.1.2), and as much text as is parsed. */
export const ROBOTS_LOOK_LIMITS = {
  requests: 6,
  redirects: 5,
  totalBytes: 1_048_576,
  bodyBytes: 524_288,
  wallMs: 10_000,
  fetchMs: 10_000,
} as const satisfies Partial<FetchLimits>;

/** `line`: of the rule, 1-based; `url`: of the file that has it. */
export type RobotsRefusal = { url: string; line: number };

/** The text of a robots.txt. `url`: where it was read, after redirects. */
export type RobotsText = { url: string; text: string };

/** robots.txt of the host of an address; undefined where there is none, or where it cannot be read. */
export async function readHostRobots(read: GuardedFetch, url: string): Promise<RobotsText | undefined> {
  const answer = await read({ url: new URL('/robots.txt', url).href });
  if (!answer.ok || answer.status < 200 || answer.status > 299) return undefined;
  return { url: answer.url, text: new TextDecoder().decode(answer.bytes) };
}

/**
 * Whether a group of robots.txt that names our agent disallows an address: then its owner wants no runs, by no one's
 * order. Rules of `*` are for crawlers and do not count here: an audit is what a person asks for. A file that cannot be read
 * refuses nothing.
 */
export function findRobotsRefusal(robots: RobotsText | undefined, url: string): RobotsRefusal | undefined {
  if (robots === undefined) return undefined;
  const { allowed, named, rule } = decideRobotsVerdict(parseRobots(robots.text), AGENT_TOKEN, url);
  return named && !allowed && rule !== undefined ? { url: robots.url, line: rule.line } : undefined;
}
