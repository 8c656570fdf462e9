import { execFileSync } from 'node:child_process';
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const workflowSchema = z.object({
  permissions: z.object({}).strict(),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));

describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (file) => {
  // Strict: a workflow has no permission, a job only those that it names.
  const { jobs } = workflowSchema.parse(parse(read(file)));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => run ?? []);

  test('names every action by a commit, with its version beside it', () => {
    const lines = read(file).match(/uses: .+/g) ?? [];
    expect(lines.filter((line) => !/^uses: [\w.-]+\/[\w.-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('runs scripts that there are, in a shell that can read them', () => {
    const named = commands.flatMap((command) =>
      [...command.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    for (const command of commands) {
      execFileSync('bash', ['-n', '-c', command]);
      const [program = ''] = command.split(/\s/);
      if (program.startsWith('.')) accessSync(join(root, program), constants.X_OK);
    }
  });

  test('puts nothing that others write into a script', () => {
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });

  test('installs what the tests fail without, before it runs them', () => {
    const first = commands.findIndex((command) => /npm (?:run check|test)|\.ci\/run/.test(command));
    expect(commands.slice(0, first).join('\n')).toMatch(
      /apt-get install .*nginx apache2 python3-pytest python3-httpx .*python3-venv mypy/,
    );
  });
});
