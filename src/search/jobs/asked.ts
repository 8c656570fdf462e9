import type { SiteNetwork } from '../crawl/site-fetch.ts';
import type { Parts } from './parts.ts';

/** Requests of one instance to its site, redirects among them. */
export const MAX_REQUESTS_PER_HOUR = 2_000;
const HOUR_MS = 3_600_000;

/** The network of an object, which counts what sites are asked. */
export function countedNetwork({ tools, own }: Pick<Parts, 'tools' | 'own'>): SiteNetwork {
  const { network } = tools;
  return {
    ...network,
    fetch: (url, init) => {
      const isNew = tools.now() >= own.time('asked_from') + HOUR_MS;
      if (isNew) own.setTime('asked_from', tools.now());
      own.setWord('asked', String(isNew ? 1 : Number(own.word('asked')) + 1));
      return network.fetch(url, init);
    },
  };
}

/** When a site may be asked again, Unix milliseconds; 0: now. */
export function restMs({ tools, own }: Pick<Parts, 'tools' | 'own'>): number {
  const untilMs = own.time('asked_from') + HOUR_MS;
  return tools.now() < untilMs && Number(own.word('asked')) >= MAX_REQUESTS_PER_HOUR ? untilMs : 0;
}
