import { isOpenOnStart } from '../../audit/core/join-pages.ts';
import { parsePage } from '../../audit/page/facts/page.ts';
import { buildPageEdits } from '../../audit/page/fixes/page-recipe.ts';
import { type Patched, patchPage } from '../../audit/page/fixes/patch-page.ts';
import { extractOwnText } from '../../audit/crawlers/facts/managed-block.ts';
import { findSiteRobotsText } from '../../audit/crawlers/fixes/robots.ts';
import { isSlot } from '../../lib/slots.ts';
import type { Audited } from '../files/generated-file.ts';
import type { NewRewriter } from '../files/html-rewriter.ts';
import { recipes } from './all-recipes.ts';
import { createFixContext, type FixContext } from './fix-context.ts';
import { joinEdits, type PageEdits } from './page-edits.ts';
import { FIX_FILES, type Recipe } from './recipe.ts';
import { type Answers, fillSlots, type Question } from './slot-answers.ts';

export type FixTools = { newRewriter: NewRewriter; answers?: Answers };

/** A file with fixes in it, the checks that they are for, and what it still asks for. */
type PatchedFile = { text: string; applied: readonly string[]; open: readonly Question[] };

/** The page as it can be deployed now; `draft` has every fix, where some of them ask for facts. */
export type PatchedPage =
  | { ok: true; url: string; ready: PatchedFile; draft: PatchedFile | undefined }
  | { ok: false; url: string; why: string };

/** Rounds in which edits that ask for something are left out: one that is gone may leave its question to another. */
const MAX_ROUNDS = 5;

/**
 * The start page with the page fixes of all open checks made together, or of those named.
 * @returns the HTML, its address and the checks whose fixes are in it, or why the page cannot be rewritten, in our words.
 */
export async function buildPatchedPage(
  audited: Audited,
  tools: FixTools,
  ids?: readonly string[],
): Promise<PatchedHtml> {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  return patchWith(fixing, await listPageEdits(fixing, ids));
}

/** The same twice: with the fixes that ask for nothing, and as a draft with all of them. */
export async function buildDeployablePage(audited: Audited, tools: FixTools): Promise<PatchedPage> {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  const whole = await patchWith(fixing, await listPageEdits(fixing));
  const { url } = whole;
  if (!whole.ok) return { ok: false, url, why: whole.why };
  let ready: PatchedHtml = whole;
  const asking = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS && ready.ok && ready.open.length > 0; round += 1) {
    for (const { scope } of ready.open) asking.add(scope);
    // Edits count the elements that they meet: each pass has its own.
    const edits = await listPageEdits(fixing);
    ready = await patchWith(
      fixing,
      edits.filter(({ id }) => !asking.has(id)),
    );
  }
  if (!ready.ok) return { ok: false, url, why: ready.why };
  return { ok: true, url, ready: toFile(ready), draft: ready === whole ? undefined : toFile(whole) };
}

type PatchedHtml = Patched & { url: string; applied: readonly string[]; open: readonly Question[] };

const toFile = ({ html, applied, open }: PatchedHtml & { ok: true }): PatchedFile => ({ text: html, applied, open });

type NamedEdits = { id: string; edits: PageEdits };

async function listPageEdits(fixing: FixContext, ids?: readonly string[]): Promise<readonly NamedEdits[]> {
  const found: NamedEdits[] = [];
  for (const { id, recipe } of openRecipes(fixing.audited, ids)) {
    const edits = await buildPageEdits(fixing, id, recipe);
    if (edits) found.push({ id, edits });
  }
  return found;
}

async function patchWith(fixing: FixContext, edits: readonly NamedEdits[]): Promise<PatchedHtml> {
  const { source, words, newRewriter, answers } = fixing;
  const url = words.pageUrl;
  if (!source.ok) return { ...source, url, applied: [], open: [] };
  const patched = await patchPage(source, joinEdits(edits.map((one) => one.edits)), newRewriter);
  if (!patched.ok) return { ...patched, url, applied: [], open: [] };
  const { text, open } = fillSlots(patched.html, 'text/html', FIX_FILES.page, answers);
  return { ok: true, html: text, url, applied: edits.map(({ id }) => id), open };
}

/** Whether a page has a place that was to be filled in. A slot that its code shows as an example is none. */
export const hasOpenSlots = (html: string): boolean =>
  isSlot(html) && parsePage(html, { url: 'https://page.invalid/', bodyBytes: html.length }).slots.length > 0;

/**
 * The owner's robots.txt with all its fixes made one after the other; a new file for a site that has none. What a provider
 * writes in front of it at its edge is left out.
 */
export function patchRobots(audited: Audited, tools: FixTools, ids?: readonly string[]): PatchedFile {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  return patchRobotsWith(fixing, openRecipes(audited, ids));
}

/** The same twice, as for the page. */
export function buildDeployableRobots(
  audited: Audited,
  tools: FixTools,
): { ready: PatchedFile; draft: PatchedFile | undefined } {
  const fixing = createFixContext(audited, tools.newRewriter, tools.answers);
  const all = openRecipes(audited);
  const draft = patchRobotsWith(fixing, all);
  if (draft.open.length === 0) return { ready: draft, draft: undefined };
  const sure = all.filter((one) => patchRobotsWith(fixing, [one]).open.length === 0);
  return { ready: patchRobotsWith(fixing, sure), draft };
}

type NamedRecipe = { id: string; recipe: Recipe };

function patchRobotsWith(fixing: FixContext, named: readonly NamedRecipe[]): PatchedFile {
  const edits = named.filter(({ recipe }) => recipe.robots !== undefined);
  const before = findSiteRobotsText(fixing) ?? '';
  const after = edits.reduce((done, { recipe }) => recipe.robots?.(done, fixing) ?? done, before);
  const { text, open } = fillSlots(extractOwnText(after), 'text/plain', FIX_FILES.robots, fixing.answers);
  return { text, open, applied: edits.map(({ id }) => id) };
}

function openRecipes({ judged }: Audited, ids?: readonly string[]): readonly NamedRecipe[] {
  const order = Object.keys(recipes);
  return judged
    .filter((one) => isOpenOnStart(one) && (ids === undefined || ids.includes(one.check.id)))
    .flatMap(({ check: { id } }) => {
      const recipe = recipes[id];
      return recipe ? [{ id, recipe }] : [];
    })
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}
