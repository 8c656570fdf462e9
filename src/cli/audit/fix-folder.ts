import { judgeSite } from '../../audit/core/report.ts';
import type { CapabilityTools } from '../../capabilities/capability.ts';
import type { Recording } from '../../capabilities/recording.ts';
import { presenters } from '../../capabilities/site-work.ts';
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
import type { Audited, DeployableFile } from '../../fixes/files/generated-file.ts';
import { formatMarkdownAddress } from '../../fixes/files/safe-site.ts';
import { formatCodeSpan } from '../../lib/safe-text.ts';
import { isSlot } from '../../lib/slots.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import type { LocalResult } from './local-run.ts';

export type OutFile = { path: string; content: string };

/** A file of the site as it would be deployed, and what it still asks for. */
type Candidate = OutFile & { open: readonly Question[]; isOpen: boolean };

/**
 * The folder of `sightline fix`. `site/` holds what can be deployed as it is; a file with an open slot is in `drafts/`,
 * `QUESTIONS.md` lists what it asks for, and `facts.json` takes the answers. `server/` has the settings of all fixes as one
 * configuration for nginx and one for Apache.
 */
export async function buildFixFolder(
  result: LocalResult,
  recording: Recording,
  tools: CapabilityTools,
  answers: Answers,
): Promise<readonly OutFile[]> {
  const { fixes: _fixes, promised: _promised, files = [], renderings: _renderings, ...report } = result;
  const audited = readAudited(recording);
  const fixTools: FixTools = { newRewriter: tools.newRewriter, answers };
  const fixes = await buildFixes(audited, fixTools);
  const promised = computePromisedGains(audited.judged, fixes);
  const skill = await presenters.generate_skill(recording, tools);
  if (!skill.ok) throw new Error(skill.detail); // The same snapshot has just been presented.
  const candidates = await listCandidates(audited, fixTools, fixes, files);
  const questions = [...new Map(candidates.flatMap(({ open }) => open).map((one) => [one.key, one])).values()];
  return [
    { path: 'FIXES.md', content: reportMarkdown({ ...report, fixes, promised }) },
    { path: 'report.json', content: `${JSON.stringify({ ...report, fixes, promised, files }, null, 2)}\n` },
    ...fixes.flatMap(listFixFiles),
    ...candidates.map((one) => ({ path: computePlace(one), content: one.content })),
    ...buildServerFiles(audited, fixTools).map(({ path, content }) => ({ path: `server/${path}`, content })),
    ...buildQuestionFiles(questions, answers),
    ...(skill.result['files'] as readonly DeployableFile[]).map(({ path, content }) => ({
      path: `skill/${toRelativePath(path)}`,
      content,
    })),
  ];
}

function readAudited({ snapshots: [snapshot], input: { profile } }: Recording): Audited {
  if (!snapshot) throw new Error('a recording without a snapshot'); // Its schema asks for one.
  return { snapshot, ...judgeSite(snapshot, profile === undefined ? {} : { profile }) };
}

/** A page below the start page: which file its address is served from, its owner alone knows. */
const OTHER_PAGE = 'audited-page.html';

/** Where in the folder a file is written: what `site/` holds is deployed as it is, under the same path. */
const computePlace = ({ path, isOpen }: Candidate): string =>
  isOpen ? `drafts/${path}` : path === OTHER_PAGE ? path : `site/${path}`;

/** Every file of the site that a fix or a generator makes, each path once: generated files know most of the site. */
async function listCandidates(
  audited: Audited,
  tools: FixTools,
  fixes: readonly PackedFix[],
  files: readonly DeployableFile[],
): Promise<readonly Candidate[]> {
  const { answers = new Map<string, string>() } = tools;
  const fill = (path: string, mediaType: string, content: string): Candidate => {
    const { text, open } = fillSlots(content, mediaType, path, answers);
    return { path, content: text, open, isOpen: isSlot(text) };
  };
  const patched = await listPatchedFiles(audited, tools);
  const generated = files.map(({ path, media_type: type, content }) => fill(toRelativePath(path), type, content));
  const whole = fixes.flatMap((fix) => {
    const path = findSitePath(fix, audited);
    return path === undefined || fix.content === undefined ? [] : [fill(path, fix.media_type ?? '', fix.content)];
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
      .map(({ text, open }) => ({ path: pagePath, content: text, open, isOpen: hasOpenSlots(text) })),
    ...texts
      .filter(({ applied }) => applied.length > 0)
      .map(({ text, open }) => ({ path: FIX_FILES.robots, content: text, open, isOpen: isSlot(text) })),
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
function listFixFiles({ id, file, action, content, diff }: PackedFix, index: number): readonly OutFile[] {
  const name = `fixes/${String(index + 1).padStart(3, '0')}-${id}`;
  const whole = action === 'create' || action === 'replace';
  return [
    ...(diff === undefined ? [] : [{ path: `${name}.diff`, content: diff }]),
    ...(content === undefined ? [] : [{ path: whole ? `${name}/${file}` : `${name}.txt`, content }]),
  ];
}

/** Paths of generated files are those of the site: below its root. */
const toRelativePath = (path: string): string => path.replace(/^\//, '');

/** What the drafts ask for, to be read and to be filled in; the answers that were given stay in the file. */
function buildQuestionFiles(questions: readonly Question[], answers: Answers): readonly OutFile[] {
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
    { path: 'QUESTIONS.md', content: `# Questions to answer\n\n${text}\n` },
    { path: 'facts.json', content: `${JSON.stringify(facts, null, 2)}\n` },
  ];
}
