import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type BoughtResult, parseBought } from '../results/bought.ts';
import type { ReportPlace } from '../results/links.ts';
import { buildStandard } from '../results/standard.ts';
import { buildSummary } from '../results/summary.ts';
import type { ResultSummary } from '../results/summary-shape.ts';
import { type ResultView, resultViews } from '../results/view.ts';
import { buildProofMeta } from './payment-meta.ts';
import { reportUri } from './resources.ts';
import { formatSummaryText } from './summary-text.ts';

/** `_meta` member by which a client asks for another size of a result than the summary. */
export const VIEW_META = 'sightline/view';

const wantedView = z.enum(resultViews).default('summary');

/** The view that a call asks for; undefined for what is none. */
export const readWantedView = (meta: Readonly<Record<string, unknown>>): ResultView | undefined =>
  wantedView.safeParse(meta[VIEW_META]).data;

export const BAD_VIEW = `_meta["${VIEW_META}"] is one of ${resultViews.join(', ')}`;

/** Where a result can be read again. `home`: our address; undefined where only this process keeps it. */
export type ResultHome = { home: string | undefined };

type Selling = ResultHome & {
  view: ResultView;
  /** Headers that prove the sale over HTTP; absent when prepaid credits paid. */
  proofs?: Readonly<Record<string, string>>;
};

/** Members of the envelope that are ours; everything else may quote a site, a brand or a model. */
const envelope = z.looseObject({
  capability: z.string(),
  report_id: z.string().regex(/^[0-9a-f]{32}$/),
  warnings: z.array(z.string()),
  publish_token: z.string().optional(),
  payment: z.record(z.string(), z.unknown()).optional(),
});

export type StructuredEvidence = {
  capability: string;
  report_id: string;
  warnings: string[];
  publish_token?: string;
  payment?: Record<string, unknown>;
  evidence: { untrusted: true; result: Record<string, unknown> };
};

/** A stored envelope with everything that is not ours under `evidence` (rule X4). */
export function readEvidence(json: string): StructuredEvidence {
  const { capability, report_id, warnings, publish_token, payment, ...result } = envelope.parse(JSON.parse(json));
  return {
    capability,
    report_id,
    ...(publish_token === undefined ? {} : { publish_token }),
    ...(payment === undefined ? {} : { payment }),
    warnings,
    evidence: { untrusted: true, result },
  };
}

/**
 * A bought result: the summary as text and, unless a larger view is asked for, as `structuredContent`, and a link to the
 * stored report. Text that is not ours is under `structuredContent.evidence` and nowhere else (rule X4).
 * @param body the 200 body of the HTTP route
 */
export function buildSoldResult(body: string, { home, view, proofs = {} }: Selling): CallToolResult {
  const full = readEvidence(body);
  const { capability, report_id: reportId } = full;
  const bought = parseBought(body);
  const meta = buildProofMeta(proofs);
  return {
    content: [
      { type: 'text', text: bought === undefined ? `${capability}: done.` : describeInText(bought, { home }) },
      { type: 'resource_link', uri: reportUri(reportId), name: `report ${reportId}`, mimeType: 'application/json' },
    ],
    // A result of a shape that this version does not read has no smaller views.
    structuredContent: bought === undefined || view === 'full' ? { ...full } : buildStructured(bought, { home }, view),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/** The summary of a result that is stored, or that this process keeps: the latter has no address. */
export function summariseBought(bought: BoughtResult, { home }: ResultHome): ResultSummary {
  const summary = buildSummary(bought, buildPlace(bought, home));
  return home === undefined ? withoutAddresses(summary) : summary;
}

const buildPlace = ({ report_id: reportId }: BoughtResult, home: string | undefined): ReportPlace => ({
  baseUrl: home ?? '',
  reportId,
});

const withoutAddresses = <T extends Pick<ResultSummary, 'report_url' | 'sections'>>({
  report_url: _none,
  ...rest
}: T): Omit<T, 'report_url'> => ({ ...rest, sections: rest.sections.map(({ url: _address, ...one }) => one) });

const describeInText = (bought: BoughtResult, at: ResultHome): string => formatSummaryText(summariseBought(bought, at));

/** Members of the standard view that hold what a site or an engine wrote, beside those of the summary. */
const FOREIGN = ['checks', 'facts', 'gaps', 'brand_report', 'brand_reports', 'fixes'] as const;

function buildStructured(bought: BoughtResult, at: ResultHome, view: ResultView): Record<string, unknown> {
  const summary = summariseBought(bought, at);
  if (view !== 'standard') return summary;
  const standard: Readonly<Record<string, unknown>> = buildStandard(bought, buildPlace(bought, at.home));
  const { checks_left_out: left } = standard;
  const quoted = FOREIGN.flatMap((name) => (standard[name] === undefined ? [] : [[name, standard[name]] as const]));
  return {
    ...summary,
    view,
    ...(left === undefined ? {} : { checks_left_out: left }),
    evidence: { ...summary.evidence, ...Object.fromEntries(quoted) },
  };
}
