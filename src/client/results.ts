import type {
  CapabilityBodies,
  CapabilityResults,
  Catalogue as WireCatalogue,
  DryRun,
  File,
  Fix,
  PanelBodies,
  PanelResults,
  Payment,
  Publication as WirePublication,
  ResultStandard,
  ResultSummary,
  ScoreName,
  SectionAnswer,
  SectionCheck,
  SectionCitation,
  SectionEvidence,
  SectionPage as WirePage,
  SectionRequest,
  ToolBodies,
  ToolResults,
} from './api.generated.ts';

/** What a purchase would be charged, and whether it would get so far. */
export type { DryRun };

/** A row of the catalogue. */
export type RowName = keyof CapabilityResults;
/** A panel: a measurement by several engines at once. */
export type PanelName = keyof PanelResults;
/** A tool that is sold beside the catalogue. */
export type ToolName = keyof ToolResults;
/** What can be bought: the rows of the catalogue, and the panels and tools beside them. */
export type CapabilityName = RowName | PanelName | ToolName;
export type CapabilityBody<N extends CapabilityName = CapabilityName> = (CapabilityBodies &
  PanelBodies &
  ToolBodies)[N];
export type FullResult<N extends CapabilityName = CapabilityName> = (CapabilityResults & PanelResults & ToolResults)[N];

/** How much of a result an answer holds. What is left out is read by `section`, free. */
export type ViewName = 'summary' | 'standard' | 'full';

export type ScoreKind = ScoreName;

/** What to do, best first. `id` is the argument of `report.fix`. */
export type NextFix = ResultSummary['do_first'][number];
/** What paid for a result. */
export type Settlement = Payment;

/** What every bought result has, whatever its view. `scores` is there where the capability judges any. */
type Bought<N extends CapabilityName, Wire extends { scores?: unknown }> = Wire & {
  capability: N;
  report_id: string;
  report_url: string;
  payment?: Settlement;
} & ('scores' extends keyof FullResult<N> ? { scores: NonNullable<Wire['scores']> } : unknown);

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
  checks: SectionCheck;
  fixes: Fix;
  files: File;
  evidence: SectionEvidence;
  requests: SectionRequest;
  answers: SectionAnswer;
  citations: SectionCitation;
};
export type SectionName = keyof SectionItems;

/** One page of a section, as the service sends it. */
export type SectionPage<S extends SectionName> = Omit<WirePage, 'section' | 'items'> & {
  section: S;
  items: SectionItems[S][];
};

/** The free catalogue, and one row of it. */
export type Catalogue = Omit<WireCatalogue, 'capabilities' | 'panels' | 'tools'> & {
  capabilities: Record<RowName, Offer>;
  /** Absent where the service is of a version without panels. */
  panels?: Record<PanelName, Offer>;
  /** Absent where the service is of a version without tools. */
  tools?: Record<ToolName, Offer>;
};
export type Offer = WireCatalogue['capabilities'][string];

/** What publishing a report answers. */
export type Publication = WirePublication;
