import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './recording.ts';
import { sightlineAt } from './stack.ts';

/** Files of the command line. `login` leaves its tokens beside them. */
export const CLI_FILES = {
  snapshot: 'snapshot.json',
  answers: 'answers.json',
  baseline: 'baseline.json',
  report: 'replayed.json',
  measured: 'measured.json',
} as const;

/** An audit as baseline and as snapshot, a measurement, and what was spent on this day. */
export async function recordFiles({ stack, cli, setBackMs }: Recording): Promise<void> {
  const run = async (...args: string[]): Promise<string> => {
    const { status, out, err } = await sightlineAt(cli, setBackMs, args);
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${err}`);
    return out;
  };
  const keep = (name: string, text: string): void => writeFileSync(join(cli, name), text);
  keep(CLI_FILES.baseline, await run('audit', stack.sites.good, '--json', '--snapshot', CLI_FILES.snapshot));
  keep(CLI_FILES.report, await run('replay', CLI_FILES.snapshot, '--json'));
  const measure = ['visibility', '--brand', 'Example Desk', '--niche', 'help desk software', '--engine', 'simulated'];
  await run(...measure, '--snapshot', CLI_FILES.answers, '--json');
  keep(CLI_FILES.measured, await run('replay', CLI_FILES.answers, '--json'));
  mkdirSync(join(cli, '.local'), { recursive: true, mode: 0o700 });
  writeFileSync(join(cli, '.local/stack.json'), JSON.stringify(stack.file), { mode: 0o600 });
  await run('buy', 'check_health', `${stack.sites.good}/`, '--base', stack.file.api, '--json');
}
