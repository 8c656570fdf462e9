import type { EnvironmentGroup } from '../../migration.ts';
import { run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { sh } from '../shell.ts';

/** A name that a request can be made to: any name fits a wildcard. */
const concrete = (host: string): string => (host === '*' ? '$PROBE_HOST' : host.replace(/^\*\./, 'probe.'));

/** The certificate that the ingress shows for each host name; fails where none is shown. */
export const handshakes = ({ groups }: PlanContext): readonly Command[] =>
  [...new Set(groups.flatMap(({ hostnames }) => hostnames.map(concrete)))].map((host) =>
    run(sh`openssl s_client -connect "$INGRESS_IP:443" -servername ${host} </dev/null 2>/dev/null |
  openssl x509 -noout -subject -dates`),
  );

/** One request for each host name and base path of an environment, past DNS, straight to the ingress. */
export const probes = ({ groups }: PlanContext, environment: string): readonly Command[] =>
  groups
    .filter(({ environments }) => environments.includes(environment))
    .flatMap((group) =>
      group.hostnames.flatMap((host) => pathsOf(group, environment).map((path) => probe(host, path))),
    );

const pathsOf = (group: EnvironmentGroup, environment: string): readonly string[] =>
  group.basePaths[environment] ?? ['/'];

function probe(host: string, path: string): Command {
  const name = concrete(host);
  return run(
    sh`curl -gsS -o /dev/null -w '%{http_code}\\n' --resolve ${`${name}:443:$INGRESS_IP`} ${`https://${name}${escapedPath(path)}`}`,
  );
}

/** A path without the characters that would end it; `*` in a path of 1.2 stands for any segment. */
const escapedPath = (path: string): string =>
  (path.startsWith('/') ? path : `/${path}`).replaceAll(/[?#\s\\]/g, encodeURIComponent);
