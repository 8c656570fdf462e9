import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { USAGE } from './usage.ts';

type Command = (args: readonly string[]) => Promise<number>;

/** Each command is loaded when it is called: an audit needs nothing of a wallet. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('../audit/audit-command.ts')).auditCommand,
  fix: async () => (await import('../audit/fix-command.ts')).fixCommand,
  compare: async () => (await import('../audit/site-commands.ts')).compareCommand,
  run: async () => (await import('../audit/site-commands.ts')).runCommand,
  visibility: async () => (await import('../audit/visibility-command.ts')).runVisibilityCommand,
  replay: async () => (await import('../audit/replay-command.ts')).replayCommand,
  buy: async () => (await import('../buy/buy-command.ts')).buyCommand,
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  mcp: async () => (await import('../mcp/command.ts')).runMcpCommand,
  login: async () => (await import('../login/command.ts')).runLoginCommand,
  token: async () => (await import('../login/token-command.ts')).runTokenCommand,
  channels: async () => (await import('../channels/command.ts')).runChannelsCommand,
  emulator: async () => (await import('../emulator/command.ts')).runEmulatorCommand,
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

/**
 * Lets Node keep the compiled form of our files between calls, which is a large part of a short command's time. In the
 * user's own folder and not in the shared one for temporary files: what is read from there is run. A folder that cannot
 * be written only costs the gain; `NODE_DISABLE_COMPILE_CACHE=1` turns it off. Node before 22.8 has no such cache.
 */
export function keepCompiled(): void {
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache(join(homedir(), '.cache', 'sightline'));
}
