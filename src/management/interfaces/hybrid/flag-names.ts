import { OPTION_FLAGS } from '../../../hybrid/core/options.ts';
import type { Problem } from '../../../hybrid/core/problem.ts';

/** Members of a body by the flags of the command line that say the same. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTION_FLAGS).map(([name, flag]) => [flag, `options.${name}`] as const),
  ['--no-production', 'options.production'],
  ['--kubectl', 'kubectl'],
  ['--platform', 'platform'],
  ['--envs-one-by-one', 'envsOneByOne'],
  ['--out-name', 'newFileName'],
]);

/** A sentence for the command line, for one who sends a body. Words of a file with `--` within stay. */
export const inMembers = (sentence: string): string =>
  sentence.replaceAll(/(?<![\w-])(--[a-z-]+)( OLD=NEW)?/g, (said, flag: string) => MEMBERS.get(flag) ?? said);

/** A problem whose message and fix name members of a body. */
export const worded = ({ message, fix, ...rest }: Problem): Problem => ({
  ...rest,
  message: inMembers(message),
  fix: inMembers(fix),
});
