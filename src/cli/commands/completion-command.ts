import { type CommandEnd, isFailure, refuseUsage } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { formatCompletion, shells } from './completion.ts';
import { describeUnknownValue, parseCommand } from './parse.ts';

/** `sightline completion bash|zsh|fish`: prints the script that makes the shell complete our words. */
export async function runCompletionCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('completion', args);
  if (isFailure(given)) return given;
  const [wanted = ''] = given.words;
  const shell = shells.find((name) => name === wanted);
  if (shell === undefined) return refuseUsage(describeUnknownValue('completion', wanted, shells));
  process.stdout.write(formatCompletion(shell));
  return EXIT.done;
}
