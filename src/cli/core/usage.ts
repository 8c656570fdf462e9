import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Exit statuses of every command: done, judged too low (or refused), wrong usage, unreachable. */
export const EXIT = { done: 0, below: 1, usage: 2, unreachable: 3 } as const;

export type Options = NonNullable<ParseArgsConfig['options']>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: boolean };
export type ParsedArguments<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>;

/** The options and other words of a command with help of its own, or what is wrong with them, in the words of Node's parser. */
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
