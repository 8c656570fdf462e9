import { decodeBody } from '../../../src/audit/core/decode.ts';
import { decideRobotsVerdict, parseRobots, type RobotsFile } from '../../../src/audit/crawlers/facts/robots.ts';
import { askedAgents } from './agents-data.ts';
import type { Decisions } from './decisions.ts';
import { type Reading, type Reason, reasons } from './reasons.ts';

const ORIGIN = 'https://acme.example';

/** A path as the whole address that parsers are given. */
export const toAskedUrl = (path: string): string => `${ORIGIN}${path}`;

/** What our matcher decides for every agent and path, with the file taken as these reasons say that Google's parser takes it. */
export function decideOurs(
  bytes: Uint8Array<ArrayBuffer>,
  paths: readonly string[],
  ids: readonly string[],
): Decisions {
  const reading = reasons
    .filter(({ id }) => ids.includes(id))
    .reduce((done: Reading, { toGoogles }: Reason) => toGoogles(done, bytes), {
      parts: [decodeBody(bytes, 'text/plain')],
      toPath: (path) => path,
    });
  const groups = reading.parts.flatMap((part) => parseRobots(part).groups);
  const file: RobotsFile = { groups, sitemaps: [], others: [], broken: 0 };
  const urls = paths.map((path) => toAskedUrl(reading.toPath(path)));
  return askedAgents.map((agent) =>
    urls.map((url) => (decideRobotsVerdict(file, agent, url).allowed ? '1' : '0')).join(''),
  );
}

/** How many decisions differ between two sets about the same agents and paths. */
export function countDifferences(one: Decisions, other: Decisions): number {
  let count = 0;
  for (const [index, row] of one.entries()) {
    const beside = other[index] ?? '';
    if (row !== beside) for (let at = 0; at < row.length; at += 1) count += Number(row[at] !== beside[at]);
  }
  return count;
}
