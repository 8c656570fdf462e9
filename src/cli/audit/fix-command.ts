import { readFileSync, statSync } from 'node:fs';
import { type Answers, parseAnswers } from '../../fixes/core/slot-answers.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { createNotes } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { describePagesFault, readSiteOptions } from './audit-command.ts';
import { buildFixFolder } from './fix-folder.ts';
import { createLocalTools, runLocally } from './local-run.ts';
import { writeFiles } from './out-folder.ts';
import { resolveTypedSites } from './typed-target.ts';

type FixValues = GivenWords<CommandTable['fix']['options']>['values'];

/**
 * `sightline fix <url> --out <dir>`: audits the site and writes its fixes. `FIXES.md` is to be read, `report.json` has
 * everything, `fixes/` a diff or file per fix, `site/` what can be deployed as it is, `drafts/` what waits for facts,
 * `skill/` the same for a coding agent. `--facts <file>` answers what `QUESTIONS.md` of an earlier run asks.
 */
export async function fixCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('fix', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const { out, force = false, facts } = values;
  if (out === undefined) return refuseUsage('--out is missing: name the folder that the fixes are written to.');
  const fault = describePagesFault(values['max-pages']);
  if (fault !== undefined) return refuseUsage(fault);
  const answers = facts === undefined ? new Map<string, string>() : readFacts(facts);
  if (isFailure(answers)) return answers;
  const sites = await resolveTypedSites(words, createNotes(values));
  if (!sites.ok) return sites.failure;
  const [url = ''] = sites.urls;
  const run = await runLocally('full_report', { url, ...readSiteOptions(values) }, values);
  if (!run.ok) return run.failure;
  const { recording } = run.outcome;
  if (!recording) throw new Error('the report has no recording'); // Every capability that looks at a site records.
  const files = await buildFixFolder(run.result, recording, await createLocalTools(), answers);
  const wrote = writeFiles(out, files, { force });
  if (!wrote.ok) return wrote.failure;
  printSummary(countFixFolder(url, out, run.result.fixes?.length ?? 0, files), wrote.paths, values);
  return EXIT.done;
}

type FixSummary = {
  url: string;
  folder: string;
  fixes: number;
  files: number;
  /** Files that are ready to deploy, and those that wait for facts. */
  ready: number;
  drafts: number;
  /** Facts that only the owner of the site knows. */
  facts_to_fill: number;
};

function countFixFolder(
  url: string,
  folder: string,
  fixes: number,
  files: readonly { path: string; content: string }[],
): FixSummary {
  const count = (start: string): number => files.filter(({ path }) => path.startsWith(start)).length;
  const facts = files.find(({ path }) => path === 'facts.json');
  const open = facts === undefined ? [] : Object.values(JSON.parse(facts.content) as Record<string, string>);
  return {
    url,
    folder,
    fixes,
    files: files.length,
    ready: count('site/'),
    drafts: count('drafts/'),
    facts_to_fill: open.filter((value) => value === '').length,
  };
}

/** What was written, where to begin, and what to do next. */
function printSummary(summary: FixSummary, paths: readonly string[], { json, quiet, verbose }: FixValues): void {
  if (json === true) return void process.stdout.write(`${formatSafeJson({ ...summary, paths })}\n`);
  if (quiet === true) return;
  const names = verbose === true ? [...paths.map((path) => formatSafeLine(path)), ''] : [];
  process.stdout.write(`${[...names, ...formatSummary(summary)].join('\n')}\n`);
}

function formatSummary({ url, folder, fixes, ready, drafts, facts_to_fill: facts }: FixSummary): readonly string[] {
  const at = formatSafeLine(folder).replace(/\/$/, '');
  const again = `sightline fix ${formatSafeLine(url)} --out ${at} --facts ${at}/facts.json --force`;
  return [
    `${formatNumber(fixes, 'fix', 'fixes')} in ${at}/; start with ${at}/FIXES.md`,
    ...(ready === 0 ? [] : [`Ready to deploy: ${formatNumber(ready, 'file', 'files')} in ${at}/site/`]),
    ...(drafts === 0 ? [] : [`Waiting for facts: ${formatNumber(drafts, 'file', 'files')} in ${at}/drafts/`]),
    ...(facts === 0
      ? [`Next: make the fixes, then check with sightline audit ${formatSafeLine(url)}`]
      : [
          `Facts to fill in: ${facts} in ${at}/facts.json; ${at}/QUESTIONS.md says what each is for`,
          `Next: fill in the facts, then run ${again}`,
        ]),
  ];
}

const formatNumber = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Bytes of a facts file. */
const MAX_FACTS_BYTES = 1024 * 1024;

/** The answers of a facts file, or what is wrong with it. */
function readFacts(file: string): Answers | CommandFailure {
  const refuse = (what: string): CommandFailure => refuseCommand('facts_unusable', `${file} ${what}`, EXIT.usage);
  let value: unknown;
  try {
    if (statSync(file).size > MAX_FACTS_BYTES) return refuse(`is larger than ${MAX_FACTS_BYTES} bytes.`);
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? 'is not valid JSON.' : 'cannot be read.');
  }
  const parsed = parseAnswers(value);
  if (parsed.ok) return parsed.answers;
  return { ...refuse('has answers that cannot be used:'), detail: parsed.faults.map((fault) => formatSafeLine(fault)) };
}
