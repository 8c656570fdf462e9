import { parsePage } from '../facts/page.ts';
import type { Effort, FixAction } from '../../../fixes/files/fix.ts';
import { type FixDraft, FIX_FILES, type Recipe } from '../../../fixes/core/recipe.ts';
import { formatConfigure, type ServerSetting } from '../../../fixes/core/host-headers.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import { type PageEdit, type PageEdits, markEdits } from '../../../fixes/core/page-edits.ts';
import { fillSlots } from '../../../fixes/core/slot-answers.ts';
import { patchPage, planEdits } from './patch-page.ts';
import { formatUnifiedDiff } from '../../../fixes/core/unified-diff.ts';

/** Characters of one diff. A page written on few long lines would be repeated whole, twice. */
export const MAX_DIFF_CHARS = 60_000;

type PageRecipe = {
  edit: PageEdit;
  how?: string;
  /** What to do where the page gives no hint: said instead of `how` when `edit` finds nothing to change. */
  byHand?: string;
  expect: string;
  effort?: Effort;
  action?: Extract<FixAction, 'insert' | 'replace'>;
  /** A template where the edit puts nothing into the head. */
  content?: (fixing: FixContext) => string | undefined;
  /** A setting of the server that has a part in it. */
  configure?: ServerSetting;
  holds?: Recipe['holds'];
};

/**
 * A recipe that changes the audited page. The diff is taken from the HTML that the rewriter wrote; what goes into the
 * head is given as `content` too. A page that cannot be rewritten is no error: the instructions say why.
 */
export function buildPageRecipe(recipe: PageRecipe): Recipe {
  const { configure } = recipe;
  const parts = {
    page: recipe.edit,
    ...(recipe.holds === undefined ? {} : { holds: recipe.holds }),
    ...(configure === undefined ? {} : { server: () => configure.parts }),
  };
  return {
    ...parts,
    async remedy(fixing, { check: { id } }) {
      const edits = await buildPageEdits(fixing, id, parts);
      const draft: FixDraft = {
        file: FIX_FILES.page,
        action: recipe.action ?? 'insert',
        effort: recipe.effort ?? 'minutes',
        expect: recipe.expect,
        ...(recipe.how === undefined ? {} : { how: recipe.how }),
        ...(recipe.configure === undefined ? {} : { configure: formatConfigure(recipe.configure) }),
      };
      const changes = edits && {
        ...buildSnippet(fixing, id, edits),
        ...(await buildPageDiff(fixing, id, edits, recipe.how)),
      };
      const template = changes?.diff === undefined ? recipe.content?.(fixing) : undefined;
      return {
        ...draft,
        ...(template === undefined ? {} : { content: template, media_type: 'text/html' }),
        ...(changes ?? { how: recipe.byHand ?? recipe.how ?? BY_HAND }),
      };
    },
  };
}

/** What a recipe changes in the page; undefined when there is nothing it can, or it would not bring what it should. */
export async function buildPageEdits(
  fixing: FixContext,
  check: string,
  { page: edit, holds }: Pick<Recipe, 'page' | 'holds'>,
): Promise<PageEdits | undefined> {
  const made = fixing.page ? edit?.(fixing) : undefined;
  const edits = made && markEdits(made, check);
  if (!edits || !holds || !fixing.source.ok) return edits;
  const { page } = fixing.source;
  const patched = await patchPage(fixing.source, edits, fixing.newRewriter);
  if (!patched.ok) return edits;
  return holds(parsePage(patched.html, { url: page.url, bodyBytes: page.htmlBytes })) ? edits : undefined;
}

const BY_HAND = 'Make the change by hand at the places that the evidence names.';

/** Lines for the head, and blocks of structured data that are written again. */
function buildSnippet(
  { page, answers }: FixContext,
  check: string,
  edits: PageEdits,
): Pick<FixDraft, 'content' | 'media_type'> {
  if (!page) return {};
  const { head, blocks } = planEdits(page, edits);
  const scripts = [...blocks.values()].map((json) => `<script type="application/ld+json">${json}</script>`);
  const parts = [...head.map(({ html }) => html), ...scripts];
  const content = fillSlots(`${parts.join('\n')}\n`, 'text/html', check, answers).text;
  return parts.length === 0 || content.length > MAX_DIFF_CHARS ? {} : { content, media_type: 'text/html' };
}

async function buildPageDiff(
  fixing: FixContext,
  check: string,
  edits: PageEdits,
  how = '',
): Promise<Pick<FixDraft, 'diff' | 'how' | 'ready'>> {
  const { source, newRewriter, answers } = fixing;
  const said = (why: string): { how: string } => ({ how: `${how} ${why}`.trim() });
  if (!source.ok) return said(`There is no diff of this page: ${source.why}.`);
  const patched = await patchPage(source, edits, newRewriter);
  if (!patched.ok) return said(`There is no diff of this page: ${patched.why}.`);
  if (patched.html === source.html) return said(BY_HAND);
  const { text } = fillSlots(patched.html, 'text/html', check, answers);
  const diff = formatUnifiedDiff(FIX_FILES.page, source.html, text);
  if (diff.length > MAX_DIFF_CHARS)
    return {
      ...said('The diff is left out: the page has few, very long lines. "sightline fix" writes the changed page.'),
      ready: true,
    };
  return { diff, ready: true };
}
