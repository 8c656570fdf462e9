import { EXIT } from './exit.ts';
import { USAGE } from './usage.ts';

/** Says what was wrong with the arguments, then how they go. */
export function usageError(detail: string): number {
  process.stderr.write(`${detail}\n\n${USAGE}`);
  return EXIT.usage;
}
