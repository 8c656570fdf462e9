import { EXIT } from '../core/exit.ts';
import { checkCommand } from './check.ts';
import { type Io, processIo } from './io.ts';
import { migrateCommand } from './migrate.ts';
import { planCommand } from './plan.ts';
import { seedHostCommand } from './seed-host.ts';
import type { HybridCommand, Outcome } from './outcome.ts';
import { HYBRID_COMMANDS, HYBRID_USAGE, hybridCommandUsage } from './usage.ts';
import { verifyCommand } from './verify.ts';

const commands: Readonly<Record<keyof typeof HYBRID_COMMANDS, HybridCommand>> = {
  check: checkCommand,
  migrate: migrateCommand,
  plan: planCommand,
  verify: verifyCommand,
  'seed-host': seedHostCommand,
};

/**
 * `sightline hybrid check|migrate|plan|verify|seed-host`: takes an overrides file of the hybrid runtime from 1.2 to 1.3.6.
 * Touches files only, never a cluster.
 */
export async function hybridCommand([name = '', ...args]: readonly string[], io: Io = processIo()): Promise<number> {
  if (isHelp(name) || name === 'help') {
    io.out(HYBRID_USAGE);
    return EXIT.done;
  }
  if (!isCommand(name)) {
    io.err(`sightline hybrid takes one of ${Object.keys(commands).join(', ')}.\n\n${HYBRID_USAGE}`);
    return EXIT.usage;
  }
  const end = args.indexOf('--');
  if (args.slice(0, end === -1 ? args.length : end).some(isHelp)) {
    io.out(hybridCommandUsage(name));
    return EXIT.done;
  }
  return told(name, await commands[name](args, io), io);
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

function told(name: keyof typeof commands, outcome: Outcome, io: Io): number {
  if (outcome.kind === 'done') return outcome.exitStatus;
  io.err(outcome.kind === 'usage' ? `${outcome.detail}\n\n${hybridCommandUsage(name)}` : `${outcome.detail}\n`);
  return EXIT.usage;
}
