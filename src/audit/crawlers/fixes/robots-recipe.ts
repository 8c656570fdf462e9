import type { Effort } from '../../../fixes/files/fix.ts';
import { FIX_FILES } from '../../../fixes/core/fix-files.ts';
import type { Fixing } from '../../../fixes/core/fix-context.ts';
import type { Recipe, RobotsEdit } from '../../../fixes/core/recipe.ts';
import { unifiedDiff } from '../../../fixes/core/unified-diff.ts';

/** Characters of robots.txt that a fix repeats as content beside the diff. */
const MAX_CONTENT_CHARS = 20_000;

type RobotsRecipe = { edit: RobotsEdit; how?: string; expect: string; effort?: Effort };

/** A recipe that changes robots.txt: everything but the lines it names is kept byte for byte. */
export function robotsRecipe({ edit, how, expect, effort = 'minutes' }: RobotsRecipe): Recipe {
  return {
    robots: edit,
    remedy(fixing) {
      const fetched = robotsText(fixing);
      const before = fetched ?? '';
      const after = edit(before, fixing);
      const draft = {
        file: FIX_FILES.robots,
        action: fetched === undefined ? ('create' as const) : ('replace' as const),
        effort,
        expect,
        at: '/robots.txt',
        ...(how === undefined ? {} : { how }),
      };
      if (after === before) return { ...draft, how: `${how ?? ''} ${NO_CHANGE}`.trim() };
      const diff = unifiedDiff(FIX_FILES.robots, before, after, fetched === undefined);
      const whole = after.length > MAX_CONTENT_CHARS ? {} : { content: after, media_type: 'text/plain' };
      return { ...draft, diff, ...whole };
    },
  };
}

const NO_CHANGE = 'The rules of the file are as they should be: look at how the server answers for it.';

/** The site's robots.txt as it was fetched; undefined when it has none. */
export function robotsText({ read }: Fixing): string | undefined {
  const robots = read('robots');
  return robots?.kind === 'file' ? robots.answer.body : undefined;
}
