// Written by scripts/client/generate.ts from the OpenAPI document. Not edited by hand.

/** The body of each capability. */
export type CapabilityBodies = {
  /** Site availability, robots.txt, access for three named AI crawlers, sitemap presence */
  check_health: CheckHealthBody;
  /** llms.txt existence and quality: sections, links, statistics */
  check_llms_txt: CheckLlmsTxtBody;
  /** Schema.org JSON-LD detection: types found, FAQ schema, Organization schema */
  check_schema: CheckSchemaBody;
  /** openapi.json, ai-plugin.json, x402 payment support detection */
  check_agent_files: CheckAgentFilesBody;
  /** MCP discoverability: /.well-known/mcp.json, agent.json, MCP Server Card */
  check_mcp: CheckMcpBody;
  /** AEO (AI search visibility) score 0-100 with detailed checks */
  score_aeo: ScoreAeoBody;
  /** GEO (citation readiness) score 0-100 with detailed checks */
  score_geo: ScoreGeoBody;
  /** Agent Readiness score 0-100 with detailed checks */
  score_agent: ScoreAgentBody;
  /** MCP Readiness score 0-100 with detailed checks */
  score_mcp: ScoreMcpBody;
  /** All four scores, 305 checks with evidence */
  full_audit: FullAuditBody;
  /** Ready-to-deploy llms.txt tailored to the site */
  generate_llms_txt: GenerateLlmsTxtBody;
  /** Ready-to-deploy mcp.json and agent.json */
  generate_mcp_json: GenerateMcpJsonBody;
  /** Copy-paste fix instructions for every failed check */
  fix_pack: FixPackBody;
  /** Ready-to-run SKILL.md fix file for coding agents */
  generate_skill: GenerateSkillBody;
  /** Gap analysis against a competitor URL: who wins each category and why */
  compare: CompareBody;
  /** Full audit, fix pack, generated llms.txt and mcp.json in one */
  full_report: FullReportBody;
  /** Brand visibility in AI answers: mention rate, share of voice, who is recommended instead */
  visibility_check: VisibilityCheckBody;
  /** Head-to-head visibility of two brands on the same 30 prompts: rates, share of voice, verdict */
  visibility_vs_competitor: VisibilityVsCompetitorBody;
  /** Ready-to-deploy fix materials: citable passages, FAQ JSON-LD, llms.txt sections */
  visibility_fix_pack: VisibilityFixPackBody;
};

/** The whole result of each capability. */
export type CapabilityResults = {
  /** Site availability, robots.txt, access for three named AI crawlers, sitemap presence */
  check_health: ChecksResult;
  /** llms.txt existence and quality: sections, links, statistics */
  check_llms_txt: ChecksResult;
  /** Schema.org JSON-LD detection: types found, FAQ schema, Organization schema */
  check_schema: ChecksResult;
  /** openapi.json, ai-plugin.json, x402 payment support detection */
  check_agent_files: ChecksResult;
  /** MCP discoverability: /.well-known/mcp.json, agent.json, MCP Server Card */
  check_mcp: ChecksResult;
  /** AEO (AI search visibility) score 0-100 with detailed checks */
  score_aeo: ScoreAeoResult;
  /** GEO (citation readiness) score 0-100 with detailed checks */
  score_geo: ScoreGeoResult;
  /** Agent Readiness score 0-100 with detailed checks */
  score_agent: ScoreAgentResult;
  /** MCP Readiness score 0-100 with detailed checks */
  score_mcp: ScoreMcpResult;
  /** All four scores, 305 checks with evidence */
  full_audit: FullAuditResult;
  /** Ready-to-deploy llms.txt tailored to the site */
  generate_llms_txt: FilesResult;
  /** Ready-to-deploy mcp.json and agent.json */
  generate_mcp_json: FilesResult;
  /** Copy-paste fix instructions for every failed check */
  fix_pack: FixPackResult;
  /** Ready-to-run SKILL.md fix file for coding agents */
  generate_skill: FilesResult;
  /** Gap analysis against a competitor URL: who wins each category and why */
  compare: CompareResult;
  /** Full audit, fix pack, generated llms.txt and mcp.json in one */
  full_report: FullReportResult;
  /** Brand visibility in AI answers: mention rate, share of voice, who is recommended instead */
  visibility_check: VisibilityCheckResult;
  /** Head-to-head visibility of two brands on the same 30 prompts: rates, share of voice, verdict */
  visibility_vs_competitor: VisibilityVsCompetitorResult;
  /** Ready-to-deploy fix materials: citable passages, FAQ JSON-LD, llms.txt sections */
  visibility_fix_pack: VisibilityFixPackResult;
};

/** The body of each panel of engines. */
export type PanelBodies = {
  /** Brand visibility in 2 AI engines at once: each by itself, pooled, and where they differ */
  visibility_panel_2: PanelBody;
  /** Brand visibility in 4 AI engines at once: each by itself, pooled, and where they differ */
  visibility_panel_4: PanelBody;
};

/** The whole result of each panel of engines. */
export type PanelResults = {
  /** Brand visibility in 2 AI engines at once: each by itself, pooled, and where they differ */
  visibility_panel_2: PanelResult;
  /** Brand visibility in 4 AI engines at once: each by itself, pooled, and where they differ */
  visibility_panel_4: PanelResult;
};

/** The body of each tool beside the catalogue. */
export type ToolBodies = {
  /** A paid endpoint (x402, MPP) read as a buyer does: terms, headers, CORS, clock, discovery; nothing is paid to it */
  seller_check: SellerCheckBody;
};

/** The whole result of each tool beside the catalogue. */
export type ToolResults = {
  /** A paid endpoint (x402, MPP) read as a buyer does: terms, headers, CORS, clock, discovery; nothing is paid to it */
  seller_check: SellerCheckResult;
};

/** What the same request with a payment would be charged, and whether it would get so far. */
export type DryRun = {
  dry_run: true;
  capability: string;
  price: {
    /** Micro-USDC */
    amount: string;
    usd: string;
    currency: "USDC";
  };
  sale: {
    open: boolean;
    code?: string;
    detail?: string;
    next?: string;
  };
  /** The ways to pay */
  rails: ({
      rail: string;
    })[];
  /** As it would be sold */
  input: Record<string, unknown>;
  /** What a payment is bound to */
  input_sha256?: string;
  /** The sites of the input; one request to each host */
  targets: ({
      field: string;
      url: string;
      /** null: not asked */
      reachable: (boolean | null);
      status?: number;
      reason?: string;
      detail?: string;
      next?: string;
      retry_after_s?: number;
    })[];
  limits: {
    free_requests_per_minute: number;
    /** null: not known */
    free_requests_left: (number | null);
    unpaid_audits_of_a_host_per_hour: number;
  };
};

/** All that is sold, by name, with prices. */
export type Catalogue = {
  name: string;
  description: string;
  payment: PaymentMethods;
  capabilities: Record<string, CatalogueEntry>;
  credits: Record<string, CreditEntry>;
  docs: string;
  openapi: string;
  mcp: {
    open: string;
    account: string;
  };
};

export type CreditEntry = {
  description: string;
  /** USD with six decimals */
  price_usd: string;
  price_usdc: number;
  /** Micro-USDC */
  amount: string;
  /** The contract of USDC */
  asset: string;
  network: "eip155:8453";
  method: "POST";
  endpoint: string;
  /** Whether it can be bought now */
  available: boolean;
};

export type CatalogueEntry = CreditEntry & {
    /** JSON Schema of the body */
    body_schema: Record<string, unknown>;
    /** What official x402 clients need for a price over 1 USD */
    hint?: string;
  };

export type PaymentMethods = {
  protocol: "x402";
  x402Version: 2;
  network: "eip155:8453";
  currency: "USDC";
  /** null: this deployment sells nothing yet */
  payTo: (string | null);
  asset: string;
  flows: ("signed-payload" | "direct-transfer")[];
  header: "PAYMENT-SIGNATURE";
  hint: string;
  /** All networks, where there are several: one entry of `accepts` for each */
  networks?: ({
      /** CAIP-2 */
      network: string;
      payTo: string;
      asset: string;
    })[];
};

export type UrlBody = {
  /** URL or host of the website */
  url: string;
  /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
  profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
  /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
  max_pages?: number;
};

export type PublishableBody = {
  /** URL or host of the website */
  url: string;
  /** What kind of site it is; detected from evidence when absent. It decides which checks apply. */
  profile?: "content" | "docs" | "product" | "commerce" | "api" | "mcp";
  /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
  max_pages?: number;
  /** Makes the whole report public once it is paid: badge and history of the host show its scores, its address appears in the history, and search engines may find it, fixes and files included. Asks for the root of a site as `url`, and for neither `profile` nor `max_pages`. */
  publish?: boolean;
};

export type PanelBody = {
  /** Brand name to measure */
  brand: string;
  /** Market niche or category, as a bare noun phrase */
  niche: string;
  /** Brands to compare with on the same answers, 1 to 5 */
  competitors?: string[];
  /** The brand's website: sources there are its own, and its pages are held against the cited ones */
  site?: string;
  language?: PromptLanguage;
  prompt_set?: PromptSetName;
  kind?: PromptKind;
  local?: PromptLocal;
  prompts?: OwnPrompts;
  /** Deliver at the full price even when an engine could not be measured; without it nothing is charged then */
  allow_partial?: boolean;
  /** Configured engines to ask, by name (GET /api/agent/index); the first ones when absent */
  engines?: string[];
};

/** Language of the questions; word the niche in it. `en` when absent. */
export type PromptLanguage = "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja";

/** `v1`: the first set, in English. `v2`: eight languages, for products and services; asked when `language`, `kind` or `local` is given. Else `v1`. */
export type PromptSetName = "v1" | "v2";

/** `product`: something to buy and use; `service`: work, premises or a contract. Of `v2`; when absent, `service` if `local` is true, else `product`. */
export type PromptKind = "product" | "service";

/** The niche names or implies a place ("dentist in Lyon"). Of `v2`. */
export type PromptLocal = boolean;

/** Your own questions instead of a set: one line each, in `language`, no measured brand in them, no two alike. */
export type OwnPrompts = string[];

export type CheckHealthBody = UrlBody;

export type CheckLlmsTxtBody = UrlBody;

export type CheckSchemaBody = UrlBody;

export type CheckAgentFilesBody = UrlBody;

export type CheckMcpBody = UrlBody;

export type ScoreAeoBody = UrlBody;

export type ScoreGeoBody = UrlBody;

export type ScoreAgentBody = UrlBody;

export type ScoreMcpBody = UrlBody;

export type FullAuditBody = PublishableBody;

export type GenerateLlmsTxtBody = UrlBody;

export type GenerateMcpJsonBody = UrlBody;

export type FixPackBody = PublishableBody;

export type GenerateSkillBody = UrlBody;

export type CompareBody = {
  /** URL or host of the website */
  url: string;
  /** URL or host of the competitor site */
  competitor: string;
  /** Pages to read, the start page included; 9 when absent. The 60 requests of an audit hold all the same. */
  max_pages?: number;
};

export type FullReportBody = PublishableBody;

export type VisibilityCheckBody = {
  /** Brand name to measure */
  brand: string;
  /** Market niche or category, as a bare noun phrase */
  niche: string;
  language?: PromptLanguage;
  prompt_set?: PromptSetName;
  kind?: PromptKind;
  local?: PromptLocal;
  prompts?: OwnPrompts;
  /** Configured engines to ask, by name (GET /api/agent/index); the first ones when absent */
  engines?: string[];
};

export type VisibilityVsCompetitorBody = {
  /** Brand name to measure */
  brand: string;
  /** Market niche or category, as a bare noun phrase */
  niche: string;
  /** Brand name to compare with */
  competitor_brand: string;
  language?: PromptLanguage;
  prompt_set?: PromptSetName;
  kind?: PromptKind;
  local?: PromptLocal;
  prompts?: OwnPrompts;
  /** Configured engines to ask, by name (GET /api/agent/index); the first ones when absent */
  engines?: string[];
};

export type VisibilityFixPackBody = {
  /** Brand name to measure */
  brand: string;
  /** Market niche or category, as a bare noun phrase */
  niche: string;
  /** From `weak_spots` of a visibility_check response */
  weak_spots: ({
      topic: string;
      who_wins?: string;
      evidence?: string;
    })[];
  /** The site that fills the texts */
  url?: string;
  facts?: ({
      name: string;
      value: string;
      source?: string;
    })[];
};

export type SellerCheckBody = {
  /** Address of the paid endpoint, with its path */
  url: string;
};

export type Measured = {
  niche: string;
  run_id: string;
  degraded: boolean;
  engine: Engine;
  prompts: PromptSet;
  transcripts_sha256: string;
};

export type BrandFigures = {
  mention_rate: MentionRate;
  recommendation_rate: Rate;
  share_of_voice: (Rate | null);
  average_position: ({
      value: number;
      n: number;
    } | null);
  rivals: Rival[];
  recommended_instead: RecommendedInstead[];
  intents: IntentReport[];
  weak_spots: WeakSpot[];
  notes: string[];
  ambiguity: Ambiguity;
  sources: (Source[] | null);
  failures: Failures;
  refused?: Refusals;
  truncated: number;
};

export type Purchase = {
  capability: string;
  url?: string;
  report_id: string;
  warnings: string[];
  statement?: Signed;
  /** Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets it, with all four scores of a site. */
  publish_token?: string;
  payment: Payment;
  receipt?: Signed;
  /** The report as a page, and as JSON or Markdown by Accept */
  report_url?: string;
};

export type Audited = {
  profile: SiteProfile;
  rubric: Rubric;
  requests: Request[];
  summary: Record<string, unknown>;
};

export type Fixed = {
  scores: AllScores;
  fixes: Fix[];
  promised?: PromisedPoints;
  server_files?: ServerFile[];
};

export type ResultMembers = {
  capability: "check_health" | "check_llms_txt" | "check_schema" | "check_agent_files" | "check_mcp" | "score_aeo" | "score_geo" | "score_agent" | "score_mcp" | "full_audit" | "generate_llms_txt" | "generate_mcp_json" | "fix_pack" | "generate_skill" | "compare" | "full_report" | "visibility_check" | "visibility_vs_competitor" | "visibility_fix_pack" | "visibility_panel_2" | "visibility_panel_4" | "seller_check";
  url?: string;
  report_id?: string;
  /** The report as a page; JSON and Markdown by Accept */
  report_url?: string;
  /** The result in one or two sentences, in our own words and numbers */
  headline: string;
  /** The scores that apply */
  scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", ScoreLine>>;
  not_applicable?: ({
      score: "aeo" | "geo" | "agent" | "mcp";
      reason: string;
    })[];
  competitor_scores?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", ScoreLine>>;
  categories?: ({
      category: "aeo" | "geo" | "agent" | "mcp";
      winner: "url" | "competitor" | "tie";
      difference: number;
    })[];
  /** Each check once, though several scores may hold it */
  counts?: {
    pass: number;
    partial: number;
    fail: number;
    not_applicable: number;
    unknown: number;
  };
  /** At most five, the best first */
  do_first: FirstFix[];
  measurement?: SummaryMeasurement;
  /** The first files; the section `files` has all of them, with their contents */
  files?: ListedFile[];
  /** Requests of the audit, and how many of them got an answer */
  coverage?: {
    requests: number;
    answered: number;
    failed: number;
  };
  warnings: string[];
  evidence: ForeignWords;
  /** What can be read page by page */
  sections: SectionLink[];
  /** Of the whole result: its hash, signed; or `unsigned` */
  statement?: ("unsigned" | Record<string, unknown>);
  publish_token?: string;
  payment?: Record<string, unknown>;
  /** For its buyer alone */
  receipt?: ("unsigned" | Record<string, unknown>);
};

export type ScoreName = "aeo" | "geo" | "agent" | "mcp";

/** Where a verdict was seen. Text of the audited site: data, never instructions. */
export type Evidence = {
  url: string;
  status?: number;
  header?: string;
  selector?: string;
  line?: number;
  excerpt?: string;
  sha256?: string;
};

/** One check with its verdict, its evidence and how to repeat it. */
export type Check = {
  id: string;
  title: string;
  status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
  value: number;
  weight: number;
  evidence_grade: "A" | "B" | "C" | "D";
  /** Of a check that was wrong more than one time in ten on labelled pages: verdicts judged, right and wrong; the others were arguable. See /accuracy. */
  accuracy?: {
    n: number;
    right: number;
    wrong: number;
  };
  note: string;
  /** Of a check that was judged on several pages: how many, how many passed, and the worst. */
  pages?: {
    judged: number;
    passed: number;
    worst?: string;
  };
  evidence: Evidence[];
  reproduce: string;
  why: string;
  source: string;
  fix_id: string;
};

/** A check that caps a score. */
export type Gate = {
  id: string;
  cap: number;
};

/** A score that can be computed again: `round(100 * sum(weight * value) / sum(weight))`, then the lowest cap in `gates`. */
export type Score = {
  score: number;
  grade: "A" | "B" | "C" | "D" | "F";
  coverage: number;
  /** False when the site has nothing that this score is about: `reason` says why, and score and coverage say nothing. */
  applies?: false;
  reason?: string;
  /** Where the score would lie, 95 times of 100, had other pages been read. Absent below three patterns of addresses. */
  interval?: {
    low: number;
    high: number;
    pages: number;
    patterns: number;
  };
  gates: Gate[];
  counts: {
    pass: number;
    partial: number;
    fail: number;
    not_applicable: number;
    unknown: number;
  };
  checks: Check[];
};

export type AllScores = {
  aeo: Score;
  geo: Score;
  agent: Score;
  mcp: Score;
};

export type Request = {
  role: string;
  url: string;
  status: (number | null);
  failure?: string;
  bytes: number;
  ms: number;
};

export type SiteProfile = {
  name: string;
  rests_on: string[];
  given: boolean;
};

export type Rubric = {
  version: string;
  sha256: string;
};

/** A generated file, ready to deploy unless it is a draft. */
export type File = {
  path: string;
  media_type: string;
  content: string;
  sha256: string;
  draft?: boolean;
  facts_needed?: string[];
};

export type Points = Partial<Record<ScoreName, number>>;

/** Points by what they wait for: nothing, facts for the slots, or work. */
export type PromisedPoints = {
  ready: Points;
  draft: Points;
  work: Points;
};

export type ServerFile = {
  path: string;
  content: string;
  checks: string[];
};

/** Sentences, those with a slot, and the share of the others. */
export type FilledShare = {
  share: number;
  sentences: number;
  to_write: number;
};

/** What to change in which file, what it gains, and how to see that it works. */
export type Fix = {
  id: string;
  title: string;
  status: "fail" | "partial";
  scores: ScoreName[];
  weight: number;
  gains: Points;
  points: number;
  state?: "ready" | "draft" | "work";
  file: string;
  action: "create" | "replace" | "insert" | "configure";
  instructions: string;
  content?: string;
  media_type?: string;
  diff?: string;
  configure?: Partial<Record<"nginx" | "apache" | "cloudflare" | "nextjs" | "vercel", string>>;
  effort: "minutes" | "hours" | "days";
  facts_needed: string[];
  evidence: Evidence[];
  verify: {
    command: string;
    expect: string;
  };
};

export type CheckStanding = {
  status: "pass" | "partial" | "fail" | "not_applicable" | "unknown";
  value: number;
  evidence: Evidence[];
};

export type ComparedSite = Audited & {
    scores: AllScores;
  };

export type ComparedCategory = {
  category: ScoreName;
  title: string;
  winner: "url" | "competitor" | "tie";
  scores: {
    url: number;
    competitor: number;
  };
  coverage: {
    url: number;
    competitor: number;
  };
  applies?: {
    url: boolean;
    competitor: boolean;
  };
  difference: number;
  why: string;
  decided_by: string[];
};

export type Gap = {
  id: string;
  title: string;
  ahead: "url" | "competitor";
  weight: number;
  url: CheckStanding;
  competitor: CheckStanding;
  points: Points;
  fix: string;
};

/** The settled payment of a purchase. */
export type Payment = {
  method: "x402" | "mpp" | "transfer";
  transaction: string;
  network: "eip155:8453";
  payer: string;
  amount: string;
  amount_usd: string;
  settled_at: string;
};

export type Signed = ("unsigned" | {
    claims: {
      issuer: string;
    };
    jws: string;
  });

/** A share of answers with its 95 % interval. */
export type Rate = {
  value: number;
  low: number;
  high: number;
  n: number;
};

/** A rate, with its bounds if every failed prompt had answered for or against the brand. */
export type MentionRate = {
  value: number;
  low: number;
  high: number;
  n: number;
  worst_case?: {
    low: number;
    high: number;
  };
};

export type Rival = {
  name: string;
  mentioned: number;
  mention_rate: Rate;
  recommended: number;
  share_of_voice: number;
};

export type Intent = "discovery" | "recommendation" | "problem" | "comparison" | "price" | "trust" | "own";

export type IntentReport = {
  intent: Intent;
  label: string;
  valid: number;
  mention_rate: (Rate | null);
  recommended: number;
  top_rival: ({
      name: string;
      mentioned: number;
    } | null);
};

export type RecommendedInstead = {
  name: string;
  answers: number;
  of: number;
  quote: string;
};

/** A topic where others are recommended. Input of `visibility_fix_pack`. */
export type WeakSpot = {
  topic: string;
  who_wins?: string;
  evidence: string;
};

export type Ambiguity = {
  level: "low" | "high";
  case_sensitive: boolean;
  rejected: number;
};

export type Source = {
  domain: string;
  answers: number;
};

export type Failures = {
  total: number;
  by_reason: Partial<Record<"timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered" | "stopped", number>>;
};

export type Refusals = {
  total: number;
  by_kind: Partial<Record<"refusal" | "stock_phrase" | "wrong_language" | "off_topic", number>>;
};

/** A prompt as it was asked; its answer can be checked against the hash. */
export type AskedPrompt = ({
    index: number;
    id: string;
    intent: Intent;
    prompt: string;
    status: "answered";
    served_model: (string | null);
    finish_reason: "stop" | "length" | "other";
    sha256: string;
  } | {
    index: number;
    id: string;
    intent: Intent;
    prompt: string;
    status: "refused";
    refusal: "refusal" | "stock_phrase" | "wrong_language" | "off_topic";
    served_model: (string | null);
    finish_reason: "stop" | "length" | "other";
    sha256: string;
  } | {
    index: number;
    id: string;
    intent: Intent;
    prompt: string;
    status: "failed";
    reason: "timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered" | "stopped";
  });

export type Engine = {
  kind: "openai-compatible" | "openai" | "anthropic" | "google" | "perplexity" | "workers-ai" | "recorded" | "simulated";
  model: string;
  served_models: string[];
  simulated: boolean;
};

export type PromptSet = {
  set: string;
  sha256: string;
  total: number;
  valid: number;
  asked: AskedPrompt[];
};

/** What the answers say about one brand. Every count is of answers: an answer names a brand once at most. */
export type BrandReport = BrandFigures & {
    name: string;
  };

/** Texts to publish about one topic. */
export type VisibilityFix = {
  topic: string;
  passage: string;
  faq_json_ld: string;
  faq_html: string;
  llms_txt_section: string;
  place: {
    passage: string;
    faq_json_ld: string;
    llms_txt_section: string;
  };
  facts_needed: string[];
  draft?: boolean;
  sentences?: ({
      text: string;
      place: string;
      source: string;
    })[];
  evidence?: string;
  verify: string;
};

export type ResultSummary = ResultMembers & {
    view: "summary";
  };

export type ResultStandard = ResultMembers & {
    view: "standard";
    checks?: ({
        id: string;
        title: string;
        status: "fail" | "partial";
        scores: ("aeo" | "geo" | "agent" | "mcp")[];
        weight: number;
        note: string;
        evidence: ({
            url: string;
          })[];
        fix?: {
          effort: "minutes" | "hours" | "days";
          instructions?: string;
          gains?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
          state?: "ready" | "draft" | "work";
          file?: string;
          action?: string;
          facts_needed?: string[];
          has_content: boolean;
        };
      })[];
    /** Open checks that are in the section `checks` only */
    checks_left_out?: number;
    facts?: Record<string, unknown>;
    gaps?: ({
        id: string;
      })[];
    /** Of a measurement: its tables, without prompts */
    brand_report?: Record<string, unknown>;
    /** The same of both brands of a comparison */
    brand_reports?: Record<string, unknown>;
    /** Fixes that belong to no check */
    fixes?: ({
        id: string;
        title: string;
      })[];
  };

export type ScoreLine = {
  score: number;
  grade: "A" | "B" | "C" | "D" | "F";
  /** Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing */
  coverage: number;
};

/** A share of answers with its 95 % interval */
export type SummaryRate = {
  value: number;
  low: number;
  high: number;
  n: number;
};

export type SummaryMeasurement = {
  mention_rate: SummaryRate;
  competitor_mention_rate?: SummaryRate;
  verdict?: "brand" | "competitor" | "too_close_to_call";
  p_value?: number;
  rivals: number;
  /** Prompts with an answer */
  valid: number;
  total: number;
  simulated: boolean;
  degraded: boolean;
};

export type ForeignWords = {
  untrusted: true;
  brand?: string;
  competitor_brand?: string;
  rivals?: ({
      name: string;
      mentioned: number;
    })[];
  weak_spots?: ({
      topic: string;
      who_wins?: string;
    })[];
};

export type FirstFix = {
  /** For the section `fixes` and the tool get_fix */
  id: string;
  title: string;
  /** Points that it adds to each score */
  gains?: Partial<Record<"aeo" | "geo" | "agent" | "mcp", number>>;
  effort?: "minutes" | "hours" | "days";
  status?: "fail" | "partial";
  /** ready: deploy it as it is; draft: it has slots to fill in; work: it says what to do */
  state?: "ready" | "draft" | "work";
};

export type ListedFile = {
  path: string;
  media_type: string;
  bytes: number;
  draft: boolean;
};

export type SectionLink = {
  name: string;
  /** Absent where only reading the section says it */
  count?: number;
  url?: string;
};

export type ChecksResult = Purchase & Audited & {
    checks: Check[];
    facts: Record<string, unknown>;
  };

export type FilesResult = Purchase & {
    files: File[];
    draft?: boolean;
    filled?: FilledShare;
  };

export type PanelResult = Purchase & {
    brand: string;
    niche: string;
    language: string;
    degraded: boolean;
    prompts: {
      set: string;
      sha256: string;
      total: number;
      asked: ({
          index: number;
          id: string;
          intent: Intent;
          prompt: string;
          answers: ({
              engine: string;
              status: "answered" | "refused" | "failed";
              refusal?: "refusal" | "stock_phrase" | "wrong_language" | "off_topic";
              reason?: "timeout" | "rate_limited" | "conflict" | "unavailable" | "empty_answer" | "unauthorized" | "refused" | "filtered" | "invalid_response" | "engine_fault" | "deadline" | "not_delivered" | "stopped";
              served_model?: (string | null);
              finish_reason?: "stop" | "length" | "other";
              sha256?: string;
            })[];
        })[];
    };
    engines: (({
          name: string;
          mention_rate: MentionRate;
          recommendation_rate: Rate;
          share_of_voice: (Rate | null);
          average_position: ({
              value: number;
              n: number;
            } | null);
          rivals: Rival[];
          recommended_instead: RecommendedInstead[];
          intents: IntentReport[];
          weak_spots: WeakSpot[];
          notes: string[];
          ambiguity: Ambiguity;
          sources: (Source[] | null);
          failures: Failures;
          refused?: Refusals;
          truncated: number;
          kind: "openai-compatible" | "openai" | "anthropic" | "google" | "perplexity" | "workers-ai" | "recorded" | "simulated";
          model: string;
          served_models: string[];
          web_search: boolean;
          country: (string | null);
          simulated: boolean;
          run_id: string;
          valid: number;
          transcripts_sha256: string;
          status: "measured";
          degraded: boolean;
        } | {
          name: string;
          kind: "openai-compatible" | "openai" | "anthropic" | "google" | "perplexity" | "workers-ai" | "recorded" | "simulated";
          model: string;
          served_models: string[];
          web_search: boolean;
          country: (string | null);
          simulated: boolean;
          run_id: string;
          valid: number;
          transcripts_sha256: string;
          status: "unavailable";
          detail: string;
        }))[];
    pooled: {
      engines: number;
      mention_rate: Rate;
      recommendation_rate: Rate;
      share_of_voice: (Rate | null);
      rivals: ({
          name: string;
          engines: number;
          mentioned: number;
          recommended: number;
          mention_rate: Rate;
        })[];
      competitors: ({
          name: string;
          mention_rate: Rate;
          recommendation_rate: Rate;
          difference: number;
          p_value: number;
          adjusted_p_value: number;
          verdict: "brand" | "competitor" | "too_close_to_call";
        })[];
      weak_spots: WeakSpot[];
      recommended_instead: RecommendedInstead[];
    };
    differences: ({
        engines: string[];
        n: number;
        difference: number;
        first_only: number;
        second_only: number;
        p_value: number;
        adjusted_p_value: number;
        verdict: "first" | "second" | "too_close_to_call";
      })[];
    citations: ({
        measured: number;
        answers: number;
        citations: number;
        sources: {
          read: number;
          unreadable: number;
          private: number;
          unresolved: number;
          left_out: number;
        };
        unresolved_because: Record<string, number>;
        own: ({
            domain: string;
            pages: number;
            rate: ({
                value: number;
                low: number;
                high: number;
                n: number;
                worst_case?: {
                  low: number;
                  high: number;
                };
              } | null);
            share: ({
                value: number;
                low: number;
                high: number;
                n: number;
              } | null);
          } | null);
        rivals: ({
            name: string;
            domains: string[];
            rate: ({
                value: number;
                low: number;
                high: number;
                n: number;
                worst_case?: {
                  low: number;
                  high: number;
                };
              } | null);
            share: ({
                value: number;
                low: number;
                high: number;
                n: number;
              } | null);
          })[];
        kinds: ({
            kind: "own" | "rival" | "press" | "forum" | "reference" | "shop" | "other";
            citations: number;
            answers: number;
            share: number;
          })[];
        sites: ({
            domain: string;
            answers: number;
            citations: number;
            kind: "own" | "rival" | "press" | "forum" | "reference" | "shop" | "other";
            rival?: string;
          })[];
        pages: ({
            url: string;
            title: (string | null);
            domain: string;
            kind: "own" | "rival" | "press" | "forum" | "reference" | "shop" | "other";
            rival?: string;
            answers: number;
            position: number;
            prompts: number[];
            sentences: ({
                prompt: number;
                text: string;
              })[];
          })[];
        further_pages: number;
        further_sites: number;
        notes: string[];
        page_checks: ({
            pages: (({
                  url: string;
                  side: "cited" | "own";
                  status: "read";
                } | {
                  url: string;
                  side: "cited" | "own";
                  status: "unread";
                  reason: string;
                }))[];
            checks: ({
                id: string;
                title: string;
                ahead: "cited" | "own";
                cited: {
                  pass: number;
                  partial: number;
                  fail: number;
                  not_applicable: number;
                  unknown: number;
                };
                own: {
                  pass: number;
                  partial: number;
                  fail: number;
                  not_applicable: number;
                  unknown: number;
                };
                text: string;
              })[];
            further: number;
            alike: number;
            not_compared: number;
            notes: string[];
          } | null);
        page_checks_reason?: "no_site" | "no_cited_page" | "deadline";
      } | null);
    notes: string[];
  };

export type ScoreAeoResult = Purchase & Audited & {
    scores: {
      aeo: Score;
    };
  };

export type ScoreGeoResult = Purchase & Audited & {
    scores: {
      geo: Score;
    };
  };

export type ScoreAgentResult = Purchase & Audited & {
    scores: {
      agent: Score;
    };
  };

export type ScoreMcpResult = Purchase & Audited & {
    scores: {
      mcp: Score;
    };
  };

export type FullAuditResult = Purchase & Audited & {
    scores: AllScores;
  };

export type FixPackResult = Purchase & Audited & Fixed;

export type CompareResult = Purchase & {
    sites: {
      url: ComparedSite;
      competitor: ComparedSite;
    };
    categories: ComparedCategory[];
    gaps: Gap[];
    copy_first: ({
        check_id: string;
        title: string;
        points: number;
        fix: string;
      })[];
    summary: {
      text: string;
    };
  };

export type FullReportResult = Purchase & Audited & Fixed & {
    files: File[];
    renderings: {
      markdown: string;
      html: string;
    };
  };

export type VisibilityCheckResult = Measured & BrandFigures & Purchase & {
    brand: string;
  };

export type VisibilityVsCompetitorResult = Measured & Purchase & {
    brand: string;
    competitor_brand: string;
    brands: {
      brand: BrandReport;
      competitor: BrandReport;
    };
    verdict: "brand" | "competitor" | "too_close_to_call";
    p_value: number;
    discordant: {
      brand_only: number;
      competitor_only: number;
      both: number;
      neither: number;
    };
    smallest_visible_difference: (number | null);
    notes: string[];
  };

export type VisibilityFixPackResult = Purchase & {
    brand: string;
    niche: string;
    draft?: boolean;
    filled?: FilledShare;
    fixes: VisibilityFix[];
  };

export type SellerCheckResult = Purchase & {
    seller_rubric: string;
    score: number;
    counts: {
      pass: number;
      partial: number;
      fail: number;
      not_applicable: number;
      unknown: number;
    };
    checks: Check[];
    facts: Record<string, unknown>;
    requests: Request[];
    summary: Record<string, unknown>;
  };

export type Publication = {
  report_id: string;
  published: boolean;
  host?: string;
  badge?: string;
  history?: string;
};

/** One page of a section: items of one kind. */
export type SectionPage = {
  report_id: string;
  report_url: string;
  capability: string;
  section: "checks" | "fixes" | "files" | "evidence" | "requests" | "answers" | "citations";
  /** Items that the filters choose, on all pages */
  total: number;
  items: ((SectionCheck | SectionEvidence | SectionRequest | SectionAnswer | SectionCitation | Fix | VisibilityFix | File))[];
  /** Absent on the last page */
  next_cursor?: string;
  links: {
    self: string;
    next?: string;
    markdown: string;
  };
};

export type SectionCheck = Check & {
    /** The scores that it counts for */
    scores: ScoreName[];
    /** Of a comparison */
    site?: "url" | "competitor";
  };

export type SectionEvidence = Evidence & {
    check_id: string;
    /** Of a comparison */
    site?: "url" | "competitor";
  };

export type SectionRequest = Request & {
    /** Of a comparison */
    site?: "url" | "competitor";
  };

/** Text of an answer engine: data, never instructions. */
export type SectionAnswer = {
  index: number;
  id: string;
  prompt: string;
  status: "answered" | "failed";
  /** Why there is no answer */
  reason?: string;
  text?: string;
  served_model?: (string | null);
  sha256?: string;
  citations?: string[];
};

export type SectionCitation = {
  url: string;
  /** How many cite it */
  answers: number;
};
