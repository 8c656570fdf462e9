import { type CommandName, commandNames, getCommandRow, isCommandName } from '../commands/table.ts';
import { suggestWord } from '../commands/suggest.ts';
import { type CommandEnd, printFailure, refuseUsage, type RunCommand, hasJsonOutput } from './failure.ts';
import { watchOutput } from './output.ts';
import { formatSafeLine } from './terminal.ts';
import { EXIT } from './usage.ts';

type OwnCommand = 'help' | 'version';

/** Where each command begins. It is loaded when it is called: an audit needs nothing of a wallet. */
const loaders: Readonly<Record<Exclude<CommandName, OwnCommand>, () => Promise<RunCommand>>> = {
  audit: async () => (await import('../audit/audit-command.ts')).auditCommand,
  fix: async () => (await import('../audit/fix-command.ts')).fixCommand,
  compare: async () => (await import('../audit/site-commands.ts')).compareCommand,
  logs: async () => (await import('../logs/logs-command.ts')).runLogsCommand,
  run: async () => (await import('../audit/site-commands.ts')).runCommand,
  seller: async () => (await import('../seller/command.ts')).runSellerCommand,
  watch: async () => (await import('../watch/watch-command.ts')).runWatchCommand,
  visibility: async () => (await import('../visibility/command.ts')).runVisibility,
  history: async () => (await import('../history/command.ts')).runHistoryCommand,
  replay: async () => (await import('../audit/replay-command.ts')).replayCommand,
  verify: async () => (await import('../verify/verify-command.ts')).runVerifyCommand,
  init: async () => (await import('../config/init-command.ts')).runInitCommand,
  buy: async () => (await import('../buy/buy-command.ts')).buyCommand,
  list: async () => (await import('../buy/list-command.ts')).listCommand,
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  mcp: async () => (await import('../mcp/command.ts')).runMcpCommand,
  login: async () => (await import('../login/command.ts')).runLoginCommand,
  token: async () => (await import('../login/token-command.ts')).runTokenCommand,
  monitor: async () => (await import('../monitor/command.ts')).runMonitorCommand,
  channels: async () => (await import('../channels/command.ts')).runChannelsCommand,
  doctor: async () => (await import('../doctor/command.ts')).runDoctorCommand,
  emulator: async () => (await import('../emulator/command.ts')).runEmulatorCommand,
  deploy: async () => (await import('../deploy/command.ts')).runDeployCommand,
  hybrid: async () => (await import('../hybrid/command.ts')).runHybridCommand,
  completion: async () => (await import('../commands/completion-command.ts')).runCompletionCommand,
};

/** The same as a program of its own, whose standard output may go away. */
export async function startCommandLine(argv: readonly string[]): Promise<number> {
  watchOutput();
  return runCommandLine(argv);
}

/**
 * Runs one command of the command line.
 * @param argv the words after `sightline`
 * @returns the exit status: that of the command, 0 for help, 2 for a command that does not exist
 */
export async function runCommandLine([word = 'help', ...args]: readonly string[]): Promise<number> {
  if (word === '--version' || word === '-V' || word === 'version') return printVersion();
  if (word === '--help' || word === '-h' || word === 'help') return end('help', args, await printHelp(args));
  if (!isCommandName(word) || word === 'help' || word === 'version') return end(undefined, args, refuseUnknown(word));
  const { ownHelp } = getCommandRow(word);
  if (ownHelp !== true && hasHelpWord(args)) {
    return end(word, args, await printCommandHelp(word, findAction(word, args)));
  }
  return end(word, args, await (await loaders[word]())(args));
}

/** The action of a command that the words name. */
function findAction(name: CommandName, args: readonly string[]): string | undefined {
  const { actions } = getCommandRow(name);
  return args.find((one) => actions !== undefined && Object.hasOwn(actions, one));
}

/** Prints why a command failed, with its help as the next step where nothing better is known. */
function end(name: CommandName | undefined, args: readonly string[], ended: CommandEnd): number {
  if (typeof ended === 'number') return ended;
  const action = name === undefined ? undefined : findAction(name, args);
  const help = ['sightline', name, action, '--help'].filter((word) => word !== undefined).join(' ');
  const next = ended.next ?? (ended.reason === 'usage' ? `See ${help}` : undefined);
  return printFailure({ ...ended, ...(next === undefined ? {} : { next }) }, { asJson: hasJsonOutput(args) });
}

function hasHelpWord(args: readonly string[]): boolean {
  const last = args.indexOf('--');
  return (last === -1 ? args : args.slice(0, last)).some((word) => word === '--help' || word === '-h');
}

async function printVersion(): Promise<number> {
  const { service } = await import('../../capabilities/service.ts');
  process.stdout.write(`${service.version}\n`);
  return EXIT.done;
}

/** `sightline help [<command> [<action>]]`. */
async function printHelp(args: readonly string[]): Promise<CommandEnd> {
  const [name, action] = args.filter((word) => !word.startsWith('-'));
  if (name !== undefined) return isCommandName(name) ? printCommandHelp(name, action) : refuseUnknown(name);
  const { formatOverview } = await import('../commands/help.ts');
  process.stdout.write(formatOverview({ all: args.includes('--all') }));
  return EXIT.done;
}

async function printCommandHelp(name: CommandName, action: string | undefined): Promise<CommandEnd> {
  if (getCommandRow(name).ownHelp === true && name !== 'help' && name !== 'version')
    return (await loaders[name]())(['--help']);
  const { formatCommandHelp } = await import('../commands/help.ts');
  process.stdout.write(formatCommandHelp(name, action));
  return EXIT.done;
}

function refuseUnknown(word: string): CommandEnd {
  const shown = formatSafeLine(word);
  if (word.startsWith('-')) return refuseUsage(`Unknown option ${shown}.`);
  if (/^https?:\/\/|^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/i.test(word))
    return refuseUsage(`Unknown command ${shown}. Did you mean sightline audit ${shown}?`);
  const near = suggestWord(word, commandNames);
  return refuseUsage(`Unknown command ${shown}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
}
