import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import type { Forms } from '../../../src/web/console/forms.tsx';
import type { OverviewQuestion, Signal } from '../../../src/web/console/overview.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import type { ControlEnv } from '../bindings/env.ts';
import type { ControlSettings } from '../../../src/settings/control-settings.ts';

/** What a page or an action of the console works with: an operator is signed in. */
export type ConsoleContext = {
  env: ControlEnv;
  settings: ControlSettings;
  requestId: string;
  /**
   * `isFresh`: signed in less than 15 minutes ago, as actions need it (rule K10). `hash` names the session to the api Worker,
   * which judges it again.
   */
  session: ConsoleSession & { csrf: string; isFresh: boolean; hash: string };
  /** For `ActionForm`. */
  forms: Forms;
  /** Of the request; read parameters by `url.searchParams`, and bound what they hold. */
  url: URL;
  query: URLSearchParams;
  /** Unix milliseconds. */
  now: () => number;
  /** Every page of the console. */
  pages: readonly ConsolePage[];
};

/** Why a page has nothing to show: shown in its place. */
export type NothingToShow = { status: 400 | 404 | 503; title: string; detail: string };

/** A page of the console, with all that belongs to it. `console-pages.ts` lists them. */
export type ConsolePage = {
  path: `/console/${string}`;
  /** Its `<h1>`, and its name in the navigation. */
  title: string;
  /** What follows the `<h1>`: a part of `src/web/console`. When it throws, the page says "could not look". */
  show: (c: ConsoleContext) => Promise<Html | NothingToShow>;
  /** For a page of details, which is not in the navigation: the path of the page that leads to it. */
  under?: `/console/${string}`;
  /** Paths of islands: `/web/<name>.js`. */
  scripts?: readonly string[];
  /** What the overview shows of it. */
  signals?: readonly ConsoleSignal[];
  /** Files that it leads to. */
  downloads?: readonly ConsoleDownload[];
  /** What its forms can have done. */
  actions?: readonly ConsoleAction[];
};

/**
 * A line of the overview: which question it answers, and with what. It leads to the page that has it, or to `href`, where
 * one can act. When it throws or takes too long, the line says "could not look".
 */
export type ConsoleSignal = {
  question: OverviewQuestion;
  title: string;
  /** Null where no page explains it. */
  href?: string | null;
  /** What is asked for most is large, and before the lines of its question. */
  isHeadline?: boolean;
  read: (c: ConsoleContext) => Promise<Signal>;
};

/** The type of the files that spreadsheets read. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** A file that a page of the console leads to. Its name and its type are words of ours. */
export type ConsoleDownload = {
  path: `/console/${string}`;
  /** When it throws, the page says "could not look". */
  read: (c: ConsoleContext) => Promise<{ name: string; type: string; text: string } | NothingToShow>;
};

/** A form as it was posted. Only texts are read. */
export type ConsoleFormInput = {
  /** The first value of a field. */
  get: (name: string) => string | undefined;
  all: (name: string) => readonly string[];
};

/**
 * The outcome of an action. `to` is a path of a page, with its query where it has one; `said` is shown there, in our
 * words. `entry` goes into the audit entry. Refusals of the request are outcomes too; an error is shown as a failure.
 */
export type ActionOutcome = {
  to: string;
  said: string;
  entry: Readonly<Record<string, string>>;
  /** `done` when absent. */
  outcome?: 'done' | 'refused';
};

/**
 * What an operator can order by `ActionForm`. The form's token, its origin, and the age of the sign-in were judged
 * before, and the audit log already records that the action begins (rule K10).
 */
export type ConsoleAction = {
  path: `/console/${string}`;
  /** For the audit entry: `Replay a dead letter`. */
  title: string;
  /** What it is done to, for the audit entry, at most 256 characters of it: an id. Never a secret. */
  target?: (form: ConsoleFormInput) => string;
  /** Further fields of the audit entries, before and after, of at most 256 characters each: what the target has no room for. */
  about?: (form: ConsoleFormInput) => Readonly<Record<string, string>>;
  run: (c: ConsoleContext, form: ConsoleFormInput) => Promise<ActionOutcome>;
};
