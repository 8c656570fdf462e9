import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import type { CloudflareStandIn } from './stand-in.ts';

/**
 * Has every `fetch` of this process reach the hosts of a stand-in, by https under their names; all others are dialled as
 * before. @returns what ends that
 */
export function dialStandIn({ hosts, authority }: Pick<CloudflareStandIn, 'hosts' | 'authority'>): () => void {
  const before = getGlobalDispatcher();
  const dial = buildConnector({ ca: [...rootCertificates, readFileSync(authority, 'utf8')] });
  const agent = new Agent({
    connect: (options, callback) => {
      const target = hosts().get(options.hostname);
      if (target === undefined) return dial(options, callback);
      const { hostname, port, host } = new URL(target);
      return dial({ ...options, host, hostname, port, servername: options.hostname }, callback);
    },
  });
  setGlobalDispatcher(agent);
  return () => {
    setGlobalDispatcher(before);
    void agent.close();
  };
}
