import { classifyHost } from '../../net/address.ts';
import { normaliseTargetHost } from '../../rate-limits/target-gate.ts';
import type { Parts } from './parts.ts';

/**
 * Does work that reads a site, at a place in front of its host where that is someone's (rule F6).
 * @param id names the place while it is held
 * @returns undefined when it is done; else nothing was, for others are reading the host: seconds to wait, which
 * `findBusyUntilMs` knows then
 */
export async function runAtHost(
  { tools, own }: Pick<Parts, 'tools' | 'own'>,
  url: string,
  id: string,
  work: () => Promise<void>,
): Promise<number | undefined> {
  if (!isPublic(url)) {
    await work();
    return undefined;
  }
  const host = getHost(url);
  const waitS = await tools.enter(host, id);
  if (waitS !== undefined) {
    own.setWord('busy_host', host);
    own.setTime('host_busy', tools.now() + waitS * 1000);
    return waitS;
  }
  try {
    await work();
  } finally {
    await tools.leave(host, id);
  }
  return undefined;
}

/** The host is one of the internet's. */
export const isPublic = (url: string): boolean => classifyHost(new URL(url).hostname).kind === 'public';

/** Until when others have the host of an address, Unix milliseconds; 0 where that is not known. */
export const findBusyUntilMs = ({ own }: Pick<Parts, 'own'>, url: string | undefined): number =>
  url !== undefined && own.word('busy_host') === getHost(url) ? own.time('host_busy') : 0;

const getHost = (url: string): string => normaliseTargetHost(new URL(url).hostname);

/** What a log says of it. */
export const waitLine = (waitS: number) =>
  ({ level: 'info', action: 'wait', message: `Others are reading this host: on in ${waitS} s` }) as const;
