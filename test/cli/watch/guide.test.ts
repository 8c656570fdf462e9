import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { configSchema } from '../../../src/cli/config/schema.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/watch-in-ci.md'), 'utf8');
const block = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
const workflowSchema = z.object({
  permissions: z.object({}).strict(),
  jobs: z.object({ watch: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
});

test('the configuration of the guide is one', () => {
  expect(configSchema.safeParse(JSON.parse(block('json'))).error).toBeUndefined();
});

test('its workflow has no more rights than it names, pins actions, and puts nothing that others write into a script', () => {
  const text = block('yaml');
  const { jobs } = workflowSchema.parse(parse(text));
  const scripts = jobs.watch.steps.flatMap(({ run }) => run ?? []);
  expect(scripts.length).toBeGreaterThan(3);
  for (const script of scripts) execFileSync('bash', ['-n', '-c', script]);
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  const uses = text.match(/uses: .+/g) ?? [];
  expect(uses.filter((line) => !/^uses: [\w.-]+\/[\w.-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});
