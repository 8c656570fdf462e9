import { readFileSync, statSync } from 'node:fs';
import { MAX_AUDIT_PAGES } from '../../audit/core/limits.ts';
import { type Answers, parseAnswers } from '../../fixes/core/slot-answers.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { parseArguments, printUsageError } from '../core/usage.ts';
import { buildFixFolder } from './fix-folder.ts';
import { createLocalTools, parseTypedTarget, runLocally } from './local-run.ts';
import { writeFiles } from './out-folder.ts';

/**
 * `sightline fix <url> --out <dir>`: audits the site and writes its fixes. `FIXES.md` is to be read, `report.json` has
 * everything, `fixes/` a diff or file per fix, `site/` what can be deployed as it is, `drafts/` what waits for facts,
 * `skill/` the same for a coding agent. `--facts <file>` answers what `QUESTIONS.md` of an earlier run asks.
 */
export async function fixCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return printUsageError(wanted);
  const { out, force, answers, ...body } = wanted;
  const run = await runLocally('full_report', body);
  if (!run.ok) return run.status;
  const { recording } = run.outcome;
  if (!recording) throw new Error('the report has no recording'); // Every capability that looks at a site records.
  const files = await buildFixFolder(run.result, recording, await createLocalTools(), answers);
  return writeFiles(out, files, { force });
}

/** Bytes of a facts file. */
const MAX_FACTS_BYTES = 1024 * 1024;

/** The answers of a facts file, or what is wrong with it. */
function readFacts(file: string): Answers | string {
  const named = formatSafeLine(file);
  let value: unknown;
  try {
    if (statSync(file).size > MAX_FACTS_BYTES) return `${named} is larger than ${MAX_FACTS_BYTES} bytes.`;
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return error instanceof SyntaxError ? `${named} is not valid JSON.` : `${named} cannot be read.`;
  }
  const parsed = parseAnswers(value);
  return parsed.ok
    ? parsed.answers
    : `${named}:\n${parsed.faults.map((fault) => `  ${formatSafeLine(fault)}`).join('\n')}`;
}

type FixRequest = {
  url: string;
  out: string;
  force: boolean;
  answers: Answers;
  profile?: string;
  max_pages?: number;
};

function parseWanted(args: readonly string[]): FixRequest | string {
  const parsed = parseArguments(args, {
    out: { type: 'string' },
    facts: { type: 'string' },
    force: { type: 'boolean' },
    profile: { type: 'string' },
    'max-pages': { type: 'string' },
  });
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [typed, ...more] = positionals;
  if (typed === undefined || more.length > 0) return 'Name exactly one URL.';
  if (values.out === undefined) return 'Name a folder with --out.';
  const target = parseTypedTarget(typed);
  if (!target.ok) return target.detail;
  const pages = values['max-pages'];
  if (pages !== undefined && !/^\d{1,2}$/.test(pages))
    return `--max-pages takes a number from 1 to ${MAX_AUDIT_PAGES}.`;
  const answers = values.facts === undefined ? new Map<string, string>() : readFacts(values.facts);
  if (typeof answers === 'string') return answers;
  return {
    url: typed,
    out: values.out,
    force: values.force ?? false,
    answers,
    ...(values.profile === undefined ? {} : { profile: values.profile }),
    ...(pages === undefined ? {} : { max_pages: Number(pages) }),
  };
}
