import type { Evidence } from '../../audit/core/evidence.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import type { Judged } from '../../audit/core/scores.ts';
import type { Ask } from '../files/curl-options.ts';
import type { Remedy } from '../files/fix.ts';
import { FIX_FILES, type FixFile } from './fix-files.ts';
import type { Fixing } from './fix-context.ts';
import type { PageEdit } from './page-edits.ts';

/**
 * What a recipe answers: a remedy, and how to see that it works. `how` goes on where the check's own advice ends; both
 * are our words only. What the site says stands in `content`, `diff` and `evidence` (rule X3).
 */
export type Draft = Omit<Remedy, 'file' | 'instructions'> & {
  file: FixFile;
  how?: string;
  /** What the command shows once the fix is deployed. */
  expect: string;
  /** Path or address on the site that the command asks for; the audited page when absent. */
  at?: string;
  /** How the command asks, where a plain GET would not show the fix. */
  ask?: Ask;
  /** The command asks as this User-Agent: one of our own list. */
  userAgent?: string;
  /** More places than the check itself shows. */
  evidence?: readonly Evidence[];
  /** Needed facts that slots of files by other generators ask for. */
  needed?: readonly string[];
};

/** Changes the text of robots.txt; the text itself when there is nothing to change. `''` when the site has none. */
export type RobotsEdit = (text: string, fixing: Fixing) => string;

/** How one check is mended. `page` and `robots` are its part in a file that several fixes change. */
export type Recipe = {
  remedy: (fixing: Fixing, judged: Judged) => Draft | Promise<Draft>;
  page?: PageEdit;
  /** Whether the changed page has what the edit was for, where only the page can tell; else the edit is not made. */
  holds?: (page: PageFacts) => boolean;
  robots?: RobotsEdit;
};

/** Recipes by check id. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** A recipe that only says what to do, with a template or an example where there is one. */
export const advice = (draft: Draft | ((fixing: Fixing, judged: Judged) => Draft)): Recipe => ({
  remedy: typeof draft === 'function' ? draft : () => draft,
});

/** A check that only reports: its fix says so, too. */
export const nothingToDo = (how?: string): Recipe =>
  advice({
    file: FIX_FILES.server,
    action: 'configure',
    effort: 'minutes',
    expect: 'Nothing has to change: the check only reports.',
    ...(how === undefined ? {} : { how }),
  });
