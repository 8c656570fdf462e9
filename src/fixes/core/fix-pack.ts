import { fixOrder, type FixStep, getEffort } from '../../audit/core/fix-order.ts';
import { countPages, isOpenOnStart } from '../../audit/core/join-pages.ts';
import { formatCount, scoreNames } from '../../audit/core/check.ts';
import { MAX_EXCERPT_CHARS } from '../../audit/core/evidence.ts';
import type { CheckResult } from '../../audit/core/scores.ts';
import { MAX_EVIDENCE } from '../../audit/core/wire.ts';
import { askLine } from '../files/curl-options.ts';
import type { Audited } from '../files/generated-file.ts';
import type { PackedFix } from '../files/fix.ts';
import { type FixDraft, FIX_FILES } from './recipe.ts';
import type { FixTools } from './patched-files.ts';
import { listNeededFacts } from './fix-slots.ts';
import { type FixContext, createFixContext } from './fix-context.ts';
import { recipes } from './all-recipes.ts';

/**
 * One fix for every failed or partial check, in the order in which fixing pays: each with what it gains once those
 * before it are made, so that the points of all add up to what they bring together. Pure: fetches nothing, never throws
 * for what a site holds. Text of the site occurs in `content`, `diff` and `evidence` only (rule X3).
 */
export async function buildFixes(audited: Audited, tools: FixTools): Promise<readonly PackedFix[]> {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  const fixes: PackedFix[] = [];
  for (const step of fixOrder(scoreNames, audited.judged)) fixes.push(await buildFix(fixing, step));
  return fixes;
}

async function buildFix(fixing: FixContext, { one, gains, points }: FixStep): Promise<PackedFix> {
  const { check, outcome } = one;
  const draft = await draftFix(fixing, one);
  const { how, expect, at, ask, userAgent, evidence = [], ready, ...remedy } = draft;
  const { start } = fixing.audited.site;
  const asked = at === undefined ? start.href : (URL.parse(at, start.href)?.href ?? start.href);
  const needed = listNeededFacts([
    draft.content ?? '',
    extractAddedLines(draft.diff ?? ''),
    ...Object.values(draft.configure ?? {}),
  ]);
  return {
    id: check.id,
    title: check.failureTitle,
    status: outcome.status === 'fail' ? 'fail' : 'partial',
    scores: check.scores,
    weight: check.weight,
    gains,
    points,
    ...remedy,
    action: isPart(draft) ? 'insert' : draft.action,
    instructions: [
      check.fix,
      ...(how === undefined ? [] : [how]),
      ...describeOtherPages(one),
      ...describePlace(fixing, draft),
      ...describePrivateHost(fixing, draft),
    ].join(' '),
    state: needed.length > 0 ? 'draft' : isWhole(draft, ready) ? 'ready' : 'work',
    facts_needed: needed,
    evidence: trimEvidence([...outcome.evidence, ...evidence]),
    verify: { command: askLine(start, asked, { ...(ask && { ask }), ...(userAgent && { userAgent }) }), expect },
  };
}

/** What can be deployed as it is. A change of robots.txt is whole where there is one to make. */
const isWhole = ({ file, diff }: FixDraft, ready: FixDraft['ready']): boolean =>
  ready === true || (file === FIX_FILES.robots && diff !== undefined);

function draftFix(fixing: FixContext, judged: CheckResult): FixDraft | Promise<FixDraft> {
  const recipe = recipes[judged.check.id];
  if (recipe && isOpenOnStart(judged)) return recipe.remedy(fixing, judged);
  return {
    file: FIX_FILES.page,
    action: 'configure',
    effort: recipe === undefined ? 'hours' : getEffort(judged.check.id),
    expect: 'Audit the site again: the check passes.',
    ...(recipe === undefined ? {} : { how: 'The start page passes: change the pages that the evidence names.' }),
  };
}

/** The fix is written for one page; what is wrong on several comes from what they are made of. */
function describeOtherPages(judged: CheckResult): readonly string[] {
  const counts = countPages(judged.pages);
  if (counts === undefined || !isOpenOnStart(judged)) return [];
  const others = counts.judged - counts.passed - 1;
  if (others < 1) return [];
  return [
    `${formatCount(others, 'other page')} of ${counts.judged} fell short too: change the template, not only this page.`,
  ];
}

/** The page is never written anew: a diff or a template is a part of it. So is all that has no content of its own. */
const isPart = ({ file, action, content }: FixDraft): boolean =>
  action === 'replace' && (file === FIX_FILES.page || content === undefined);

/** Files are named by a fixed list (rule X2), so the audited page is called `index.html` wherever it is. */
const describePlace = ({ words }: FixContext, { file }: FixDraft): readonly string[] =>
  (file === FIX_FILES.page || file === FIX_FILES.pageMarkdown) && new URL(words.pageUrl).pathname !== '/'
    ? [`The audited page is not the start page: here ${file} stands for it, not for the file at the root.`]
    : [];

/** What is built from a private address has to be moved to the public one before it is deployed. */
const describePrivateHost = (
  { audited: { site } }: FixContext,
  { content = '', diff = '' }: FixDraft,
): readonly string[] =>
  site.local && (content.includes(site.start.host) || extractAddedLines(diff).includes(site.start.host))
    ? ['The audited address is private: write the public one in its place.']
    : [];

const extractAddedLines = (diff: string): string =>
  diff
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .join('\n');

const trimEvidence = (evidence: PackedFix['evidence']): PackedFix['evidence'] =>
  evidence
    .slice(0, MAX_EVIDENCE)
    .map((one) => (one.excerpt === undefined ? one : { ...one, excerpt: one.excerpt.slice(0, MAX_EXCERPT_CHARS) }));
