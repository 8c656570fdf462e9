import { judgeSite } from '../../audit/core/report.ts';
import { MAX_AUDIT_PAGES } from '../../audit/core/limits.ts';
import { presenters } from '../../capabilities/site-work.ts';
import type { Recording } from '../../capabilities/recording.ts';
import type { PackedFix } from '../../fixes/files/fix.ts';
import { buildPatchedPage, patchRobots } from '../../fixes/core/fix-pack.ts';
import type { DeployableFile } from '../../fixes/files/generated-file.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { type LocalResult, createLocalTools, runLocally, parseTypedTarget } from './local-run.ts';
import { writeFiles } from './out-folder.ts';
import { parseArguments, printUsageError } from '../core/usage.ts';

type OutFile = { path: string; content: string };

/**
 * `sightline fix <url> --out <dir>`: audits the site and writes its fixes. `FIXES.md` is to be read, `report.json` has
 * everything, `fixes/` a diff or file per fix, `site/` what can be deployed as it is, `skill/` the same for a coding
 * agent.
 */
export async function fixCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return printUsageError(wanted);
  const { out, force, ...body } = wanted;
  const run = await runLocally('full_report', body);
  if (!run.ok) return run.status;
  const { recording } = run.outcome;
  if (!recording) throw new Error('the report has no recording'); // Every capability that looks at a site records.
  return writeFiles(out, await buildOutFiles(run.result, recording), { force });
}

async function buildOutFiles(result: LocalResult, recording: Recording): Promise<readonly OutFile[]> {
  const tools = await createLocalTools();
  const { fixes = [], files = [], renderings: _renderings, ...report } = result;
  const skill = await presenters.generate_skill(recording, tools);
  if (!skill.ok) throw new Error(skill.detail); // The same snapshot has just been presented.
  return [
    { path: 'FIXES.md', content: reportMarkdown({ ...report, fixes }) },
    { path: 'report.json', content: `${JSON.stringify({ ...report, fixes, files }, null, 2)}\n` },
    ...fixes.flatMap(fixFiles),
    ...files.map(({ path, content }) => ({ path: `site/${toRelativePath(path)}`, content })),
    ...(await patchFiles(recording)),
    ...(skill.result['files'] as readonly DeployableFile[]).map(({ path, content }) => ({
      path: `skill/${toRelativePath(path)}`,
      content,
    })),
  ];
}

/** The start page and robots.txt with every fix that can be made in them. A page that cannot be rewritten is left out. */
async function patchFiles(recording: Recording): Promise<readonly OutFile[]> {
  const [snapshot] = recording.snapshots;
  if (!snapshot) return [];
  const { profile } = recording.input;
  const audited = { snapshot, ...judgeSite(snapshot, profile === undefined ? {} : { profile }) };
  const tools = await createLocalTools();
  const page = await buildPatchedPage(audited, tools);
  const robots = patchRobots(audited, tools);
  const isStart = new URL(page.url).pathname === '/';
  // Another page under the name of the start page would take its place once it is deployed.
  const path = isStart ? 'site/index.html' : 'audited-page.html';
  return [
    ...(page.ok && page.applied.length > 0 ? [{ path, content: page.html }] : []),
    ...(robots.applied.length > 0 ? [{ path: 'site/robots.txt', content: robots.text }] : []),
  ];
}

/** A diff, and the content where there is one: a whole file under its name, a piece to insert as text. The number says the order. */
function fixFiles({ id, file, action, content, diff }: PackedFix, index: number): readonly OutFile[] {
  const name = `fixes/${String(index + 1).padStart(3, '0')}-${id}`;
  const whole = action === 'create' || action === 'replace';
  return [
    ...(diff === undefined ? [] : [{ path: `${name}.diff`, content: diff }]),
    ...(content === undefined ? [] : [{ path: whole ? `${name}/${file}` : `${name}.txt`, content }]),
  ];
}

/** Paths of generated files are those of the site: below its root. */
const toRelativePath = (path: string): string => path.replace(/^\//, '');

type FixRequest = { url: string; out: string; force: boolean; profile?: string; max_pages?: number };

function parseWanted(args: readonly string[]): FixRequest | string {
  const parsed = parseArguments(args, {
    out: { type: 'string' },
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
  return {
    url: target.url,
    out: values.out,
    force: values.force ?? false,
    ...(values.profile === undefined ? {} : { profile: values.profile }),
    ...(pages === undefined ? {} : { max_pages: Number(pages) }),
  };
}
