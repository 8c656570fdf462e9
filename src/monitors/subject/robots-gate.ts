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

/**
 * Whether a group of robots.txt that names our agent disallows an address: then its owner wants no runs, by no one's
 * order. Rules of `*` are for crawlers and do not count here: an audit is what a person asks for. A file that cannot be read
 * refuses nothing.
 */
export async function findRobotsRefusal(read: GuardedFetch, url: string): Promise<RobotsRefusal | undefined> {
  const answer = await read({ url: new URL('/robots.txt', url).href });
  if (!answer.ok || answer.status < 200 || answer.status > 299) return undefined;
  return judgeRobotsText(new TextDecoder().decode(answer.bytes), url, answer.url);
}

/** The same of the text. @param fileUrl where it was read */
export function judgeRobotsText(text: string, url: string, fileUrl: string): RobotsRefusal | undefined {
  const { allowed, named, rule } = decideRobotsVerdict(parseRobots(text), AGENT_TOKEN, url);
  return named && !allowed && rule !== undefined ? { url: fileUrl, line: rule.line } : undefined;
}
