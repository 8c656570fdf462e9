import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { type Answers, parseAnswers } from '../../fixes/core/slot-answers.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { applySiteConfig } from '../config/apply-config.ts';
import { judgeIgnoreList } from '../config/ignored.ts';
import { readConfig } from '../config/read-config.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { createHints, createNotes, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { describePagesFault, readSiteOptions } from './audit-command.ts';
import { buildFixFolder, type FixFolder } from './fix-folder.ts';
import { createLocalTools, runLocally } from './local-run.ts';
import { MAX_FILES, writeFiles } from './out-folder.ts';
import { resolveTypedSites } from './typed-target.ts';

type FixValues = GivenWords<CommandTable['fix']['options']>['values'];

/**
 * `sightline fix [<url>] --out <dir>`: audits the site and writes its fixes. `FIXES.md` is to be read, `manifest.json` lists
 * the files for programs, `report.json` has everything, `fixes/` a diff or file per fix, `site/` what can be deployed as it is, `drafts/` what waits for facts,
 * `skill/` the same for a coding agent. `--facts <file>` answers what `QUESTIONS.md` of an earlier run asks.
 */
export async function fixCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('fix', args);
  if (isFailure(given)) return given;
  const found = readConfig(given.values, process.cwd());
  if (isFailure(found)) return found;
  const values = applySiteConfig(given.values, found);
  const words = given.words.length > 0 ? given.words : (found?.config.urls ?? []);
  const { out, force = false, facts } = values;
  if (words.length === 0)
    return refuseUsage('<url> is missing: name the site, or the one of sightline.config.json (sightline init).');
  if (words.length > 1)
    return refuseUsage('A folder holds the fixes of one site, and the configuration names several: name its address.');
  if (out === undefined) return refuseUsage('--out is missing: name the folder that the fixes are written to.');
  const fault = describePagesFault(values['max-pages']);
  if (fault !== undefined) return refuseUsage(fault);
  const answers = facts === undefined ? new Map<string, string>() : readFacts(facts);
  if (isFailure(answers)) return answers;
  const lost = force ? refuseLosingFacts(out, answers) : undefined;
  if (lost !== undefined) return lost;
  if (found !== undefined) createHints(values)(`Using ${found.file}.`);
  const ignore = judgeIgnoreList(found?.config.ignore ?? [], Date.now());
  const sites = await resolveTypedSites(words, createNotes(values));
  if (!sites.ok) return sites.failure;
  const [url = ''] = sites.urls;
  const run = await runLocally('full_report', { url, ...readSiteOptions(values) }, values);
  if (!run.ok) return run.failure;
  const { recording } = run.outcome;
  if (!recording) throw new Error('the report has no recording'); // Every capability that looks at a site records.
  const result = { ...run.result, warnings: [...ignore.warnings, ...(run.result.warnings ?? [])] };
  const owner = { answers, ignored: ignore.active };
  const built = await buildFixFolder(result, recording, await createLocalTools(), owner);
  const leftOver = listLeftOver(out, built.files);
  const wrote = writeFiles(out, built.files, { force });
  if (!wrote.ok) return wrote.failure;
  return printSummary({ ...countFixFolder(url, out, built), left_over: leftOver }, wrote.paths, values);
}

/** Answers in the folder that this run would empty, as it does not have them; undefined where there are none. */
function refuseLosingFacts(out: string, answers: ReadonlyMap<string, string>): CommandFailure | undefined {
  const file = join(out, 'facts.json');
  if (!existsSync(file)) return undefined;
  const saved = readFacts(file);
  const next = `Name it by --facts ${formatSafeLine(file)}, or move it away.`;
  if (isFailure(saved)) return { ...saved, next };
  const lost = [...saved.keys()].filter((name) => !answers.has(name));
  return lost.length === 0
    ? undefined
    : refuseCommand(
        'facts_would_be_lost',
        `${formatSafeLine(file)} has answers that this run would empty: ${lost.map(formatSafeLine).join(', ')}.`,
        EXIT.usage,
        next,
      );
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

/** Files of an earlier run that are not among those of this one. */
type WithLeftOver = FixSummary & { left_over: readonly string[] };

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const manifestSchema = z.object({ files: z.array(z.object({ path: z.string() })).max(MAX_FILES) });

/** What an earlier run wrote into the folder and this one does not replace, such as a draft whose facts are filled in now. */
function listLeftOver(folder: string, files: readonly { path: string }[]): readonly string[] {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest) || statSync(manifest).size > MAX_MANIFEST_BYTES) return [];
  const earlier = manifestSchema.safeParse(parseJson(readFileSync(manifest, 'utf8'))).data?.files ?? [];
  const present = new Set(files.map(({ path }) => path));
  return earlier.map(({ path }) => path).filter((path) => !present.has(path) && existsSync(join(folder, path)));
}

function countFixFolder(url: string, folder: string, { fixes, files }: FixFolder): FixSummary {
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
function printSummary(summary: WithLeftOver, paths: readonly string[], values: FixValues): CommandEnd {
  if (values.json === true || values.format === 'json')
    return writeResult(`${formatSafeJson({ ...summary, paths })}\n`, values);
  const names = values.verbose === true ? [...paths.map((path) => formatSafeLine(path)), ''] : [];
  return writeResult(`${[...names, ...formatSummary(summary)].join('\n')}\n`, values);
}

function formatSummary(summary: WithLeftOver): readonly string[] {
  const { url, folder, fixes, ready, drafts, facts_to_fill: facts, left_over: leftOver } = summary;
  const at = formatSafeLine(folder).replace(/\/$/, '');
  const again = `sightline fix ${formatSafeLine(url)} --out ${at} --facts ${at}/facts.json --force`;
  return [
    `${formatNumber(fixes, 'fix', 'fixes')} in ${at}/; start with ${at}/FIXES.md`,
    ...(ready === 0 ? [] : [`Ready to deploy: ${formatNumber(ready, 'file', 'files')} in ${at}/site/`]),
    ...(drafts === 0 ? [] : [`Waiting for facts: ${formatNumber(drafts, 'file', 'files')} in ${at}/drafts/`]),
    ...(leftOver.length === 0 ? [] : [describeLeftOver(leftOver)]),
    ...(facts === 0
      ? [`Next: make the fixes, then check with sightline audit ${formatSafeLine(url)}`]
      : [
          `Facts to fill in: ${facts} in ${at}/facts.json; ${at}/QUESTIONS.md says what each is for`,
          `Next: fill in the facts, then run ${again}`,
        ]),
  ];
}

/** Files that are named. */
const MAX_NAMED = 5;

function describeLeftOver(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  const names = paths.slice(0, MAX_NAMED).map((path) => formatSafeLine(path));
  return `Of an earlier run, to be deleted: ${names.join(', ')}${more}`;
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
