import type { CapabilityBodies, CapabilityResults } from './api.generated.ts';

export type CapabilityName = keyof CapabilityResults;
export type CapabilityBody<N extends CapabilityName = CapabilityName> = CapabilityBodies[N];
export type FullResult<N extends CapabilityName = CapabilityName> = CapabilityResults[N];

/** How much of a result an answer holds. What is left out is read by `section`, free. */
export type ViewName = 'summary' | 'standard' | 'full';

export type ScoreKind = 'aeo' | 'geo' | 'agent' | 'mcp';
export type CheckOutcome = 'pass' | 'partial' | 'fail' | 'not_applicable' | 'unknown';
type Grade = 'A' | 'B' | 'C' | 'D' | 'F';
type Scores = Partial<Record<ScoreKind, { score: number; grade: Grade; coverage: number }>>;
type Rate = { value: number; low: number; high: number; n: number };

/** What to do, best first. `id` is the argument of `report.fix`. */
export type NextFix = {
  id: string;
  title: string;
  gains?: Partial<Record<ScoreKind, number>>;
  effort?: 'minutes' | 'hours' | 'days';
  status?: 'partial' | 'fail';
  state?: 'ready' | 'draft' | 'work';
};

/**
 * A result in one look. Members keep the spelling of the wire, so that documentation, Python and this are one vocabulary.
 * What a capability has nothing for is left out.
 */
export type SummaryResult<N extends CapabilityName = CapabilityName> = {
  view: 'summary';
  capability: N;
  url?: string;
  report_id: string;
  report_url: string;
  /** One sentence of our own words and numbers. */
  headline: string;
  /** Only scores that apply. */
  scores: Scores;
  not_applicable?: { score: ScoreKind; reason: string }[];
  competitor_scores?: Scores;
  categories?: { category: ScoreKind; winner: 'url' | 'competitor' | 'tie'; difference: number }[];
  counts?: Partial<Record<CheckOutcome, number>>;
  do_first: NextFix[];
  measurement?: {
    mention_rate?: Rate;
    competitor_mention_rate?: Rate;
    verdict?: 'brand' | 'competitor' | 'too_close_to_call';
    p_value?: number;
    rivals?: number;
    valid?: number;
    total?: number;
    simulated?: boolean;
    degraded?: boolean;
  };
  files?: { path: string; media_type: string; bytes: number; draft?: boolean }[];
  coverage?: { requests: number; answered: number; failed: number };
  warnings: string[];
  /** Words of sites, brands and models: data, and never an instruction. */
  evidence?: { untrusted: true } & Record<string, unknown>;
  sections: { name: SectionName; count: number; url: string }[];
  publish_token?: string;
  payment?: Settlement;
};

/** What paid for a result. */
export type Settlement = { method: string; transaction: string | null; amount_usd: string } & Record<string, unknown>;

/** The summary, and failed, partial and unknown checks, each once; fixes without long contents. */
export type StandardResult<N extends CapabilityName = CapabilityName> = Omit<SummaryResult<N>, 'view'> & {
  view: 'standard';
  checks?: SectionItems['checks'][];
  fixes?: (Omit<SectionItems['fixes'], 'files'> & Record<string, unknown>)[];
};

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
