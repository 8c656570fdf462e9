import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';
import { aiAgents } from '../../src/audit/crawlers/facts/ai-agents-data.ts';

const SEED = 'access-log';
const BLOCK_CHARS = 1024 * 1024;
const START_MS = Date.UTC(2026, 9, 1);
const LINES_A_SECOND = 4;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const browsers = (next: () => number): readonly string[] =>
  Array.from({ length: 600 }, () => {
    const version = 110 + Math.floor(next() * 33);
    const build = `${version}.0.${Math.floor(next() * 7000)}.${Math.floor(next() * 200)}`;
    const systems = [
      'Windows NT 10.0; Win64; x64',
      'Macintosh; Intel Mac OS X 10_15_7',
      'X11; Linux x86_64',
      'Linux; Android 14; SM-S918B',
    ];
    return next() < 0.3
      ? `Mozilla/5.0 (iPhone; CPU iPhone OS 17_${Math.floor(next() * 6)} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.${Math.floor(next() * 6)} Mobile/15E148 Safari/604.1`
      : `Mozilla/5.0 (${systems[Math.floor(next() * systems.length)]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${build} Safari/537.36`;
  });

const programs = [
  'curl/8.5.0',
  'python-requests/2.31.0',
  'Go-http-client/1.1',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
  'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
  '-',
];

const referrers = [
  '-',
  '-',
  'https://www.example.com/',
  'https://www.example.com/products',
  'https://www.google.com/',
  'https://chatgpt.com/',
  'https://www.perplexity.ai/',
];

function takeAt<T>(list: readonly T[], share: number): T {
  const found = list[Math.floor(share * list.length)];
  if (found === undefined) throw new Error('the list is empty');
  return found;
}

const pick = <T>(list: readonly T[], next: () => number): T => takeAt(list, next());

/** Most requests are of few of them. */
const pickSkewed = <T>(list: readonly T[], next: () => number): T => takeAt(list, next() ** 3);

const address = (next: () => number): string =>
  `${Math.floor(next() * 200) + 20}.${Math.floor(next() * 256)}.${Math.floor(next() * 256)}.${Math.floor(next() * 256)}`;

const pages = (next: () => number): readonly string[] =>
  Array.from({ length: 20_000 }, (_, at) =>
    next() < 0.2
      ? `/orders/${Math.floor(next() * 1e9)}/status`
      : `/${pick(['blog', 'products', 'docs', 'help'], next)}/${pick(['how-to', 'guide-for', 'the-best', 'about'], next)}-${at}-${pick(['shoes', 'tables', 'invoices', 'gardens'], next)}`,
  );

const assets = Array.from(
  { length: 300 },
  (_, at) => `/assets/${['app', 'chunk', 'image', 'font'][at % 4]}-${at}.${['css', 'js', 'webp', 'woff2'][at % 4]}`,
);

/**
 * Writes an access log of the combined format: the same lines for the same number. Three quarters by people, an eighth by
 * agents of the roster, the rest by other programs; about 200 bytes a line.
 * @returns its size in bytes
 */
export function generateLog(file: string, lines: number): number {
  const next = createRandomFromSeed(SEED);
  const agents = aiAgents.flatMap(({ userAgent }) => (userAgent === undefined ? [] : [userAgent]));
  const [people, known] = [browsers(next), pages(next)];
  const visitors = Array.from({ length: 200_000 }, () => address(next));
  const agentAddresses = Array.from({ length: 3_000 }, () => address(next));
  const out = openSync(file, 'w');
  let [block, bytes] = ['', 0];
  try {
    for (let at = 0; at < lines; at += 1) {
      const kind = next();
      const isPerson = kind < 0.75;
      const userAgent = isPerson ? pickSkewed(people, next) : pick(kind < 0.875 ? agents : programs, next);
      const path = isPerson && next() < 0.5 ? pick(assets, next) : pickSkewed(known, next);
      const query = next() < 0.1 ? `?utm_source=mail&id=${Math.floor(next() * 1e6)}` : '';
      const from = isPerson ? pickSkewed(visitors, next) : pickSkewed(agentAddresses, next);
      const status = next() < 0.93 ? 200 : pick([301, 304, 403, 404, 500], next);
      block += `${from} - - [${formatTime(START_MS + (at / LINES_A_SECOND) * 1000)}] "GET ${path}${query} HTTP/1.1" ${status} ${Math.floor(next() * 60_000)} "${isPerson ? pick(referrers, next) : '-'}" "${userAgent}"\n`;
      if (block.length >= BLOCK_CHARS || at === lines - 1) {
        bytes += writeSync(out, block, null, 'latin1');
        block = '';
      }
    }
  } finally {
    closeSync(out);
  }
  return bytes;
}

let [lastSecond, lastText] = [-1, ''];
function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    const iso = new Date(ms).toISOString();
    lastText = `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
    lastSecond = second;
  }
  return lastText;
}
