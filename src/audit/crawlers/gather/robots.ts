import type { Gather, Gatherer } from '../../core/gatherer.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** RFC 9309, 2.5: a parser reads at least 500 KiB. What follows is cut. */
export const ROBOTS_BYTES = 500 * 1024;

/** The robots.txt of the start URL's origin. */
export const readRobots = (gather: Gather): Promise<Exchange> =>
  gather.read('robots', {
    url: new URL('/robots.txt', gather.start).href,
    headers: { accept: 'text/plain,*/*;q=0.8' },
    maxBytes: ROBOTS_BYTES,
  });

/** Reads robots.txt. */
export const gatherRobots: Gatherer = async (gather) => {
  await readRobots(gather);
};
