import type { OutcomeStatus, ScoreName } from '../../audit/core/check.ts';
import type { CheckEvidence } from '../../audit/core/evidence.ts';

/**
 * What is done to `file`: a new file, a whole new content, a change at one place (`diff` says where), or a setting of
 * the server or of a tool (`configure`).
 */
export type FixAction = 'create' | 'replace' | 'insert' | 'configure';

/** Servers and platforms that a response header or redirect is written for. */
export const hosts = ['nginx', 'apache', 'cloudflare', 'nextjs', 'vercel'] as const;
export type Host = (typeof hosts)[number];

/** Rough work for someone who knows the site: minutes (paste it), hours (edit content), days (build something). */
export type Effort = 'minutes' | 'hours' | 'days';

/** What a recipe answers for one failed or partial check: how to fix it, in pieces that can be pasted. */
export type Remedy = {
  /** Relative path of a fixed list (`FIX_FILES`): never built from what the site says (rule X2). */
  file: string;
  action: FixAction;
  /** One sentence or a few: what to do, in our words only. */
  instructions: string;
  /** The text to paste or the whole new file. Unknown facts are `[FACT NEEDED: ...]` slots. */
  content?: string;
  media_type?: string;
  /** Unified diff against what was fetched, where the audit has the file. */
  diff?: string;
  /** The same setting for each server, for `configure`. */
  configure?: Partial<Record<Host, string>>;
  effort: Effort;
};

/**
 * What the points of a fix wait for. `ready`: nothing, it can be deployed as it is. `draft`: facts that only the
 * owner knows, which are slots in it. `work`: something has to be written, built or decided.
 */
export const fixStates = ['ready', 'draft', 'work'] as const;
export type FixState = (typeof fixStates)[number];

/** One fix of a fix pack. `id` is the `fix_id` of the check; `gains` the points it adds, the fixes before it made. */
export type PackedFix = Remedy & {
  id: string;
  title: string;
  status: Extract<OutcomeStatus, 'fail' | 'partial'>;
  scores: readonly ScoreName[];
  weight: number;
  gains: Partial<Record<ScoreName, number>>;
  points: number;
  /** Absent in fixes that were stored before there were states. */
  state?: FixState;
  /** What must be filled in by hand before deploying. */
  facts_needed: readonly string[];
  /** Where the site falls short, as its check saw it. This, `content` and `diff` hold text of the site (rule X3). */
  evidence: readonly CheckEvidence[];
  /** A command that shows whether the fix works (rule X1), and what must be seen. */
  verify: { command: string; expect: string };
};
