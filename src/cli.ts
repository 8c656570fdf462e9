import { keepCompiled } from './cli/core/compile-cache.ts';
import { USAGE } from './cli/core/usage.ts';

type Command = (args: readonly string[]) => Promise<number>;

/** Each command is loaded when it is called: an audit needs nothing of a wallet. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./cli/audit/audit-command.ts')).auditCommand,
  fix: async () => (await import('./cli/audit/fix-command.ts')).fixCommand,
  compare: async () => (await import('./cli/audit/site-commands.ts')).compareCommand,
  run: async () => (await import('./cli/audit/site-commands.ts')).runCommand,
  visibility: async () => (await import('./cli/audit/visibility-command.ts')).visibilityCommand,
  replay: async () => (await import('./cli/audit/site-commands.ts')).replayCommand,
  buy: async () => (await import('./cli/buy/buy-command.ts')).buyCommand,
  serve: async () => (await import('./cli/core/serve-command.ts')).serveCommand,
  mcp: async () => (await import('./cli/mcp/command.ts')).mcpCommand,
  login: async () => (await import('./cli/login/command.ts')).loginCommand,
  token: async () => (await import('./cli/login/token-command.ts')).tokenCommand,
  channels: async () => (await import('./cli/channels/command.ts')).channelsCommand,
  hybrid: async () => (await import('./cli/hybrid/command.ts')).hybridCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (load) {
  keepCompiled();
  const command = await load();
  process.exitCode = await command(args);
} else {
  const asked = name === 'help' || name === '--help' || name === '-h';
  (asked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = asked ? 0 : 2;
}
