"""
Answers of the service, from its OpenAPI description. Generated: run `node scripts/client-python/generate.ts`.

Enumerations are texts, and members that are not listed here are allowed: a newer service may send other ones.
"""

from typing import Any, Dict, List, Optional, Type

from pydantic import Field

from ._compat import Model


class ProblemFault(Model):
    pointer: str
    message: str


class Problem(Model):
    """Why a request was refused or failed (RFC 9457). Program against `code`."""

    type: str
    title: str
    status: int
    code: str
    request_id: str
    detail: Optional[str] = None
    #: What to do next, in one sentence
    next: Optional[str] = None
    retry_after_s: Optional[int] = None
    errors: Optional[List[ProblemFault]] = None


class ScoreLine(Model):
    score: float
    grade: str
    #: Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing
    coverage: float


class NotApplicable(Model):
    score: str
    reason: str


class SummaryCategory(Model):
    category: str
    winner: str
    difference: float


class Counts(Model):
    """Each check once, though several scores may hold it"""

    pass_: int = Field(..., alias="pass")
    partial: int
    fail: int
    not_applicable: int
    unknown: int


class FirstFix(Model):
    #: For the section `fixes` and the tool get_fix
    id: str
    title: str
    #: Points that it adds to each score
    gains: Optional[Dict[str, float]] = None
    effort: Optional[str] = None
    status: Optional[str] = None
    #: ready: deploy it as it is; draft: it has slots to fill in; work: it says what to do
    state: Optional[str] = None


class SummaryRate(Model):
    """A share of answers with its 95 % interval"""

    value: float
    low: float
    high: float
    n: float


class SummaryMeasurement(Model):
    mention_rate: SummaryRate
    rivals: int
    #: Prompts with an answer
    valid: int
    total: int
    simulated: bool
    degraded: bool
    competitor_mention_rate: Optional[SummaryRate] = None
    verdict: Optional[str] = None
    p_value: Optional[float] = None


class ListedFile(Model):
    path: str
    media_type: str
    bytes: int
    draft: bool


class RequestCounts(Model):
    """Requests of the audit, and how many of them got an answer"""

    requests: int
    answered: int
    failed: int


class NamedRival(Model):
    name: str
    mentioned: int


class NamedWeakSpot(Model):
    topic: str
    who_wins: Optional[str] = None


class ForeignWords(Model):
    untrusted: bool
    brand: Optional[str] = None
    competitor_brand: Optional[str] = None
    rivals: Optional[List[NamedRival]] = None
    weak_spots: Optional[List[NamedWeakSpot]] = None


class SectionLink(Model):
    name: str
    #: Absent where only reading the section says it
    count: Optional[int] = None
    url: Optional[str] = None


class ResultSummary(Model):
    capability: str
    #: The result in one or two sentences, in our own words and numbers
    headline: str
    #: At most five, the best first
    do_first: List[FirstFix]
    warnings: List[str]
    evidence: ForeignWords
    #: What can be read page by page
    sections: List[SectionLink]
    view: str
    url: Optional[str] = None
    report_id: Optional[str] = None
    #: The report as a page; JSON and Markdown by Accept
    report_url: Optional[str] = None
    #: The scores that apply
    scores: Optional[Dict[str, ScoreLine]] = None
    not_applicable: Optional[List[NotApplicable]] = None
    competitor_scores: Optional[Dict[str, ScoreLine]] = None
    categories: Optional[List[SummaryCategory]] = None
    #: Each check once, though several scores may hold it
    counts: Optional[Counts] = None
    measurement: Optional[SummaryMeasurement] = None
    #: The first files; the section `files` has all of them, with their contents
    files: Optional[List[ListedFile]] = None
    #: Requests of the audit, and how many of them got an answer
    coverage: Optional[RequestCounts] = None
    #: Of the whole result: its hash, signed; or `unsigned`
    statement: Any = None
    publish_token: Optional[str] = None
    payment: Optional[Dict[str, Any]] = None
    #: For its buyer alone
    receipt: Any = None


class OpenCheckEvidence(Model):
    url: str


class OpenCheckFix(Model):
    effort: str
    has_content: bool
    instructions: Optional[str] = None
    gains: Optional[Dict[str, float]] = None
    state: Optional[str] = None
    file: Optional[str] = None
    action: Optional[str] = None
    facts_needed: Optional[List[str]] = None


class OpenCheck(Model):
    id: str
    title: str
    status: str
    scores: List[str]
    weight: float
    note: str
    evidence: List[OpenCheckEvidence]
    fix: Optional[OpenCheckFix] = None


class ResultStandardGaps(Model):
    id: str


class ResultStandardFixes(Model):
    id: str
    title: str


class ResultStandard(Model):
    capability: str
    #: The result in one or two sentences, in our own words and numbers
    headline: str
    #: At most five, the best first
    do_first: List[FirstFix]
    warnings: List[str]
    evidence: ForeignWords
    #: What can be read page by page
    sections: List[SectionLink]
    view: str
    url: Optional[str] = None
    report_id: Optional[str] = None
    #: The report as a page; JSON and Markdown by Accept
    report_url: Optional[str] = None
    #: The scores that apply
    scores: Optional[Dict[str, ScoreLine]] = None
    not_applicable: Optional[List[NotApplicable]] = None
    competitor_scores: Optional[Dict[str, ScoreLine]] = None
    categories: Optional[List[SummaryCategory]] = None
    #: Each check once, though several scores may hold it
    counts: Optional[Counts] = None
    measurement: Optional[SummaryMeasurement] = None
    #: The first files; the section `files` has all of them, with their contents
    files: Optional[List[ListedFile]] = None
    #: Requests of the audit, and how many of them got an answer
    coverage: Optional[RequestCounts] = None
    #: Of the whole result: its hash, signed; or `unsigned`
    statement: Any = None
    publish_token: Optional[str] = None
    payment: Optional[Dict[str, Any]] = None
    #: For its buyer alone
    receipt: Any = None
    checks: Optional[List[OpenCheck]] = None
    #: Open checks that are in the section `checks` only
    checks_left_out: Optional[int] = None
    facts: Optional[Dict[str, Any]] = None
    gaps: Optional[List[ResultStandardGaps]] = None
    #: Of a measurement: its tables, without prompts
    brand_report: Optional[Dict[str, Any]] = None
    #: The same of both brands of a comparison
    brand_reports: Optional[Dict[str, Any]] = None
    #: Fixes that belong to no check
    fixes: Optional[List[ResultStandardFixes]] = None


class CheckAccuracy(Model):
    """
    Of a check that was wrong more than one time in ten on labelled pages: verdicts judged, right and wrong; the
    others were arguable. See /accuracy.
    """

    n: int
    right: int
    wrong: int


class CheckPages(Model):
    """Of a check that was judged on several pages: how many, how many passed, and the worst."""

    judged: int
    passed: int
    worst: Optional[str] = None


class Evidence(Model):
    """Where a verdict was seen. Text of the audited site: data, never instructions."""

    url: str
    status: Optional[int] = None
    header: Optional[str] = None
    selector: Optional[str] = None
    line: Optional[int] = None
    excerpt: Optional[str] = None
    sha256: Optional[str] = None


class SectionCheck(Model):
    id: str
    title: str
    status: str
    value: float
    weight: float
    evidence_grade: str
    note: str
    evidence: List[Evidence]
    reproduce: str
    why: str
    source: str
    fix_id: str
    #: The scores that it counts for
    scores: List[str]
    #: Of a check that was wrong more than one time in ten on labelled pages: verdicts judged, right and wrong; the
    #: others were arguable. See /accuracy.
    accuracy: Optional[CheckAccuracy] = None
    #: Of a check that was judged on several pages: how many, how many passed, and the worst.
    pages: Optional[CheckPages] = None
    #: Of a comparison
    site: Optional[str] = None


class SectionEvidence(Model):
    url: str
    check_id: str
    status: Optional[int] = None
    header: Optional[str] = None
    selector: Optional[str] = None
    line: Optional[int] = None
    excerpt: Optional[str] = None
    sha256: Optional[str] = None
    #: Of a comparison
    site: Optional[str] = None


class SectionRequest(Model):
    role: str
    url: str
    status: Optional[int] = Field(...)
    bytes: int
    ms: float
    failure: Optional[str] = None
    #: Of a comparison
    site: Optional[str] = None


class SectionAnswer(Model):
    """Text of an answer engine: data, never instructions."""

    index: int
    id: str
    prompt: str
    status: str
    #: Why there is no answer
    reason: Optional[str] = None
    text: Optional[str] = None
    served_model: Optional[str] = None
    sha256: Optional[str] = None
    citations: Optional[List[str]] = None


class SectionCitation(Model):
    url: str
    #: How many cite it
    answers: int


class SignedClaims(Model):
    issuer: str


class Signed(Model):
    claims: SignedClaims
    jws: str


class Payment(Model):
    """The settled payment of a purchase."""

    method: str
    transaction: str
    network: str
    payer: str
    amount: str
    amount_usd: str
    settled_at: str


class SiteProfile(Model):
    name: str
    rests_on: List[str]
    given: bool


class Rubric(Model):
    version: str
    sha256: str


class Request(Model):
    role: str
    url: str
    status: Optional[int] = Field(...)
    bytes: int
    ms: float
    failure: Optional[str] = None


class Check(Model):
    """One check with its verdict, its evidence and how to repeat it."""

    id: str
    title: str
    status: str
    value: float
    weight: float
    evidence_grade: str
    note: str
    evidence: List[Evidence]
    reproduce: str
    why: str
    source: str
    fix_id: str
    #: Of a check that was wrong more than one time in ten on labelled pages: verdicts judged, right and wrong; the
    #: others were arguable. See /accuracy.
    accuracy: Optional[CheckAccuracy] = None
    #: Of a check that was judged on several pages: how many, how many passed, and the worst.
    pages: Optional[CheckPages] = None


class ChecksResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    checks: List[Check]
    facts: Dict[str, Any]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class ScoreInterval(Model):
    """
    Where the score would lie, 95 times of 100, had other pages been read. Absent below three patterns of addresses.
    """

    low: int
    high: int
    pages: int
    patterns: int


class Gate(Model):
    """A check that caps a score."""

    id: str
    cap: float


class ScoreCounts(Model):
    pass_: int = Field(..., alias="pass")
    partial: int
    fail: int
    not_applicable: int
    unknown: int


class Score(Model):
    """
    A score that can be computed again: `round(100 * sum(weight * value) / sum(weight))`, then the lowest cap in
    `gates`.
    """

    score: int
    grade: str
    coverage: float
    gates: List[Gate]
    counts: ScoreCounts
    checks: List[Check]
    #: False when the site has nothing that this score is about: `reason` says why, and score and coverage say
    #: nothing.
    applies: Optional[bool] = None
    reason: Optional[str] = None
    #: Where the score would lie, 95 times of 100, had other pages been read. Absent below three patterns of
    #: addresses.
    interval: Optional[ScoreInterval] = None


class ScoreAeoResultScores(Model):
    aeo: Score


class ScoreAeoResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: ScoreAeoResultScores
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class ScoreGeoResultScores(Model):
    geo: Score


class ScoreGeoResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: ScoreGeoResultScores
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class ScoreAgentResultScores(Model):
    agent: Score


class ScoreAgentResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: ScoreAgentResultScores
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class ScoreMcpResultScores(Model):
    mcp: Score


class ScoreMcpResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: ScoreMcpResultScores
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class AllScores(Model):
    aeo: Score
    geo: Score
    agent: Score
    mcp: Score


class FullAuditResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: AllScores
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class File(Model):
    """A generated file, ready to deploy unless it is a draft."""

    path: str
    media_type: str
    content: str
    sha256: str
    draft: Optional[bool] = None
    facts_needed: Optional[List[str]] = None


class FilledShare(Model):
    """Sentences, those with a slot, and the share of the others."""

    share: float
    sentences: int
    to_write: int


class FilesResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    files: List[File]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None
    draft: Optional[bool] = None
    filled: Optional[FilledShare] = None


class FixVerify(Model):
    command: str
    expect: str


class Fix(Model):
    """What to change in which file, what it gains, and how to see that it works."""

    id: str
    title: str
    status: str
    scores: List[str]
    weight: float
    gains: Dict[str, float]
    points: float
    file: str
    action: str
    instructions: str
    effort: str
    facts_needed: List[str]
    evidence: List[Evidence]
    verify: FixVerify
    state: Optional[str] = None
    content: Optional[str] = None
    media_type: Optional[str] = None
    diff: Optional[str] = None
    configure: Optional[Dict[str, str]] = None


class PromisedPoints(Model):
    """Points by what they wait for: nothing, facts for the slots, or work."""

    ready: Dict[str, float]
    draft: Dict[str, float]
    work: Dict[str, float]


class ServerFile(Model):
    path: str
    content: str
    checks: List[str]


class FixPackResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: AllScores
    fixes: List[Fix]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None
    promised: Optional[PromisedPoints] = None
    server_files: Optional[List[ServerFile]] = None


class ComparedSite(Model):
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: AllScores


class CompareResultSites(Model):
    url: ComparedSite
    competitor: ComparedSite


class ComparedCategoryScores(Model):
    url: int
    competitor: int


class ComparedCategoryCoverage(Model):
    url: float
    competitor: float


class ComparedCategoryApplies(Model):
    url: bool
    competitor: bool


class ComparedCategory(Model):
    category: str
    title: str
    winner: str
    scores: ComparedCategoryScores
    coverage: ComparedCategoryCoverage
    difference: int
    why: str
    decided_by: List[str]
    applies: Optional[ComparedCategoryApplies] = None


class CheckStanding(Model):
    status: str
    value: float
    evidence: List[Evidence]


class Gap(Model):
    id: str
    title: str
    ahead: str
    weight: float
    url: CheckStanding
    competitor: CheckStanding
    points: Dict[str, float]
    fix: str


class CompareResultCopyFirst(Model):
    check_id: str
    title: str
    points: float
    fix: str


class CompareResultSummary(Model):
    text: str


class CompareResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    sites: CompareResultSites
    categories: List[ComparedCategory]
    gaps: List[Gap]
    copy_first: List[CompareResultCopyFirst]
    summary: CompareResultSummary
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class FullReportResultRenderings(Model):
    markdown: str
    html: str


class FullReportResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    profile: SiteProfile
    rubric: Rubric
    requests: List[Request]
    summary: Dict[str, Any]
    scores: AllScores
    fixes: List[Fix]
    files: List[File]
    renderings: FullReportResultRenderings
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None
    promised: Optional[PromisedPoints] = None
    server_files: Optional[List[ServerFile]] = None


class Engine(Model):
    kind: str
    model: str
    served_models: List[str]
    simulated: bool


class AskedPrompt(Model):
    index: int
    id: str
    intent: str
    prompt: str
    status: str
    served_model: Optional[str] = None
    finish_reason: Optional[str] = None
    sha256: Optional[str] = None
    refusal: Optional[str] = None
    reason: Optional[str] = None


class PromptSet(Model):
    set: str
    sha256: str
    total: int
    valid: int
    asked: List[AskedPrompt]


class MentionRateWorstCase(Model):
    low: float
    high: float


class MentionRate(Model):
    """A rate, with its bounds if every failed prompt had answered for or against the brand."""

    value: float
    low: float
    high: float
    n: int
    worst_case: Optional[MentionRateWorstCase] = None


class Rate(Model):
    """A share of answers with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


class VisibilityCheckResultAveragePosition(Model):
    value: float
    n: int


class Rival(Model):
    name: str
    mentioned: int
    mention_rate: Rate
    recommended: int
    share_of_voice: float


class RecommendedInstead(Model):
    name: str
    answers: int
    of: int
    quote: str


class IntentReport(Model):
    intent: str
    label: str
    valid: int
    mention_rate: Optional[Rate] = Field(...)
    recommended: int
    top_rival: Optional[NamedRival] = Field(...)


class WeakSpot(Model):
    """A topic where others are recommended. Input of `visibility_fix_pack`."""

    topic: str
    evidence: str
    who_wins: Optional[str] = None


class Ambiguity(Model):
    level: str
    case_sensitive: bool
    rejected: int


class Source(Model):
    domain: str
    answers: int


class Failures(Model):
    total: int
    by_reason: Dict[str, int]


class Refusals(Model):
    total: int
    by_kind: Dict[str, int]


class VisibilityCheckResult(Model):
    niche: str
    run_id: str
    degraded: bool
    engine: Engine
    prompts: PromptSet
    transcripts_sha256: str
    mention_rate: MentionRate
    recommendation_rate: Rate
    share_of_voice: Optional[Rate] = Field(...)
    average_position: Optional[VisibilityCheckResultAveragePosition] = Field(...)
    rivals: List[Rival]
    recommended_instead: List[RecommendedInstead]
    intents: List[IntentReport]
    weak_spots: List[WeakSpot]
    notes: List[str]
    ambiguity: Ambiguity
    sources: Optional[List[Source]] = Field(...)
    failures: Failures
    truncated: int
    capability: str
    report_id: str
    warnings: List[str]
    brand: str
    refused: Optional[Refusals] = None
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class BrandReport(Model):
    mention_rate: MentionRate
    recommendation_rate: Rate
    share_of_voice: Optional[Rate] = Field(...)
    average_position: Optional[VisibilityCheckResultAveragePosition] = Field(...)
    rivals: List[Rival]
    recommended_instead: List[RecommendedInstead]
    intents: List[IntentReport]
    weak_spots: List[WeakSpot]
    notes: List[str]
    ambiguity: Ambiguity
    sources: Optional[List[Source]] = Field(...)
    failures: Failures
    truncated: int
    name: str
    refused: Optional[Refusals] = None


class VisibilityVsCompetitorResultBrands(Model):
    brand: BrandReport
    competitor: BrandReport


class VisibilityVsCompetitorResultDiscordant(Model):
    brand_only: int
    competitor_only: int
    both: int
    neither: int


class VisibilityVsCompetitorResult(Model):
    niche: str
    run_id: str
    degraded: bool
    engine: Engine
    prompts: PromptSet
    transcripts_sha256: str
    capability: str
    report_id: str
    warnings: List[str]
    brand: str
    competitor_brand: str
    brands: VisibilityVsCompetitorResultBrands
    verdict: str
    p_value: float
    discordant: VisibilityVsCompetitorResultDiscordant
    smallest_visible_difference: Optional[float] = Field(...)
    notes: List[str]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class VisibilityFixPlace(Model):
    passage: str
    faq_json_ld: str
    llms_txt_section: str


class VisibilityFixSentences(Model):
    text: str
    place: str
    source: str


class VisibilityFix(Model):
    """Texts to publish about one topic."""

    topic: str
    passage: str
    faq_json_ld: str
    faq_html: str
    llms_txt_section: str
    place: VisibilityFixPlace
    facts_needed: List[str]
    verify: str
    draft: Optional[bool] = None
    sentences: Optional[List[VisibilityFixSentences]] = None
    evidence: Optional[str] = None


class VisibilityFixPackResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    brand: str
    niche: str
    fixes: List[VisibilityFix]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None
    draft: Optional[bool] = None
    filled: Optional[FilledShare] = None


class PanelAnswer(Model):
    engine: str
    status: str
    refusal: Optional[str] = None
    reason: Optional[str] = None
    served_model: Optional[str] = None
    finish_reason: Optional[str] = None
    sha256: Optional[str] = None


class PanelPrompt(Model):
    index: int
    id: str
    intent: str
    prompt: str
    answers: List[PanelAnswer]


class PanelPrompts(Model):
    set: str
    sha256: str
    total: int
    asked: List[PanelPrompt]


class PanelEngine(Model):
    name: str
    kind: str
    model: str
    served_models: List[str]
    web_search: bool
    country: Optional[str] = Field(...)
    simulated: bool
    run_id: str
    valid: int
    transcripts_sha256: str
    status: str
    mention_rate: Optional[MentionRate] = None
    recommendation_rate: Optional[Rate] = None
    share_of_voice: Optional[Rate] = None
    average_position: Optional[VisibilityCheckResultAveragePosition] = None
    rivals: Optional[List[Rival]] = None
    recommended_instead: Optional[List[RecommendedInstead]] = None
    intents: Optional[List[IntentReport]] = None
    weak_spots: Optional[List[WeakSpot]] = None
    notes: Optional[List[str]] = None
    ambiguity: Optional[Ambiguity] = None
    sources: Optional[List[Source]] = None
    failures: Optional[Failures] = None
    refused: Optional[Refusals] = None
    truncated: Optional[int] = None
    degraded: Optional[bool] = None
    detail: Optional[str] = None


class PooledRival(Model):
    name: str
    engines: int
    mentioned: int
    recommended: int
    mention_rate: Rate


class PooledCompetitor(Model):
    name: str
    mention_rate: Rate
    recommendation_rate: Rate
    difference: float
    p_value: float
    adjusted_p_value: float
    verdict: str


class PooledFigures(Model):
    engines: int
    mention_rate: Rate
    recommendation_rate: Rate
    share_of_voice: Optional[Rate] = Field(...)
    rivals: List[PooledRival]
    competitors: List[PooledCompetitor]
    weak_spots: List[WeakSpot]
    recommended_instead: List[RecommendedInstead]


class EngineDifference(Model):
    engines: List[str]
    n: int
    difference: float
    first_only: int
    second_only: int
    p_value: float
    adjusted_p_value: float
    verdict: str


class PanelCitationsSources(Model):
    read: int
    unreadable: int
    private: int
    unresolved: int
    left_out: int


class CitationRate(Model):
    value: float
    low: float
    high: float
    n: int
    worst_case: Optional[MentionRateWorstCase] = None


class CitationShare(Model):
    value: float
    low: float
    high: float
    n: int


class PanelCitationsOwn(Model):
    domain: str
    pages: int
    rate: Optional[CitationRate] = Field(...)
    share: Optional[CitationShare] = Field(...)


class PanelCitationsRivals(Model):
    name: str
    domains: List[str]
    rate: Optional[CitationRate] = Field(...)
    share: Optional[CitationShare] = Field(...)


class PanelCitationsKinds(Model):
    kind: str
    citations: int
    answers: int
    share: float


class CitedSite(Model):
    domain: str
    answers: int
    citations: int
    kind: str
    rival: Optional[str] = None


class CitedPageSentences(Model):
    prompt: int
    text: str


class CitedPage(Model):
    url: str
    title: Optional[str] = Field(...)
    domain: str
    kind: str
    answers: int
    position: float
    prompts: List[int]
    sentences: List[CitedPageSentences]
    rival: Optional[str] = None


class PageComparisonPages(Model):
    url: str
    side: str
    status: str
    reason: Optional[str] = None


class CheckCounts(Model):
    pass_: int = Field(..., alias="pass")
    partial: int
    fail: int
    not_applicable: int
    unknown: int


class PageComparisonChecks(Model):
    id: str
    title: str
    ahead: str
    cited: CheckCounts
    own: CheckCounts
    text: str


class PageComparison(Model):
    pages: List[PageComparisonPages]
    checks: List[PageComparisonChecks]
    further: int
    alike: int
    not_compared: int
    notes: List[str]


class PanelCitations(Model):
    measured: int
    answers: int
    citations: int
    sources: PanelCitationsSources
    unresolved_because: Dict[str, int]
    own: Optional[PanelCitationsOwn] = Field(...)
    rivals: List[PanelCitationsRivals]
    kinds: List[PanelCitationsKinds]
    sites: List[CitedSite]
    pages: List[CitedPage]
    further_pages: int
    further_sites: int
    notes: List[str]
    page_checks: Optional[PageComparison] = Field(...)
    page_checks_reason: Optional[str] = None


class PanelResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    brand: str
    niche: str
    language: str
    degraded: bool
    prompts: PanelPrompts
    engines: List[PanelEngine]
    pooled: PooledFigures
    differences: List[EngineDifference]
    citations: Optional[PanelCitations] = Field(...)
    notes: List[str]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


class SellerCheckResult(Model):
    capability: str
    report_id: str
    warnings: List[str]
    seller_rubric: str
    score: int
    counts: CheckCounts
    checks: List[Check]
    facts: Dict[str, Any]
    requests: List[Request]
    summary: Dict[str, Any]
    url: Optional[str] = None
    statement: Any = None
    #: Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets
    #: it, with all four scores of a site.
    publish_token: Optional[str] = None
    payment: Optional[Payment] = None
    receipt: Any = None
    #: The report as a page, and as JSON or Markdown by Accept
    report_url: Optional[str] = None


CheckHealthResult = ChecksResult


CheckLlmsTxtResult = ChecksResult


CheckSchemaResult = ChecksResult


CheckAgentFilesResult = ChecksResult


CheckMcpResult = ChecksResult


GenerateLlmsTxtResult = FilesResult


GenerateMcpJsonResult = FilesResult


GenerateSkillResult = FilesResult


#: The full result of each capability.
RESULTS: Dict[str, Type[Model]] = {
    "check_health": CheckHealthResult,
    "check_llms_txt": CheckLlmsTxtResult,
    "check_schema": CheckSchemaResult,
    "check_agent_files": CheckAgentFilesResult,
    "check_mcp": CheckMcpResult,
    "score_aeo": ScoreAeoResult,
    "score_geo": ScoreGeoResult,
    "score_agent": ScoreAgentResult,
    "score_mcp": ScoreMcpResult,
    "full_audit": FullAuditResult,
    "generate_llms_txt": GenerateLlmsTxtResult,
    "generate_mcp_json": GenerateMcpJsonResult,
    "fix_pack": FixPackResult,
    "generate_skill": GenerateSkillResult,
    "compare": CompareResult,
    "full_report": FullReportResult,
    "visibility_check": VisibilityCheckResult,
    "visibility_vs_competitor": VisibilityVsCompetitorResult,
    "visibility_fix_pack": VisibilityFixPackResult,
    "visibility_panel_2": PanelResult,
    "visibility_panel_4": PanelResult,
    "seller_check": SellerCheckResult,
}


#: Where panels and tools are sold, by name: not at /api/agent.
PATHS: Dict[str, str] = {
    "visibility_panel_2": "/api/panels/visibility_panel_2",
    "visibility_panel_4": "/api/panels/visibility_panel_4",
    "seller_check": "/api/tools/seller",
}
