/**
 * What moved about a check between two rubrics, and one sentence why. `rule`: it judges otherwise. `scope`: it is asked of
 * other pages or kinds of sites. The figures of a new check are those of the catalogue.
 */
export type RubricChange = { id: string; why: string } & (
  | { what: 'added' | 'rule' | 'scope' }
  | { what: 'weight'; from: number; to: number }
  | { what: 'grade'; from: string; to: string }
  | { what: 'cap'; how: string }
);

/** Checks that moved for one reason. */
type Shared = { what: 'rule' | 'scope'; why: string; ids: readonly string[] };

export type RubricRelease = {
  version: string;
  /** The version before. */
  after: string;
  /** What holds for many checks, whatever their ids. */
  general: readonly string[];
  changes: readonly RubricChange[];
  shared: readonly Shared[];
};

/** What each version of the rubric changed, the newest last. A change of a check has its row here, with its version. */
export const rubricReleases: readonly RubricRelease[] = [
  {
    version: '3.0.0',
    after: '2.0.0',
    general: [
      'A slot that was published, such as [FACT NEEDED: price], counts as absent for every check: our own drafts raised scores when they were put online unfilled.',
      'MCP readiness does not apply to a site that speaks neither of MCP nor of an API: a grade F for what the site does not need says nothing.',
      'A site that refuses every reader has one verdict, that of aeo.reach.edge-policy, and everything else is unknown; it was an error.',
      'A page that hides all of itself until a script shows it is read, and so is text in noscript: readers without scripts see both.',
      'The sample has one page of each pattern of addresses first, so that page checks see the templates of a site and not its newest articles.',
    ],
    changes: [
      {
        id: 'aeo.reach.edge-policy',
        what: 'added',
        why: 'Edges refuse AI crawlers that robots.txt allows; a site that answers 403 to all of them passed.',
      },
      {
        id: 'aeo.reach.robots-vs-edge',
        what: 'added',
        why: 'What robots.txt promises and what the edge does are two things, and owners know only the first.',
      },
      {
        id: 'agent.pay.charged-fetchers',
        what: 'added',
        why: 'Answers 402 to fetchers that a person sent arrived with paid crawling, and shut out readers rather than crawlers.',
      },
      {
        id: 'aeo.robots.managed-block',
        what: 'added',
        why: 'Providers write blocks into robots.txt that contradict the file of the owner.',
      },
      {
        id: 'aeo.robots.training-token',
        what: 'added',
        why: 'Drafts of 2026 state preferences by groups that name a use.',
      },
      {
        id: 'aeo.robots.encoding',
        what: 'added',
        why: 'A path that is not percent-encoded matches in one parser and not in the next.',
      },
      {
        id: 'aeo.index.snippet-eligible',
        what: 'added',
        why: "Google's AI answers show only pages that may be indexed and shown with a snippet.",
      },
      {
        id: 'geo.commerce.merchant',
        what: 'added',
        why: 'Shopping answers are made from GTIN, returns and shipping of the markup.',
      },
      {
        id: 'agent.api.change-policy',
        what: 'added',
        why: 'An agent that calls an API unattended needs to hear of changes and to repeat calls safely.',
      },
      {
        id: 'agent.pay.mpp',
        what: 'added',
        why: 'The Machine Payments Protocol is young: asked only where it is used.',
      },
      {
        id: 'agent.pay.bazaar-ready',
        what: 'added',
        why: 'Catalogues of x402 leave out offers that lack a name, tags or a schema.',
      },
      {
        id: 'agent.pay.acp',
        what: 'added',
        why: 'The Agentic Commerce Protocol got a discovery document: asked only where there is one.',
      },
      {
        id: 'agent.pay.ucp-live',
        what: 'added',
        why: 'A profile of the Universal Commerce Protocol helps only where its endpoint answers.',
      },
      { id: 'agent.pay.ap2', what: 'added', why: 'AP2 is declared in the card of an agent: reported, not scored.' },
      {
        id: 'agent.a2a.legacy-path',
        what: 'rule',
        why: 'The same agent in the form of A2A 0.3 passes: readers of the former address refuse a copy of the present card.',
      },
      {
        id: 'agent.a2a.signed-card',
        what: 'added',
        why: 'A signature that no reader can parse is worse than none: asked only of signed cards.',
      },
      { id: 'agent.auth.auth-md', what: 'added', why: 'Agents register by auth.md: asked only where there is one.' },
      {
        id: 'agent.content.raw-vs-rendered',
        what: 'added',
        why: 'Only a browser sees what exists after scripts alone.',
      },
      {
        id: 'agent.content.script-errors',
        what: 'added',
        why: 'Errors of scripts are seen in a browser: reported, not scored.',
      },
      {
        id: 'agent.webmcp.registered',
        what: 'added',
        why: 'A script that mentions WebMCP registers its tools only when it runs.',
      },
      { id: 'agent.ui.target-size', what: 'added', why: 'Sizes of what is pressed are known after layout only.' },
      { id: 'agent.ui.overlay', what: 'added', why: 'Layers that cover a page are seen after layout only.' },
      {
        id: 'agent.ui.rendered-names',
        what: 'added',
        why: 'Agents in a browser read names from the accessibility tree, which scripts build.',
      },
      {
        id: 'aeo.index.hreflang-return',
        what: 'added',
        why: 'A language version that does not link back is ignored by search engines, and the pages of a site were never asked.',
      },
      {
        id: 'aeo.index.canonical-agree',
        what: 'added',
        why: 'Canonical links of several pages that contradict each other were not seen from the start page alone.',
      },
      {
        id: 'aeo.index.pagination',
        what: 'added',
        why: 'Later pages of a list that have no address of their own are not read.',
      },
      {
        id: 'agent.feed.products',
        what: 'added',
        why: 'Shopping agents read product feeds; it is asked where a page names one.',
      },
      {
        id: 'geo.entity.contact-agrees',
        what: 'added',
        why: 'Contacts of structured data that pages contradict give wrong answers.',
      },
      {
        id: 'geo.entity.hours-agree',
        what: 'added',
        why: 'Opening hours of structured data that pages contradict give wrong answers.',
      },
      {
        id: 'geo.text.only-in-files',
        what: 'added',
        why: 'Menus, prices and timetables in PDF or pictures are not read with the page.',
      },
      {
        id: 'geo.schema.paywall',
        what: 'added',
        why: 'A paywall that is not marked up looks like cloaking or like a thin page.',
      },
      {
        id: 'agent.prefs.aipref',
        what: 'weight',
        from: 0,
        to: 1,
        why: 'The drafts of the working group are in use: a broken statement is a fault.',
      },
      {
        id: 'geo.schema.faq-parity',
        what: 'grade',
        from: 'A',
        to: 'B',
        why: 'Google ended FAQ rich results in May 2026, and with them the strongest source.',
      },
      {
        id: 'agent.pay.price-page',
        what: 'grade',
        from: 'B',
        to: 'C',
        why: 'Its standard says SHOULD, and no agent is known to rely on it.',
      },
      {
        id: 'aeo.reach.ua-parity',
        what: 'cap',
        how: 'in proportion to the share of agents that is refused',
        why: 'One refused name of many capped a score, and thirteen did not.',
      },
      {
        id: 'aeo.reach.ua-parity',
        what: 'rule',
        why: 'It counts every agent that was asked, not a fixed few.',
      },
      {
        id: 'aeo.robots.ai-search-bots',
        what: 'rule',
        why: 'The roster of search crawlers is that of November 2026: three agents came, two belong to user fetchers.',
      },
      {
        id: 'aeo.robots.user-fetchers',
        what: 'rule',
        why: 'Three more fetchers are asked, and where some are shut out it is partial, by share.',
      },
      {
        id: 'aeo.robots.training-choice',
        what: 'rule',
        why: 'MistralAI-Training counts and Bytespider, which documents nothing, does not; groups for a use are a choice.',
      },
      {
        id: 'aeo.robots.syntax',
        what: 'rule',
        why: "White space is ASCII only, as in RFC 9309 and in Google's parser.",
      },
      {
        id: 'agent.prefs.content-signal',
        what: 'rule',
        why: 'Content-Signal may name a use, as its policy of 2026 has it.',
      },
      {
        id: 'agent.prefs.coherent',
        what: 'rule',
        why: 'Groups for a use are statements, too, which others may contradict.',
      },
      {
        id: 'agent.webmcp.script',
        what: 'rule',
        why: 'Chromium removed navigator.modelContext: a script that uses it registers nothing.',
      },
      {
        id: 'aeo.render.ssr-text',
        what: 'rule',
        why: 'Where a browser saw that scripts add nothing, a mount point is no sign that they do.',
      },
      {
        id: 'geo.text.no-placeholder',
        what: 'rule',
        why: 'A slot counts anywhere in the page, attributes and structured data included.',
      },
      {
        id: 'mcp.tools.annotations',
        what: 'rule',
        why: 'Looks at prices, payments and publishing arguments too; a false readOnlyHint was found by the name of a tool alone.',
      },
      {
        id: 'mcp.discovery.any',
        what: 'scope',
        why: 'Asked of sites that speak of MCP or an API, and of those whose profile says so.',
      },
      {
        id: 'geo.evidence.statistics',
        what: 'rule',
        why: 'Numbers of things count beside those with a unit, ages and dates do not; three are enough, and pages without prose are not asked.',
      },
      {
        id: 'geo.evidence.quotations',
        what: 'rule',
        why: 'A quotation needs a sentence or eight words and a name near it; without a name it fails, and pages without prose are not asked.',
      },
      {
        id: 'geo.evidence.cited-sources',
        what: 'rule',
        why: 'A source is linked in a sentence or a list of sources; shops, paid links, licences and credits are none, and pages without prose are not asked.',
      },
      {
        id: 'geo.evidence.number-source-adjacent',
        what: 'rule',
        why: 'The specifications of a product need no source: pages without prose are not asked.',
      },
      {
        id: 'geo.evidence.authoritative-domains',
        what: 'rule',
        why: 'It looks among the sources that geo.evidence.cited-sources counts, which are others now.',
      },
      {
        id: 'geo.evidence.links-resolve',
        what: 'rule',
        why: 'It asks for the sources that geo.evidence.cited-sources counts, which are others now.',
      },
      {
        id: 'geo.text.main-extractable',
        what: 'rule',
        why: 'It asks whether an extractor finds the content with its headline, not how much of the page is content.',
      },
      {
        id: 'geo.evidence.no-keyword-stuffing',
        what: 'rule',
        why: 'A pair of words that is written as a name may be repeated more often.',
      },
      {
        id: 'geo.schema.price-parity',
        what: 'rule',
        why: 'A variant that the page lists by name with another price fails.',
      },
      {
        id: 'aeo.meta.site-name',
        what: 'rule',
        why: 'Sampled pages have to give the same name.',
      },
      {
        id: 'geo.entity.author-page',
        what: 'rule',
        why: 'Where the start page names no author, the author of a sampled page is asked for.',
      },
      {
        id: 'geo.entity.name-consistent',
        what: 'rule',
        why: 'Accents, prefixes and all legal forms are folded, and headlines and photo credits are no names.',
      },
      {
        id: 'geo.entity.author',
        what: 'rule',
        why: 'Authors are found on any work of the structured data, in marked elements and in bylines of several names; only articles are asked.',
      },
      {
        id: 'geo.trust.reviews',
        what: 'rule',
        why: 'Buyers are quoted beside the main content, too.',
      },
      {
        id: 'aeo.fresh.dates',
        what: 'rule',
        why: 'Dates count in all forms that pages use, one in words for half; start pages, shops and contact pages need none.',
      },
      {
        id: 'aeo.answer.capsule',
        what: 'rule',
        why: 'Only headings of the main content that ask something have to be answered; links to other pages have not.',
      },
      {
        id: 'aeo.links.internal',
        what: 'rule',
        why: 'Links to all hosts of the same owner count, and script links only where they hide pages.',
      },
      {
        id: 'aeo.index.canonical',
        what: 'rule',
        why: 'Scheme, www, letter case and campaign parameters make no other page, nor does an address with the same title; another page as the canonical one fails.',
      },
      {
        id: 'agent.ui.form-labels',
        what: 'rule',
        why: 'A placeholder is a name in the accessibility tree.',
      },
    ],
    shared: [
      {
        what: 'scope',
        why: 'Judged on every page that was read, by share: an owner who repaired the start page got full points for a site.',
        ids: [
          'aeo.reach.html-size',
          'aeo.index.snippet-allowed',
          'aeo.index.canonical',
          'aeo.index.noai-meta',
          'aeo.index.hreflang',
          'aeo.render.ssr-text',
          'aeo.meta.title',
          'aeo.meta.description',
          'aeo.render.head-tags-static',
          'aeo.render.hidden-text',
          'aeo.render.noscript-wall',
          'aeo.meta.open-graph',
          'aeo.meta.viewport',
          'aeo.meta.lang',
          'aeo.meta.charset',
          'aeo.structure.h1',
          'aeo.structure.heading-order',
          'aeo.structure.landmarks',
          'aeo.answer.capsule',
          'aeo.links.internal',
          'aeo.answer.question-headings',
          'aeo.answer.lead-first',
          'aeo.answer.steps',
          'aeo.answer.comparison-table',
          'aeo.links.anchor-text',
          'aeo.links.nofollow-internal',
          'aeo.media.alt',
          'geo.evidence.statistics',
          'geo.evidence.quotations',
          'geo.evidence.cited-sources',
          'geo.evidence.no-keyword-stuffing',
          'geo.evidence.number-source-adjacent',
          'geo.evidence.authoritative-domains',
          'geo.evidence.technical-terms',
          'geo.evidence.first-hand-data',
          'geo.text.definitions',
          'geo.text.no-self-superlatives',
          'geo.text.fluency',
          'geo.text.depth',
          'geo.text.main-extractable',
          'geo.text.easy',
          'geo.text.no-placeholder',
          'geo.text.summary',
          'geo.text.ratio',
          'geo.text.paragraph-size',
          'geo.text.section-size',
          'geo.text.self-contained',
          'geo.text.lists',
          'geo.entity.author',
          'geo.schema.jsonld-present',
          'geo.schema.parses',
          'geo.schema.context',
          'geo.schema.known-types',
          'geo.schema.page-type',
          'geo.schema.article',
          'geo.schema.product',
          'geo.schema.price-parity',
          'geo.schema.breadcrumb',
          'geo.schema.local-business',
          'geo.schema.review-honest',
          'geo.schema.speakable',
          'geo.schema.howto',
          'geo.schema.ids-linked',
          'geo.schema.dates-valid',
          'geo.schema.no-duplicates',
          'geo.schema.faq-parity',
          'geo.schema.faq',
          'geo.parity.title-h1',
          'geo.cite.addressable',
          'geo.cite.text-fragment-safe',
          'geo.cite.figure-captions',
          'geo.media.video-transcript',
          'agent.tokens.page',
          'agent.tokens.preamble',
          'agent.tokens.inline-bloat',
          'agent.docs.code-language',
          'agent.docs.tabs',
          'agent.docs.single-fetch',
          'agent.sec.mixed',
          'agent.ui.form-labels',
          'agent.ui.control-names',
          'agent.ui.autocomplete',
          'agent.ui.native-controls',
          'agent.ui.captcha',
          'agent.ui.dangerous-get',
          'agent.ui.refresh',
          'agent.ui.aria-valid',
          'agent.webmcp.forms',
        ],
      },
      {
        what: 'scope',
        why: 'Counts wherever it is, on any page that was read.',
        ids: ['geo.safety.no-invisible-instructions', 'geo.safety.unicode-covert'],
      },
      {
        what: 'rule',
        why: 'Reads the main content as it is chosen now, by scores of its blocks: menus, comments and related articles were taken for it.',
        ids: [
          'geo.evidence.no-keyword-stuffing',
          'geo.evidence.technical-terms',
          'geo.evidence.first-hand-data',
          'geo.text.definitions',
          'geo.text.no-self-superlatives',
          'geo.text.fluency',
          'geo.text.depth',
          'geo.text.easy',
          'geo.text.summary',
          'geo.text.section-size',
          'geo.text.paragraph-size',
          'geo.text.self-contained',
          'geo.text.lists',
          'geo.parity.markdown-content',
          'geo.cite.text-fragment-safe',
        ],
      },
      {
        what: 'rule',
        why: 'Asks by the kind of a page, which is recognised by markup and structure before words.',
        ids: ['aeo.answer.faq', 'aeo.answer.question-headings', 'geo.schema.page-type', 'geo.schema.product'],
      },
    ],
  },
];
