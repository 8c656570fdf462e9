import { checks } from '../audit/core/catalogue.ts';
import type { CheckCapability, ScoreName } from '../audit/core/check.ts';
import {
  compareBody,
  publishableBody,
  refuseMeasurement,
  urlBody,
  versusBody,
  visibilityBody,
  visibilityFixBody,
} from './bodies.ts';
import { runVisibilityFixes, createVisibilityWork } from './visibility-work.ts';
import { type AnyCapability, defineCapability } from './capability.ts';
import { refuseUnpublishable } from './published/publishing.ts';
import * as results from './results.ts';
import { createSiteWork } from './site-work.ts';
import { versusResult, visibilityFixResult, visibilityResult } from './visibility-results.ts';

/** Wall limit of one audit, in seconds (the work of every url-based row that is served). */
export const AUDIT_WORST_CASE_S = 60;
/** Wall limit of one visibility run, in seconds. */
export const RUN_WORST_CASE_S = 120;

const site = { body: urlBody, worstCaseS: AUDIT_WORST_CASE_S, engineBacked: false } as const;
const engine = { worstCaseS: RUN_WORST_CASE_S, engineBacked: true } as const;

/** Their reports have all four scores of one site. */
const describePublishable = (name: 'full_audit' | 'fix_pack' | 'full_report') =>
  ({ ...site, name, body: publishableBody, refuse: refuseUnpublishable(name) }) as const;

const checkRow = (name: CheckCapability, priceMicroUsdc: number, summary: string): AnyCapability =>
  defineCapability({ ...site, name, priceMicroUsdc, summary, result: results.checksResult, run: createSiteWork(name) });

const defineScoreRow = (
  name: 'score_aeo' | 'score_geo' | 'score_agent' | 'score_mcp',
  priceMicroUsdc: number,
  scores: readonly ScoreName[],
  summary: string,
): AnyCapability =>
  defineCapability({
    ...site,
    name,
    priceMicroUsdc,
    summary,
    result: results.auditResult(scores),
    run: createSiteWork(name),
  });

/** The 19 capabilities of the service in the order of the catalogue. A row that is `engineBacked` is served where an answer engine is configured. */
export const catalog: readonly AnyCapability[] = [
  checkRow(
    'check_health',
    60_000,
    'Site availability, robots.txt, access for three named AI crawlers, sitemap presence',
  ),
  checkRow('check_llms_txt', 70_000, 'llms.txt existence and quality: sections, links, statistics'),
  checkRow('check_schema', 70_000, 'Schema.org JSON-LD detection: types found, FAQ schema, Organization schema'),
  checkRow('check_agent_files', 70_000, 'openapi.json, ai-plugin.json, x402 payment support detection'),
  checkRow('check_mcp', 80_000, 'MCP discoverability: /.well-known/mcp.json, agent.json, MCP Server Card'),
  defineScoreRow('score_aeo', 150_000, ['aeo'], 'AEO (AI search visibility) score 0-100 with detailed checks'),
  defineScoreRow('score_geo', 150_000, ['geo'], 'GEO (citation readiness) score 0-100 with detailed checks'),
  defineScoreRow('score_agent', 150_000, ['agent'], 'Agent Readiness score 0-100 with detailed checks'),
  defineScoreRow('score_mcp', 200_000, ['mcp'], 'MCP Readiness score 0-100 with detailed checks'),
  defineCapability({
    ...describePublishable('full_audit'),
    priceMicroUsdc: 350_000,
    summary: `All four scores, ${checks.length} checks with evidence`,
    result: results.auditResult(['aeo', 'geo', 'agent', 'mcp']),
    run: createSiteWork('full_audit'),
  }),
  defineCapability({
    ...site,
    name: 'generate_llms_txt',
    priceMicroUsdc: 300_000,
    summary: 'Ready-to-deploy llms.txt tailored to the site',
    result: results.filesResult,
    run: createSiteWork('generate_llms_txt'),
  }),
  defineCapability({
    ...site,
    name: 'generate_mcp_json',
    priceMicroUsdc: 300_000,
    summary: 'Ready-to-deploy mcp.json and agent.json',
    result: results.filesResult,
    run: createSiteWork('generate_mcp_json'),
  }),
  defineCapability({
    ...describePublishable('fix_pack'),
    priceMicroUsdc: 550_000,
    summary: 'Copy-paste fix instructions for every failed check',
    result: results.fixPackResult,
    run: createSiteWork('fix_pack'),
  }),
  defineCapability({
    ...site,
    name: 'generate_skill',
    priceMicroUsdc: 450_000,
    summary: 'Ready-to-run SKILL.md fix file for coding agents',
    result: results.filesResult,
    run: createSiteWork('generate_skill'),
  }),
  defineCapability({
    ...site,
    body: compareBody,
    name: 'compare',
    priceMicroUsdc: 800_000,
    summary: 'Gap analysis against a competitor URL: who wins each category and why',
    result: results.compareResult,
    run: createSiteWork('compare'),
  }),
  defineCapability({
    ...describePublishable('full_report'),
    priceMicroUsdc: 1_550_000,
    summary: 'Full audit, fix pack, generated llms.txt and mcp.json in one',
    result: results.fullReportResult,
    run: createSiteWork('full_report'),
  }),
  defineCapability({
    ...engine,
    body: visibilityBody,
    name: 'visibility_check',
    priceMicroUsdc: 1_950_000,
    summary: 'Brand visibility in AI answers: mention rate, share of voice, who is recommended instead',
    result: visibilityResult,
    refuse: refuseMeasurement,
    run: createVisibilityWork('visibility_check'),
  }),
  defineCapability({
    ...engine,
    body: versusBody,
    name: 'visibility_vs_competitor',
    priceMicroUsdc: 3_500_000,
    summary: 'Head-to-head visibility of two brands on the same 30 prompts: rates, share of voice, verdict',
    result: versusResult,
    refuse: refuseMeasurement,
    run: createVisibilityWork('visibility_vs_competitor'),
  }),
  defineCapability({
    worstCaseS: AUDIT_WORST_CASE_S,
    engineBacked: false,
    body: visibilityFixBody,
    name: 'visibility_fix_pack',
    priceMicroUsdc: 1_250_000,
    summary: 'Ready-to-deploy fix materials: citable passages, FAQ JSON-LD, llms.txt sections',
    result: visibilityFixResult,
    run: runVisibilityFixes,
  }),
];

const byName = new Map<string, AnyCapability>(catalog.map((row) => [row.name, row]));

/** The row of a route segment; undefined for a name that is not in the catalogue. */
export const findCapability = (name: string): AnyCapability | undefined => byName.get(name);

/** `60000` micro-USDC as the seed writes prices: `"0.060000"`. */
export const formatUsd = (microUsdc: number): string => (microUsdc / 1_000_000).toFixed(6);
