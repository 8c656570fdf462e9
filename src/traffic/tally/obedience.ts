import { createRecentMap } from '../recent-map.ts';
import { decideRobotsVerdict, parseRobots } from '../../audit/crawlers/facts/robots.ts';

const MAX_JUDGED_PATHS = 10_000;
/** Longest path that is judged; files have shorter patterns. */
const MAX_JUDGED_CHARS = 2_048;

/** Judges paths as they were logged by a robots.txt: whether it keeps an agent from one. */
export function createRobotsJudge(text: string): (token: string, path: string) => boolean {
  const file = parseRobots(text);
  const known = createRecentMap<'allowed' | 'disallowed'>(MAX_JUDGED_PATHS);
  return (token, path) => {
    const cut = path.slice(0, MAX_JUDGED_CHARS);
    const key = `${token} ${cut}`;
    const before = known.get(key);
    if (before !== undefined) return before === 'disallowed';
    const { allowed } = decideRobotsVerdict(file, token, `https://site.invalid${escapeBytes(cut)}`);
    known.set(key, allowed ? 'allowed' : 'disallowed');
    return !allowed;
  };
}

/** Bytes outside ASCII as percent-escapes: what rules are compared with. */
const escapeBytes = (path: string): string =>
  path
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replaceAll(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
