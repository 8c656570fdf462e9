import { MAX_OVERRIDES_CHARS } from '../../hybrid/core/source.ts';

/** What everything that migrates takes. */
const VALUES = `      --group OLD=NEW                    the environment group of the virtual host OLD is named NEW; several may be given
      --instance-id <id>                 instanceID (default: cluster name and region)
      --region <region>                  gcp.region where the file has none (default: k8sCluster.region)
      --connect-agent-sa <path>          connectAgent.serviceAccountPath (default: that of mart)
      --metrics-sa <path>                metrics.serviceAccountPath
      --watcher-sa <path>                watcher.serviceAccountPath (default: that of mart, with watcher for mart)
      --enable-connect                   agree that Connect runs although the file has connectAgent.enabled: false
      --production | --no-production     whether Cassandra must have three replicas or a multiple
                                         (default: one replica passes as a trial, any other number must be a multiple)
`;

/** How each command goes, as `sightline hybrid <command> --help` prints it. */
export const HYBRID_COMMANDS = {
  sample: `  sightline hybrid sample
                                         a whole overrides file of 1.2 to try the commands with, on standard output
`,
  check: `  sightline hybrid check <file> [options]
                                         every problem of an overrides file, one a line: file:line:col code message; fix
      --strict                           exit 1 for warnings too
      --json                             { file, version, isFragment, ok, problems }
${VALUES}`,
  migrate: `  sightline hybrid migrate <file> [options]
                                         the 1.3 file, as a diff unless -o or --write is given; patch -p0 applies it, in the
                                         folder of the file if its path is absolute or goes up
      -o <file>                          write it there, and environment-groups.json beside it; a file with other
                                         groups is saved as environment-groups.json.bak
      -o -                               write it to standard output; environment-groups.json only with --groups-file
      --write                            change the file itself, after a backup (<file>.1.2.bak)
      --groups-file <file>               write environment-groups.json there
      --force                            replace existing files that have other content, without a backup
      --json                             what was found, changed and written, with the diff and the new text (overrides)
${VALUES}`,
  plan: `  sightline hybrid plan <file> --kubectl <version> [options]
                                         the upgrade step by step, for the 1.2 file: commands, checks, undo
      --kubectl <version>                of the cluster tool, such as 1.18
      --platform <name>                  managed (default), multi-cloud or attached
      --envs-one-by-one                  environments one after the other
      --out-name <file>                  name of the 1.3 file (default: <file> with -1.3 before the extension)
      --out <folder>                     write it as a folder to review and to run: plan.md (4 pages at most), a script
                                         for each step and each undo, and the scripts that they share
      --force                            with --out: replace the plan in a folder that is not empty
      --markdown | --json                instead of text; of a refused file, JSON has ok: false and why
${VALUES}`,
  'seed-host': `  sightline hybrid seed-host <file> --set <address> -o <file> [options]
                                         a copy of the 1.3 file in which new Cassandra nodes join the ring of the old
                                         ones; for one step of the plan only
      --set <address>                    IPv4 or IPv6 address of an old Cassandra node
      -o <file>                          the copy
      --force                            replace it if it exists with other content
`,
  verify: `  sightline hybrid verify <facts.json> [options]
                                         which preconditions hold, by facts of the cluster: holds, fails or unknown
      --overrides <file>                 the overrides file, whose groups are compared; with the flags of its migration
      --step <number>                    after this step of the plan: only what must hold by then counts
      --json                             the same as JSON
`,
} as const;

const ENDING = `<file> may be - for standard input where nothing is written in its place. An overrides file may have
${MAX_OVERRIDES_CHARS.toLocaleString('en-US')} characters; no file over 1 MiB is read.

Exit status: 0 done, 1 the file has errors (check, migrate, plan, seed-host) or a precondition does not hold (verify);
2 wrong usage, or a file that cannot be read or written. With 1 or 2 all files are as they were; only when standard output
fails at the end (2) they may be written already.
`;

/** What `sightline hybrid --help` prints. */
export const HYBRID_USAGE = `sightline hybrid: the upgrade of a hybrid runtime from 1.2 to 1.3.6

Nothing here touches a cluster: files are checked and written, and the plan says what to run. To try it: sample.
In this order:

  1. check      finds what stops the upgrade, or asks for a look, in overrides.yaml
  2. migrate    shows, then writes, the 1.3 file and environment-groups.json
  3. plan       writes the procedure: exact commands, the check after each step, how to undo it
  4. verify     says from facts of the cluster whether the upgrade can start
  5. seed-host  during the upgrade: the copy that joins old and new Cassandra nodes

${Object.values(HYBRID_COMMANDS).join('')}
Example:
  sightline hybrid sample > overrides.yaml                         # where you have no file at hand
  sightline hybrid check overrides.yaml --production
  sightline hybrid migrate overrides.yaml                          # the diff: nothing is written
  sightline hybrid migrate overrides.yaml -o overrides-1.3.yaml --instance-id prod-eu-1
  sightline hybrid check overrides-1.3.yaml --strict
  sightline hybrid plan overrides.yaml --kubectl 1.18 --instance-id prod-eu-1 --out plan
  sightline hybrid verify facts.json --overrides overrides.yaml
  sightline hybrid seed-host overrides-1.3.yaml --set 10.4.0.7 -o overrides-1.3-seed.yaml   # when the plan says so

${ENDING}`;

/** What `sightline hybrid <command> --help` prints. */
export const formatHybridUsage = (name: keyof typeof HYBRID_COMMANDS): string => `${HYBRID_COMMANDS[name]}\n${ENDING}`;
