import { type ParseArgsConfig, parseArgs } from 'node:util';
import { engineKinds } from '../../models/port.ts';
import { formats } from '../audit/formats.ts';

const formatChoice = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
/** Where the right column of the text begins. */
const COLUMN = 41;
const formatLines = formats
  .map(({ name, description }) => `${name.padEnd(6)} ${description}`)
  .join(`\n${' '.repeat(COLUMN)}`);
/** Those that need no binding of the platform. */
const engineNames = formatChoice(engineKinds.filter((kind) => kind !== 'workers-ai'));

/** What `sightline help` prints; README shows the same commands. */
export const USAGE = `sightline: what AI systems can see of a website

  sightline audit <url> [options]        audit a site from this machine, free
      --only aeo,geo,agent,mcp           only these scores
      --min-score 80 | aeo=80,mcp=50     exit 1 when a score is lower; 2 when one of the list does not apply
      --baseline <file>                  exit 1 when a check or score is worse than in this report or snapshot; 2 when
                                         another rubric judged the report: a snapshot is judged again
      --rubric <version>                 exit 2 when this build judges by another rubric than this, such as 3 or 3.0.0
      --profile <kind>                   content, docs, product, commerce, api or mcp
      --max-pages <n>                    pages to read, the start page included (1 to 25, default 9)
      --crawl <n>                        read up to n pages instead (1 to 200), one of each pattern of addresses first
      --format <name>                    ${formatLines}
      --snapshot <file>                  keep everything that was read, for replay
      --render                           look at the start page in Chromium too, cut off from the network but for the audit
  sightline fix <url> --out <dir>        write every fix, diff and generated file into a folder (--force replaces)
      --facts <file>                     answers to the questions of an earlier run (facts.json of its folder)
  sightline compare <url> <competitor>   who wins each category and why; --format as above
  sightline compare <file> <file>        what changed between two reports or snapshots (.json) of a site, and what of it
                                         is the rubric's; text or --json
  sightline run <capability> <url>       any site capability, e.g. generate_llms_txt; more fields as key=value;
                                         --out <dir> writes its files
  sightline visibility --brand <name> --niche <market> [--competitor <name>]
                                         how often AI answers name a brand: 30 prompts, intervals, rivals
      --engine <kind>                    ${engineNames} (or ANSWER_ENGINE); the key is in ANSWER_ENGINE_KEY
      --url <base>  --model <name>       the engine's API, e.g. http://127.0.0.1:11434/v1
      --answers <file>                   transcripts for the recorded engine (JSONL)
      --simulate "A=0.4,B=0.7"           true mention rates for the simulated engine; --seed <word>
      --fixes  --snapshot <file>  --json the fix pack as well; keep the answers for replay; the result as JSON
  sightline replay <file>                the result of a snapshot, offline and to the same bytes; --min-score, --baseline
                                         and --rubric as above, and for a stored report of this rubric, too
  sightline buy <capability> <url>       buy from a service with USDC; more fields as key=value; credits_5, credits_20
                                         and credits_100 (no url) top up the account of the paying address
      --base <url>                       the service (default: the local stack)
      --transfer [--proof]               pay by a plain USDC transfer and present its hash
      --max-usd <amount>                 never pay more than this per call (default 1)
      --hash <0x...>  --rpc <url>        present a transfer made before; the RPC that --transfer sends by
      --json                             the result as JSON; the key is in SIGHTLINE_WALLET_KEY
  sightline mcp [options]                the tools over MCP on standard input and output; free here, or paid by
                                         SIGHTLINE_TOKEN, or by SIGHTLINE_WALLET_KEY within SIGHTLINE_MAX_USD_PER_CALL
                                         (1) and SIGHTLINE_MAX_USD_PER_DAY (5)
      --base <url>                       the service to use (or SIGHTLINE_BASE_URL); --local runs here what can
      --allow-private <origin>           an origin of this network that may be audited; several may be given
  sightline login [--base <url>]         sign in to a service in the browser; its token is kept for sightline token
      --no-browser  --scope "<scopes>"   only print the address; ask for more scopes, such as credits:use
      --client-id <id>                   a client registered there; or --client-metadata-url <https url>
  sightline token [--base <url>]         print that token, renewed when it has to be
      --key <file>                       or one for the service account of a key file (RFC 7523)
      --resource <url>  --scope "<scopes>"  what for; the account's own when absent; --json prints the whole answer
  sightline channels list|show <id>      notification channels of a webhook Worker: --state, --customer, --watch
  sightline channels create              watch the users of a customer: --customer, --domain, --event, --ttl, --subject
  sightline channels renew|stop <id>     open the successor of a channel now; end a watch
  sightline channels messages            notifications and what became of them: --state, --channel, --from, --to
  sightline channels replay              work dead messages again: --message <seq>, or --channel, --from, --to
  sightline channels status              what waits, what is dead, open alerts and what to do about them
      --base <url>  --key <file>         the Worker (default: SIGHTLINE_WEBHOOK_URL, or the local stack) and a service
                                         account's key file (or SIGHTLINE_TOKEN); --limit <n>  --page <token>  --json
  sightline hybrid check|migrate|plan|verify|seed-host
                                         a hybrid runtime's overrides file from 1.2 to 1.3.6; see sightline hybrid --help
  sightline emulator [options]           the management interfaces alone, for tests; see sightline emulator --help
      --seed <file>  --import <dir>      what tenants begin with; --export-on-exit <dir> keeps what there is at the end
      --no-auth  --port <port>           any token or none is the operator of a sandbox; 0 takes a free port
  sightline serve [options]              the whole service on this machine (see npm start)

Exit status: 0 done, 1 a score below --min-score, or a refused purchase or call, 2 wrong usage, or a gate that cannot be judged, 3 the site or service could not be reached.
`;

/** Exit statuses of every command: done, judged too low (or refused), wrong usage, unreachable. */
export const EXIT = { done: 0, below: 1, usage: 2, unreachable: 3 } as const;

/** Says what was wrong with the arguments, then how they go. */
export function printUsageError(detail: string): number {
  process.stderr.write(`${detail}\n\n${USAGE}`);
  return EXIT.usage;
}

/** Says on standard error why a command failed. @returns its exit status */
export function printFailure(text: string, exitStatus: number): number {
  process.stderr.write(`${text.trimEnd()}\n`);
  return exitStatus;
}

export type Options = NonNullable<ParseArgsConfig['options']>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: boolean };
export type ParsedArguments<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>;

/** The options and other words of a command, or what is wrong with them, in the words of Node's parser. */
export function parseArguments<const O extends Options>(
  args: readonly string[],
  options: O,
  { positionals }: { positionals: boolean } = { positionals: true },
): ParsedArguments<O> | string {
  try {
    return parseArgs<Config<O>>({ args: [...args], options, allowPositionals: positionals });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
