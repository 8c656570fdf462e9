// The GitHub Action: audits each site with the built command line, writes the report, and says what came of it in outputs, in the
// job summary and in one comment of the pull request. Plain JavaScript without a package: it runs as it is checked out.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { findCommandLine, runCommandLine, workFolder } from './command-line.js';
import { putComment } from './comment.js';
import { readAuditOptions, readInput, readPullRequest, readSites } from './inputs.js';
import { formatSite } from './summary.js';

const SCORES = ['aeo', 'geo', 'agent', 'mcp'];
/** GitHub takes 1 MiB of a step. */
const MAX_SUMMARY_CHARS = 900_000;

try {
  process.exitCode = await runAction();
} catch (error) {
  printAnnotation('error', error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

async function runAction() {
  const sites = readSites();
  const program = await findCommandLine();
  const audited = sites.map((site, index) => auditSite(program, site, index));
  writeOutputs(audited);
  const text = ['## Sightline', ...audited.map(formatSite)].join('\n\n');
  appendTo('GITHUB_STEP_SUMMARY', `${text.slice(0, MAX_SUMMARY_CHARS)}\n`);
  for (const { site, stderr } of audited) printQuoted(`${site}\n${stderr}`);
  await comment(text);
  return Math.max(...audited.map(({ status }) => status));
}

function auditSite(program, site, index) {
  const format = readInput('format') || 'sarif';
  const report = nameReport(index);
  const snapshot = join(workFolder, `snapshot-${index}.json`);
  const words = [
    ...readAuditOptions(),
    `--format=${format}`,
    `--output=${report}`,
    `--snapshot=${snapshot}`,
    '--quiet',
  ];
  const { status, stderr } = runCommandLine(program, ['audit', ...words, '--', site]);
  // The same audit as data, without a request.
  const replayed = existsSync(snapshot)
    ? runCommandLine(program, ['replay', '--json', '--quiet', '--', snapshot])
    : undefined;
  const result = replayed?.status === 0 ? JSON.parse(replayed.stdout) : undefined;
  return { site, status, stderr, report: existsSync(report) ? report : undefined, result };
}

/** `report.sarif`, and `report-2.sarif` for the second site. */
function nameReport(index) {
  const given = readInput('report') || 'sightline-report.sarif';
  if (index === 0) return given;
  const extension = extname(given);
  const name = given.slice(0, given.length - extension.length);
  return `${name}-${index + 1}${extension}`;
}

/** Of several sites, a score is the lowest. One that does not apply is empty. */
function writeOutputs(audited) {
  const values = SCORES.map((name) => {
    const scores = audited.flatMap(({ result }) => {
      const score = result?.scores?.[name];
      return score === undefined || score.applies === false ? [] : [Number(score.score)];
    });
    return [name, scores.length === 0 ? '' : String(Math.min(...scores))];
  });
  const reports = audited.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const passed = String(audited.every(({ status }) => status === 0));
  for (const [name, value] of [...values, ['passed', passed], ['report', reports.join('\n')]]) {
    const end = randomUUID();
    appendTo('GITHUB_OUTPUT', `${name}<<${end}\n${value}\n${end}\n`);
  }
}

async function comment(text) {
  const pullRequest = readPullRequest();
  const token = readInput('github-token');
  if (readInput('comment') === 'false' || pullRequest === undefined || token === '') return;
  try {
    console.log(await putComment(pullRequest, token, text));
  } catch (error) {
    // The audit is done: a comment that cannot be written does not fail it.
    printAnnotation('warning', `No comment: ${error instanceof Error ? error.name : 'unknown'}`);
  }
}

function appendTo(variable, text) {
  const file = process.env[variable];
  if (file) appendFileSync(file, text);
}

/** The runner obeys lines that begin with `::`. Between these two it does not, whatever a site wrote. */
function printQuoted(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text.trimEnd()}\n::${token}::`);
}

function printAnnotation(kind, text) {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::${kind}::${escaped}`);
}
