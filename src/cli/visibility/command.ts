import type { CommandEnd } from '../core/failure.ts';

/** `sightline visibility [import]`: each is loaded when it is called. */
export async function runVisibility(args: readonly string[]): Promise<CommandEnd> {
  const [action, ...rest] = args;
  if (action === 'import') return (await import('./import-command.ts')).runImportCommand(rest);
  return (await import('./measure-command.ts')).runVisibilityCommand(args);
}
