import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseTypedTarget } from '../audit/typed-target.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { refuseUnwritable } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { CONFIG_FILE, CONFIG_SCHEMA_URL, configSchema, type ProjectConfig } from './schema.ts';

type InitValues = GivenWords<CommandTable['init']['options']>['values'];

/** Asks one question; undefined where there is no one to ask. */
export type AskQuestion = (question: string) => Promise<string>;

/**
 * `sightline init [<url>...]`: writes a configuration into the working folder. It asks on a terminal for what the options
 * leave out, and never replaces a file without --force.
 */
export async function runInitCommand(
  args: readonly string[],
  ask: AskQuestion | undefined = openQuestions(),
): Promise<CommandEnd> {
  const given = parseCommand('init', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const file = join(process.cwd(), CONFIG_FILE);
  if (existsSync(file) && values.force !== true)
    return {
      reason: 'exists',
      message: `${CONFIG_FILE} is there already.`,
      next: 'Use --force to replace it.',
      exit: EXIT.usage,
    };
  const config = await collectConfig(values, words, ask);
  if (isFailure(config)) return config;
  try {
    writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    return refuseUnwritable(file, error);
  }
  printWritten(config, values);
  return EXIT.done;
}

async function collectConfig(
  values: InitValues,
  words: readonly string[],
  ask: AskQuestion | undefined,
): Promise<ProjectConfig | CommandFailure> {
  const isAsking = ask !== undefined && words.length === 0;
  const typed = isAsking ? splitAnswer(await ask('Sites to audit (such as example.com): ')) : words;
  if (typed.length === 0) return refuseUsage('<url> is missing: name the sites to audit.');
  for (const text of typed) {
    const target = parseTypedTarget(text);
    if (!target.ok) return target.failure;
  }
  const asked =
    isAsking && values['min-score'] === undefined
      ? (await ask('Least points of every score (0 to 100, empty for none): ')).trim()
      : '';
  const minimum = values['min-score'] ?? (asked === '' ? undefined : asked);
  const pages = values['max-pages'];
  const config = {
    $schema: CONFIG_SCHEMA_URL,
    urls: typed,
    ...(minimum === undefined ? {} : { 'min-score': parseMinimum(minimum) }),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
    ...(pages === undefined ? {} : { 'max-pages': Number(pages) }),
    ...(values.baseline === undefined ? {} : { baseline: values.baseline }),
    ignore: [],
  };
  const read = configSchema.safeParse(config);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return refuseUsage(formatSafeLine(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'invalid'}`));
}

const splitAnswer = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** `80`, or `aeo=80,mcp=50` as an object of scores. The schema judges what comes out. */
const parseMinimum = (text: string): unknown =>
  /^\d+$/.test(text)
    ? Number(text)
    : Object.fromEntries(
        text.split(',').map((part) => {
          const [name = '', points = ''] = part.split('=');
          return [name.trim(), Number(points)];
        }),
      );

function printWritten(config: ProjectConfig, { json, quiet }: InitValues): void {
  if (json === true) return void process.stdout.write(`${formatSafeJson(config)}\n`);
  if (quiet !== true) process.stdout.write(`Wrote ${CONFIG_FILE}. Audit its sites: sightline audit\n`);
}

/** Questions on the terminal; undefined where there is none, as in a pipe or in CI. */
function openQuestions(): AskQuestion | undefined {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}
