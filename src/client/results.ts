import type { CapabilityBodies, CapabilityResults, ResultStandard, ResultSummary } from './api.generated.ts';

export type CapabilityName = keyof CapabilityResults;
export type CapabilityBody<N extends CapabilityName = CapabilityName> = CapabilityBodies[N];
export type FullResult<N extends CapabilityName = CapabilityName> = CapabilityResults[N];

/** How much of a result an answer holds. What is left out is read by `section`, free. */
export type ViewName = 'summary' | 'standard' | 'full';

export type ScoreKind = 'aeo' | 'geo' | 'agent' | 'mcp';

/** What to do, best first. `id` is the argument of `report.fix`. */
export type NextFix = ResultSummary['do_first'][number];
/** What paid for a result. */
export type Settlement = { method: string; transaction: string | null; amount_usd: string } & Record<string, unknown>;

/** What every bought result has, whatever its view. `scores` is there where the capability judges any. */
type Bought<N extends CapabilityName, Wire extends { scores?: unknown }> = Wire & {
  capability: N;
  report_id: string;
  report_url: string;
  payment?: Settlement;
} & ('scores' extends keyof CapabilityResults[N] ? { scores: NonNullable<Wire['scores']> } : unknown);

/**
 * A result in one look. Members keep the spelling of the wire, so that documentation, Python and this are one vocabulary.
 * What a capability has nothing for is left out; words of sites, brands and models are in `evidence` only.
 */
export type SummaryResult<N extends CapabilityName = CapabilityName> = Bought<N, ResultSummary>;

/** The summary, and what failed or passed partly, each check once, with evidence and what to do. */
export type StandardResult<N extends CapabilityName = CapabilityName> = Bought<N, ResultStandard>;

export type ViewedResult<N extends CapabilityName, V extends ViewName> = V extends 'full'
  ? FullResult<N> & { report_url: string }
  : V extends 'standard'
    ? StandardResult<N>
    : SummaryResult<N>;

/** What each section of a report lists. */
export type SectionItems = {
  checks: CapabilityResults['check_health']['checks'][number] & { scores: ScoreKind[]; site?: 'url' | 'competitor' };
  fixes: CapabilityResults['fix_pack']['fixes'][number];
  files: CapabilityResults['generate_llms_txt']['files'][number];
  evidence: { check_id: string } & Record<string, unknown>;
  requests: CapabilityResults['full_audit']['requests'][number];
  answers: {
    index: number;
    prompt: string;
    status: string;
    text?: string;
    served_model?: string;
    sha256?: string;
    citations?: string[];
  };
  citations: { url: string; answers: number[] };
};
export type SectionName = keyof SectionItems;

/** One page of a section, as the service sends it. */
export type SectionPage<S extends SectionName> = {
  report_id: string;
  section: S;
  total: number;
  items: SectionItems[S][];
  next_cursor?: string;
};

/** A row of the catalogue. */
export type Offer = {
  description: string;
  price_usd: string;
  price_usdc: number;
  /** The price in micro-USDC. */
  amount: string;
  endpoint: string;
  available: boolean;
  body_schema: Record<string, unknown>;
};

/** The free catalogue. */
export type Catalogue = {
  payment: { network: string; asset: string; payTo: string | null } & Record<string, unknown>;
  capabilities: Record<CapabilityName, Offer>;
} & Record<string, unknown>;

/** What publishing a report answers. */
export type Publication = { published: boolean; host?: string; badge?: string; history?: string };
