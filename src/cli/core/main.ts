import { USAGE } from './usage.ts';

type Command = (args: readonly string[]) => Promise<number>;

/** Each command is loaded when it is called: an audit needs nothing of a wallet. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('../audit/audit-command.ts')).auditCommand,
  fix: async () => (await import('../audit/fix-command.ts')).fixCommand,
  compare: async () => (await import('../audit/site-commands.ts')).compareCommand,
  run: async () => (await import('../audit/site-commands.ts')).runCommand,
  visibility: async () => (await import('../audit/visibility-command.ts')).runVisibilityCommand,
  replay: async () => (await import('../audit/site-commands.ts')).replayCommand,
  buy: async () => (await import('../buy/buy-command.ts')).buyCommand,
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  mcp: async () => (await import('../mcp/command.ts')).runMcpCommand,
  login: async () => (await import('../login/command.ts')).runLoginCommand,
  token: async () => (await import('../login/token-command.ts')).runTokenCommand,
  channels: async () => (await import('../channels/command.ts')).runChannelsCommand,
  hybrid: async () => (await import('../hybrid/command.ts')).runHybridCommand,
};

/**
 * Runs one command of the command line.
 * @param argv the words after `sightline`
 * @returns the exit status: that of the command, 0 for help, 2 for a command that does not exist
 */
export async function runCommandLine([name = '', ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return (await load())(args);
  const isHelp = name === 'help' || name === '--help' || name === '-h';
  (isHelp ? process.stdout : process.stderr).write(USAGE);
  return isHelp ? 0 : 2;
}
