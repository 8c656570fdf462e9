import { scoreNames } from '../../audit/core/check.ts';
import { judgeSite } from '../../audit/core/report.ts';
import { summarise } from '../../audit/core/summary.ts';
import type { CapabilityTools } from '../../capabilities/capability.ts';
import type { Recording } from '../../capabilities/recording.ts';
import { buildFixes } from '../../fixes/core/fix-pack.ts';
import {
  buildDeployablePage,
  buildDeployableRobots,
  type FixTools,
  hasOpenSlots,
} from '../../fixes/core/patched-files.ts';
import { computePromisedGains } from '../../fixes/core/promised-gains.ts';
import { FIX_FILES } from '../../fixes/core/recipe.ts';
import { buildServerFiles } from '../../fixes/core/server-files.ts';
import { type Answers, fillSlots, type Question } from '../../fixes/core/slot-answers.ts';
import type { PackedFix } from '../../fixes/files/fix.ts';
import { type Audited, type DeployableFile, formatJsonFile } from '../../fixes/files/generated-file.ts';
import { formatMarkdownAddress } from '../../fixes/files/safe-site.ts';
import { generateSkill } from '../../fixes/files/skill.ts';
import { formatCodeSpan } from '../../lib/safe-text.ts';
import { isSlot } from '../../lib/slots.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { describeIgnored, type IgnoredCheck } from '../config/ignored.ts';
import { type FolderFile, formatGuide, formatManifest } from './fix-guide.ts';
import type { LocalResult } from './local-run.ts';

/** A file of the site as it would be deployed, the checks whose fixes are in it, and what it still asks for. */
type Candidate = {
  path: string;
  content: string;
  checks: readonly string[];
  open: readonly Question[];
  isOpen: boolean;
};

/** The files of the folder, and how many fixes they make. */
export type FixFolder = { fixes: number; files: readonly FolderFile[] };

/** What the owner of the site has said: facts, and checks that may fail. */
export type OwnersWord = { answers: Answers; ignored: readonly IgnoredCheck[] };

/**
 * The folder of `sightline fix`. `site/` holds what can be deployed as it is; a file with an open slot is in `drafts/`,
 * `QUESTIONS.md` lists what it asks for, and `facts.json` takes the answers. `server/` has the settings of all fixes as one
 * configuration for nginx and one for Apache. Ignored checks are judged in the report, and have no fix.
 */
export async function buildFixFolder(
  result: LocalResult,
  recording: Recording,
  tools: CapabilityTools,
  { answers, ignored }: OwnersWord,
): Promise<FixFolder> {
  const { fixes: _fixes, promised: _promised, files: made = [], renderings: _renderings, ...judged } = result;
  const ids = new Set(ignored.map(({ check }) => check));
  const whole = readAudited(recording);
  const audited = { ...whole, judged: whole.judged.filter(({ check }) => !ids.has(check.id)) };
  const fixTools: FixTools = { newRewriter: tools.newRewriter, answers };
  const fixes = await buildFixes(audited, fixTools);
  const promised = computePromisedGains(audited.judged, fixes);
  const unwanted = ids.size === 0 ? new Set() : await listUnwanted(whole, fixTools, fixes);
  const files = made.filter(({ path }) => !unwanted.has(toRelativePath(path)));
  const report = {
    ...judged,
    summary: summarise(scoreNames, whole.judged, ids),
    ...(ignored.length === 0 ? {} : { ignored }),
  };
  const shown = { ...report, warnings: [...describeIgnored(ignored), ...(judged.warnings ?? [])] };
  const skill = await generateSkill(audited, await buildFixes(audited, { newRewriter: tools.newRewriter }));
  const candidates = await listCandidates(audited, fixTools, fixes, files);
  const questions = [...new Map(candidates.flatMap(({ open }) => open).map((one) => [one.key, one])).values()];
  const server = buildServerFiles(audited, fixTools);
  const parts: readonly FolderFile[] = [
    { path: 'REPORT.md', kind: 'report', content: reportMarkdown(shown) },
    { path: 'report.json', kind: 'report', content: formatJsonFile({ ...report, fixes, promised, files }) },
    ...fixes.flatMap(listFixFiles),
    ...candidates.map(toFolderFile),
    ...server.map(({ path, content, checks }) => ({
      path: `server/${path}`,
      kind: 'server' as const,
      target: path.split('/', 1)[0] ?? '',
      checks,
      content,
    })),
    ...buildQuestionFiles(questions, answers),
    ...skill.map(({ path, content }) => ({ path: `skill/${toRelativePath(path)}`, kind: 'skill' as const, content })),
  ];
  const guided = { report: { ...shown, fixes, promised }, fixes, files: parts, questions };
  const guides: readonly FolderFile[] = [
    { path: 'FIXES.md', kind: 'guide', content: formatGuide(guided) },
    { path: 'manifest.json', kind: 'guide', content: formatManifest(guided) },
  ];
  return { fixes: fixes.length, files: [...guides, ...parts] };
}

/** Files that only ignored checks ask for. */
async function listUnwanted(
  whole: Audited,
  tools: FixTools,
  fixes: readonly PackedFix[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(fixes.map(({ file }) => file));
  const all = await buildFixes(whole, tools);
  return new Set(all.map(({ file }) => file).filter((file) => !wanted.has(file)));
}

function readAudited({ snapshots: [snapshot], input: { profile } }: Recording): Audited {
  if (!snapshot) throw new Error('a recording without a snapshot'); // Its schema asks for one.
  return { snapshot, ...judgeSite(snapshot, profile === undefined ? {} : { profile }) };
}

/** A page below the start page: which file its address is served from, its owner alone knows. */
const OTHER_PAGE = 'audited-page.html';

/** Where in the folder a file is written: what `site/` holds is deployed as it is, under the same path. */
function toFolderFile({ path, content, checks, open, isOpen }: Candidate): FolderFile {
  const facts = isOpen ? { facts: [...new Set(open.map(({ key }) => key))] } : {};
  if (!isOpen && path === OTHER_PAGE) return { path, content, kind: 'page', checks };
  return {
    path: `${isOpen ? 'drafts' : 'site'}/${path}`,
    content,
    kind: isOpen ? 'draft' : 'ready',
    target: path,
    checks,
    ...facts,
  };
}

/** Every file of the site that a fix or a generator makes, each path once: generated files know most of the site. */
async function listCandidates(
  audited: Audited,
  tools: FixTools,
  fixes: readonly PackedFix[],
  files: readonly DeployableFile[],
): Promise<readonly Candidate[]> {
  const { answers = new Map<string, string>() } = tools;
  const fill = (path: string, mediaType: string, content: string, ids: readonly string[]): Candidate => {
    const { text, open } = fillSlots(content, mediaType, path, answers);
    return { path, content: text, checks: ids, open, isOpen: isSlot(text) };
  };
  const listIds = (path: string): readonly string[] => fixes.filter(({ file }) => file === path).map(({ id }) => id);
  const patched = await listPatchedFiles(audited, tools);
  const generated = files.map(({ path, media_type: type, content }) =>
    fill(toRelativePath(path), type, content, listIds(toRelativePath(path))),
  );
  const whole = fixes.flatMap((fix) => {
    const path = findSitePath(fix, audited);
    return path === undefined || fix.content === undefined
      ? []
      : [fill(path, fix.media_type ?? '', fix.content, [...new Set([fix.id, ...listIds(path)])])];
  });
  const once = new Map<string, Candidate>();
  for (const one of [...patched, ...generated, ...whole]) {
    const key = `${one.isOpen ? 'drafts' : 'site'}/${one.path}`;
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()];
}

/** The start page and robots.txt with every fix that can be made in them. A page that cannot be rewritten is left out. */
async function listPatchedFiles(audited: Audited, tools: FixTools): Promise<readonly Candidate[]> {
  const page = await buildDeployablePage(audited, tools);
  const robots = buildDeployableRobots(audited, tools);
  // Another page under the name of the start page would take its place once it is deployed.
  const pagePath = new URL(page.url).pathname === '/' ? FIX_FILES.page : OTHER_PAGE;
  const pages = page.ok ? [page.ready, ...(page.draft ? [page.draft] : [])] : [];
  const texts = [robots.ready, ...(robots.draft ? [robots.draft] : [])];
  return [
    ...pages
      .filter(({ applied }) => applied.length > 0)
      .map(({ text, applied, open }) => ({
        path: pagePath,
        content: text,
        checks: applied,
        open,
        isOpen: hasOpenSlots(text),
      })),
    ...texts
      .filter(({ applied }) => applied.length > 0)
      .map(({ text, applied, open }) => ({
        path: FIX_FILES.robots,
        content: text,
        checks: applied,
        open,
        isOpen: isSlot(text),
      })),
  ];
}

/** Files of a fix that are no file of the site, or are made with others in one pass. */
const NO_SITE_FILES: ReadonlySet<string> = new Set([
  FIX_FILES.page,
  FIX_FILES.robots,
  FIX_FILES.about,
  FIX_FILES.author,
  FIX_FILES.agents,
  FIX_FILES.server,
  FIX_FILES.mcpServer,
  FIX_FILES.api,
]);

/** Parts of a path that a folder may have: what the site calls its page must not lead out of it (rule X2). */
const PLAIN_PATH = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.~-]{0,100}\/){0,8}[A-Za-z0-9_-][A-Za-z0-9_.~-]{0,100}$/;

function findSitePath({ file, action, state, content }: PackedFix, { site }: Audited): string | undefined {
  const isWhole = (action === 'create' || action === 'replace') && content !== undefined && state !== 'work';
  if (!isWhole || NO_SITE_FILES.has(file)) return undefined;
  if (file !== FIX_FILES.pageMarkdown) return file;
  const path = toRelativePath(new URL(formatMarkdownAddress(site.start.href)).pathname);
  return PLAIN_PATH.test(path) ? path : undefined;
}

/** A diff, and the content where there is one: a whole file under its name, a piece to insert as text. The number says the order. */
function listFixFiles({ id, file, action, content, diff }: PackedFix, index: number): readonly FolderFile[] {
  const name = `fixes/${String(index + 1).padStart(3, '0')}-${id}`;
  const isWhole = action === 'create' || action === 'replace';
  const of = { target: file, checks: [id] };
  return [
    ...(diff === undefined ? [] : [{ path: `${name}.diff`, kind: 'diff' as const, content: diff, ...of }]),
    ...(content === undefined
      ? []
      : [
          isWhole
            ? { path: `${name}/${file}`, kind: 'whole' as const, content, ...of }
            : { path: `${name}.txt`, kind: 'snippet' as const, content, ...of },
        ]),
  ];
}

/** Paths of generated files are those of the site: below its root. */
const toRelativePath = (path: string): string => path.replace(/^\//, '');

/** What the drafts ask for, to be read and to be filled in; the answers that were given stay in the file. */
function buildQuestionFiles(questions: readonly Question[], answers: Answers): readonly FolderFile[] {
  if (questions.length === 0 && answers.size === 0) return [];
  const facts = Object.fromEntries([...answers, ...questions.map(({ key }) => [key, ''] as const)]);
  const rows = questions.map(
    ({ key, scope, asks, near }) =>
      `- ${formatCodeSpan(key)}: ${asks}\n  (${formatCodeSpan(scope)}) ${formatCodeSpan(near)}`,
  );
  const text =
    questions.length === 0
      ? 'Nothing is open: no file waits in `drafts/`.'
      : [
          'The files in `drafts/` wait for these facts, which only you know. Write the answers into `facts.json`, then run',
          '`sightline fix <url> --out <dir> --facts facts.json --force`: what has all its answers goes to `site/`.',
          '',
          ...rows,
        ].join('\n');
  return [
    { path: 'QUESTIONS.md', kind: 'questions', content: `# Questions to answer\n\n${text}\n` },
    { path: 'facts.json', kind: 'facts', content: formatJsonFile(facts) },
  ];
}
