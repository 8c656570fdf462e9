import { auditCommand } from './cli/audit-command.ts';
import { buyCommand } from './cli/buy-command.ts';
import { serveCommand } from './cli/serve-command.ts';
import { USAGE } from './cli/usage.ts';

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  audit: auditCommand,
  buy: buyCommand,
  serve: serveCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) {
  process.exitCode = await command(args);
} else {
  const asked = name === '' || name === 'help' || name === '--help' || name === '-h';
  (asked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = asked && name !== '' ? 0 : 2;
}
