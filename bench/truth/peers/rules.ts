import { peers } from '../../audit/peers.ts';

/** Ids of our checks by a peer's name of its rule. */
type Rules = Readonly<Record<string, readonly string[]>>;

/**
 * `same`: the rule asks what our check asks. `doubtful`: it asks something near, or several things at once; such a rule may
 * find a planted defect, and never contradicts a good fact. A rule that no planted fact concerns is not listed.
 */
export type PeerRules = { same: Rules; doubtful: Rules };

const SEARCH = 'aeo.robots.ai-search-bots';
const FETCHERS = 'aeo.robots.user-fetchers';

/** Rules of the peers of npm that `bench/audit/peers.ts` does not list, and pairs of it that are doubtful here. */
const more: Readonly<Record<string, PeerRules>> = {
  'aiseo-audit': {
    same: { 'Entity Consistency': ['geo.entity.name-consistent'] },
    doubtful: {
      // One verdict on search bots, user fetchers and training crawlers together.
      'AI Crawler Access': [SEARCH, FETCHERS, 'aeo.robots.blanket-block'],
      'Author Attribution': ['geo.schema.article', 'geo.entity.author-page'],
      'Contact/About Links': ['geo.entity.first-person-about'],
      'Entity Consistency': ['aeo.meta.site-name', 'geo.entity.publisher'],
      'Heading Hierarchy': ['aeo.structure.heading-order'],
      'Q/A Patterns': ['aeo.answer.question-headings'],
      'Schema Completeness': [
        'geo.schema.article',
        'geo.schema.product',
        'geo.schema.local-business',
        'geo.schema.page-type',
      ],
      'Structured Data': ['aeo.meta.open-graph', 'aeo.index.canonical', 'geo.schema.parses'],
      'Word Count Adequacy': ['aeo.render.ssr-text'],
    },
  },
  'agent-readiness': {
    same: {},
    doubtful: {
      'Semantic landmarks + an H1': ['aeo.structure.h1'],
      'Structured data (JSON-LD / OpenGraph)': ['geo.schema.parses', 'aeo.meta.open-graph'],
    },
  },
  'agentic-seo': {
    same: {},
    doubtful: {
      'robots-txt': [SEARCH, FETCHERS, 'aeo.robots.blanket-block'],
      'llms-txt': ['agent.llms.sections', 'agent.llms.links-described'],
      // These judge a folder of files: of a site that is served they only say that there is no folder.
      'content-structure': [],
      'markdown-availability': [],
      'meta-tags': [],
      'token-budget': [],
    },
  },
  afdocs: {
    same: {},
    doubtful: {
      'llms-txt-exists': ['agent.llms.content-type'],
      'redirect-behavior': ['agent.ui.refresh'],
    },
  },
};

const agentLighthouse: PeerRules = {
  same: {
    '1.1': ['agent.llms.h1-first'],
    '1.2': ['agent.llms.summary'],
    '1.3': ['agent.llms.sections'],
    '1.4': ['agent.llms.links-described'],
    '1.5': ['agent.llms.links-resolve'],
    '1.7': ['aeo.sitemap.exists'],
    '1.10': ['aeo.sitemap.lastmod'],
    '1.11': ['aeo.feed.exists'],
    '1.13': ['aeo.index.meta-robots'],
    '1.15': ['aeo.links.internal'],
    '1.17': ['aeo.index.canonical'],
    '1.20': ['aeo.reach.http-errors-in-sample'],
    '2.4': [SEARCH],
    '2.16': [SEARCH],
    '2.21': [SEARCH],
    '2.14': [FETCHERS],
    '2.15': [FETCHERS],
    '2.20': [FETCHERS],
    '2.22': ['aeo.robots.blanket-block'],
    '2.25': ['aeo.index.meta-robots'],
    '2.26': ['aeo.reach.ua-parity'],
    '3.2': ['geo.schema.parses', 'geo.schema.context', 'geo.schema.known-types'],
    '3.3': ['geo.entity.organization'],
    '3.6': ['geo.schema.article'],
    '3.8': ['geo.schema.product'],
    '3.12': ['geo.schema.local-business'],
    '3.15': ['geo.entity.author'],
    '3.23': ['geo.schema.review-honest'],
    '4.1': ['aeo.meta.description'],
    '4.3': ['aeo.index.canonical'],
    '4.4': ['aeo.meta.lang'],
    '4.5': ['aeo.meta.unique'],
    '4.6': ['aeo.meta.open-graph'],
    '4.8': ['aeo.meta.site-name'],
    '4.15': ['agent.md.alternate-link'],
    '4.16': ['aeo.feed.exists'],
    '4.20': ['aeo.index.meta-robots'],
    '5.1': ['agent.api.openapi-found'],
    '5.3': ['agent.api.operation-ids'],
    '5.5': ['agent.api.servers'],
    '5.9': ['mcp.discovery.catalog-urls'],
    '5.16': ['agent.ui.search-url'],
    '5.19': ['agent.ui.forms-no-js'],
    '6.1': ['aeo.structure.h1'],
    '6.2': ['aeo.structure.heading-order'],
    '6.10': ['agent.docs.code-language'],
    '6.15': ['aeo.media.alt'],
    '7.5': ['agent.ui.form-labels'],
    '7.7': ['agent.ui.control-names'],
    '7.15': ['agent.ui.autocomplete'],
    '7.20': ['agent.ui.refresh'],
    '8.10': ['agent.llms.content-type'],
    '8.13': ['aeo.render.ssr-text'],
    '9.2': ['aeo.answer.question-headings'],
    '9.3': ['aeo.answer.capsule'],
    '9.8': ['aeo.fresh.dates'],
    '10.1': ['geo.entity.author'],
    '10.3': ['geo.entity.author-page'],
    '10.5': ['geo.evidence.cited-sources'],
    '10.9': ['aeo.fresh.dates'],
    '10.14': ['geo.evidence.quotations'],
  },
  doubtful: {
    '1.9': ['aeo.sitemap.valid'],
    '1.10': ['aeo.sitemap.lastmod-agrees'],
    '1.13': ['aeo.index.snippet-allowed'],
    '1.14': ['aeo.index.x-robots-tag', 'aeo.index.conflicts'],
    '1.17': ['aeo.index.conflicts'],
    '1.22': ['aeo.links.internal'],
    '2.24': ['aeo.robots.group-shadowing'],
    '3.8': ['geo.schema.page-type'],
    '3.13': ['geo.schema.review-honest'],
    '3.14': ['geo.schema.product', 'geo.schema.page-type'],
    '3.15': ['geo.schema.article', 'geo.entity.author-page'],
    '4.3': ['aeo.index.conflicts'],
    '4.20': ['aeo.index.snippet-allowed'],
    '5.2': ['agent.api.openapi-valid'],
    '5.6': ['agent.api.openapi-valid'],
    '5.27': ['agent.ui.forms-no-js', 'agent.ui.native-controls', 'agent.ui.autocomplete', 'agent.ui.form-labels'],
    '7.5': ['agent.ui.native-controls'],
    '8.10': ['mcp.card.media-type'],
    '8.13': ['agent.docs.single-fetch'],
    '8.18': ['agent.llms.links-resolve'],
    '9.11': ['aeo.meta.description'],
    '10.6': ['geo.entity.name-consistent'],
    '10.10': ['geo.schema.dates-valid'],
    '10.11': ['aeo.links.internal'],
  },
};

/** Rules of each peer by its name. */
export const peerRuleTables: ReadonlyMap<string, PeerRules> = new Map([
  ...peers.map(({ name, facts }) => [name, joinRules(facts, more[name])] as const),
  ['agent-lighthouse', agentLighthouse] as const,
]);

/** A pair that is doubtful is not the same question; a rule that is doubtful without an id judges nothing here. */
function joinRules(facts: Rules, { same, doubtful }: PeerRules = { same: {}, doubtful: {} }): PeerRules {
  const kept = Object.entries(facts).flatMap(([rule, ids]) => {
    const near = doubtful[rule];
    if (near === undefined) return [[rule, ids] as const];
    return near.length === 0 ? [] : [[rule, ids.filter((id) => !near.includes(id))] as const];
  });
  return { same: { ...Object.fromEntries(kept), ...same }, doubtful };
}
