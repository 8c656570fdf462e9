import type { CheckEvidence } from '../../audit/core/evidence.ts';
import type { CheckResult } from '../../audit/core/scores.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import type { VerificationRequest } from '../files/curl-options.ts';
import type { Remedy } from '../files/fix.ts';
import type { FixContext } from './fix-context.ts';
import type { PageEdit } from './page-edits.ts';
import type { ServerPart } from './server-plan.ts';

/**
 * Every path that a fix may name (rule X2). None is built from what a site says, so that writing a fix pack to a folder
 * cannot leave it. A file of the site keeps the place it is served from; the last three are notes for settings and work
 * that no single file holds.
 */
export const FIX_FILES = {
  page: 'index.html',
  pageMarkdown: 'index.md',
  about: 'about.html',
  author: 'author.html',
  robots: 'robots.txt',
  sitemap: 'sitemap.xml',
  sitemapMarkdown: 'sitemap.md',
  feed: 'feed.xml',
  llms: 'llms.txt',
  llmsFull: 'llms-full.txt',
  agents: 'AGENTS.md',
  licence: 'license.xml',
  openapi: 'openapi.json',
  securityTxt: '.well-known/security.txt',
  apiCatalog: '.well-known/api-catalog',
  aiCatalog: '.well-known/ai-catalog.json',
  serverCard: '.well-known/mcp/server-card.json',
  mcpJson: '.well-known/mcp.json',
  agentCard: '.well-known/agent-card.json',
  skillsIndex: '.well-known/agent-skills/index.json',
  skill: '.well-known/agent-skills/site/SKILL.md',
  resourceMetadata: '.well-known/oauth-protected-resource',
  serverMetadata: '.well-known/oauth-authorization-server',
  tdmReservation: '.well-known/tdmrep.json',
  signatureKeys: '.well-known/http-message-signatures-directory',
  server: 'server-configuration.md',
  mcpServer: 'mcp-server.md',
  api: 'api-changes.md',
} as const;

export type FixFile = (typeof FIX_FILES)[keyof typeof FIX_FILES];

/**
 * What a recipe answers: a remedy, and how to see that it works. `how` goes on where the check's own advice ends; both
 * are our words only. What the site says is only in `content`, `diff` and `evidence` (rule X3).
 */
export type FixDraft = Omit<Remedy, 'file' | 'instructions'> & {
  file: FixFile;
  how?: string;
  /** What the command shows once the fix is deployed. */
  expect: string;
  /** Path or address on the site that the command asks for; the audited page when absent. */
  at?: string;
  /** How the command asks, where a plain GET would not show the fix. */
  ask?: VerificationRequest;
  /** The command asks as this User-Agent: one of our own list. */
  userAgent?: string;
  /** More places than the check itself shows. */
  evidence?: readonly CheckEvidence[];
  /** The remedy is whole: once it is deployed as it is, with its slots filled in, the check passes. */
  ready?: true;
};

/** Changes the text of robots.txt; the text itself when there is nothing to change. `''` when the site has none. */
export type RobotsEdit = (text: string, fixing: FixContext) => string;

/** The fix of one check. `page` and `robots` are its part in a file that several fixes change. */
export type Recipe = {
  remedy: (fixing: FixContext, judged: CheckResult) => FixDraft | Promise<FixDraft>;
  page?: PageEdit;
  /** Whether the changed page has what the edit was for, where only the page can tell; else the edit is not made. */
  holds?: (page: PageFacts) => boolean;
  robots?: RobotsEdit;
  /** Its part in the configuration of the server. */
  server?: (fixing: FixContext) => readonly ServerPart[];
};

/** Recipes by check id. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** A recipe that only says what to do, with a template or an example where there is one. */
export const defineAdvice = (draft: FixDraft | ((fixing: FixContext, judged: CheckResult) => FixDraft)): Recipe => ({
  remedy: typeof draft === 'function' ? draft : () => draft,
});

/** A check that only reports: its fix says so, too. */
export const reportOnly = (how?: string): Recipe =>
  defineAdvice({
    file: FIX_FILES.server,
    action: 'configure',
    effort: 'minutes',
    expect: 'Nothing has to change: the check only reports.',
    ...(how === undefined ? {} : { how }),
  });
