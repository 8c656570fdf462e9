import type { EnvironmentGroup } from '../../core/migration.ts';
import { run, buildScriptFile } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { toScript, sh, type Script } from '../shell.ts';

/** A name that a request can be made to: any name fits a wildcard. */
const toConcreteHost = (host: string): string => (host === '*' ? '$PROBE_HOST' : host.replace(/^\*\./, 'probe.'));

const formatHostWords = (hosts: readonly string[]): Script =>
  toScript([...new Set(hosts.map(toConcreteHost))].map((host) => sh`${host}`).join(' '));

/** The certificate that the ingress shows for each host name; fails where none is shown. */
export const buildHandshakeCheck = ({ groups }: PlanContext): Command =>
  run(sh`failed=
for host in ${formatHostWords(groups.flatMap(({ hostnames }) => hostnames))}; do
  echo "$host"
  openssl s_client -connect "$INGRESS_IP:443" -servername "$host" </dev/null 2>/dev/null |
    openssl x509 -noout -subject -dates -checkend 0 || failed=yes
done
[ -z "$failed" ]`);

/**
 * One request for each host name and base path. What is written for a file grows with its size: host names and paths
 * meet when the script runs.
 */
const formatProbeScript = ({ groups }: PlanContext): string =>
  [
    `# sh probes.sh write|compare|dns [ENVIRONMENT]: one request for each host name and base path.
# write: prints status, host name and path; 000 is no answer, and 5xx none that proves anything. compare: looks for the same in probes-before.txt.
# dns: compares too, but finds the address by DNS; the others go straight to INGRESS_IP.
# It ends with 0 if everything was answered, and as before.
mode=\${1:?write, compare or dns} only=\${2-} failed=0
wanted() { [ -z "$only" ] || [ "$only" = "$1" ]; }
answer() {
  if [ "$mode" = dns ]; then set -- "https://$1$2"; else set -- --resolve "$1:443:$INGRESS_IP" "https://$1$2"; fi
  curl \${CURL_OPTIONS-} -gsS -o /dev/null -w '%{http_code}' "$@" </dev/null
}
probe() {
  code=$(answer "$1" "$2") || code=000
  line="$code $1 $2"
  printf '%s\\n' "$line"
  if [ "$code" = 000 ]; then
    echo "No answer: $line" >&2
    failed=1
  elif [ "$mode" = write ]; then
    case $code in 5??) echo "An error of the server: $line" >&2 && failed=1 ;; esac
  elif ! grep -Fqx -e "$line" probes-before.txt; then
    echo "Not as in probes-before.txt: $line" >&2
    failed=1
  fi
}`,
    ...groups.flatMap((group, index) => formatGroupProbes(group, index)),
    'exit "$failed"',
  ].join('\n');

const formatGroupProbes = (group: EnvironmentGroup, index: number): readonly string[] => [
  sh`group_${toScript(String(index))}() {
  for host in ${formatHostWords(group.hostnames)}; do
    for path in "$@"; do probe "$host" "$path"; done
  done
}`,
  ...group.environments.map((environment) => {
    const paths = group.basePaths[environment] ?? ['/'];
    return sh`wanted ${environment} && group_${toScript(String(index))} ${toScript(paths.map((path) => sh`${escapeUrlPath(path)}`).join(' '))}`;
  }),
];

/** Must be written before anything is changed: later probes compare with its results. */
export const probeScript = (context: PlanContext): Command =>
  buildScriptFile(
    'probes.sh',
    formatProbeScript(context),
    'Writes probes.sh, which later steps run: one request for each host name and base path. A path that no proxy answers (404 under 1.2 too) proves nothing: put that of a deployed proxy in its place. Where curl does not trust the certificates, set CURL_OPTIONS, such as "--cacert ca.pem".',
  );

export const buildAllProbes = (): Command => run('sh probes.sh compare');
export const buildEnvironmentProbes = (environment: string): Command => run(sh`sh probes.sh compare ${environment}`);

/** Escapes the characters that would end a path; `*` in a 1.2 path matches any segment. */
const escapeUrlPath = (path: string): string =>
  (path.startsWith('/') ? path : `/${path}`).replaceAll(/[?#\s\\]/g, encodeURIComponent);
