import { readExistence, type SniffKind } from '../../audit/reach/facts/existence.ts';
import type { CheckResult } from '../../audit/core/scores.ts';
import type { Effort } from '../files/fix.ts';
import type { FixFile, Recipe } from './recipe.ts';
import type { FixContext } from './fix-context.ts';
import { MAX_DIFF_CHARS } from '../../audit/page/fixes/page-recipe.ts';
import { fillSlots } from './slot-answers.ts';
import { formatUnifiedDiff } from './unified-diff.ts';

type FileRecipe = {
  file: FixFile;
  mediaType: string;
  /** Role of the request by which the audit read the file, if it did. */
  role?: string;
  kind?: SniffKind;
  make: (fixing: FixContext, judged: CheckResult) => string | undefined | Promise<string | undefined>;
  how?: string;
  /** Said in place of the content where there is nothing to write. */
  without?: string;
  expect: string;
  effort?: Effort;
  at?: string | ((fixing: FixContext) => string);
};

/** A recipe for a whole file: new, or in place of the one that was fetched, with the diff between them. */
export function defineFileRecipe(recipe: FileRecipe): Recipe {
  const { file, mediaType, make, how, expect, effort = 'minutes', at = `/${file}` } = recipe;
  return {
    async remedy(fixing, judged) {
      const made = await make(fixing, judged);
      const content = made === undefined ? undefined : fillSlots(made, mediaType, file, fixing.answers).text;
      const before = recipe.role === undefined ? undefined : findFetchedText(fixing, recipe.role, recipe.kind ?? 'any');
      const asked = typeof at === 'string' ? at : at(fixing);
      const draft = { file, effort, expect, at: asked, ...(how === undefined ? {} : { how }) };
      const action = before === undefined ? ('create' as const) : ('replace' as const);
      if (content === undefined)
        return { ...draft, action: 'replace', how: `${how ?? ''} ${recipe.without ?? NO_CONTENT}`.trim() };
      const diff = before === undefined || before === content ? '' : formatUnifiedDiff(file, before, content);
      const shown = diff !== '' && diff.length <= MAX_DIFF_CHARS ? { diff } : {};
      return { ...draft, action, content, media_type: mediaType, ready: true, ...shown };
    },
  };
}

const NO_CONTENT = 'It is not written out here: the present one lists more than the audit reads.';

/** The text of a file that the site really has; undefined when it has none or it was not read whole. */
export function findFetchedText({ find }: FixContext, role: string, kind: SniffKind): string | undefined {
  const existence = readExistence(find(role), find('control'), kind);
  if (existence.state !== 'exists' || existence.answer.truncated) return undefined;
  return existence.answer.body;
}
