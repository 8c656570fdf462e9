import type { ScoreName } from './check.ts';

/** Verdicts of one check on labelled pages; `low` and `high` bound the share of those that are not wrong, at 95 %. */
export type LabelledVerdicts = {
  n: number;
  right: number;
  arguable: number;
  wrong: number;
  low: number;
  high: number;
};

/** A public corpus of pages, at the commit that was read. */
export type LabelledCorpus = { repository: string; commit: string; pages: number };

/** How often two readers gave the same answer to a question, and Cohen's kappa of it. */
export type ReaderAgreement = { question: string; n: number; same: number; kappa: number };

/** Decisions about robots.txt files beside those of Google's parser. */
export type RobotsParity = {
  files: number;
  decisions: number;
  equal: number;
  unexplained: number;
  reasons: readonly { reason: string; decisions: number; files: number }[];
};

/**
 * Another tool beside ours: of the planted defects it names, and good facts it contradicts. `facts` are those that it looks
 * at; `recallThere` and `oursThere` count these alone. A share of nothing is null.
 */
export type PeerFigures = {
  name: string;
  version: string;
  facts: number;
  precision: number | null;
  recall: number;
  recallThere: number | null;
  oursThere: number | null;
};

/** What the last run of `bench/truth` came to. What it did not measure is absent. */
export type Accuracy = {
  /** The day of the run, `YYYY-MM-DD`. */
  date: string;
  /** `labelled` of them were read and count here, with `verdicts` in all. */
  pages: { judged: number; labelled: number; verdicts: number };
  corpora: readonly LabelledCorpus[];
  /** Shares of wrong verdicts, each weighed by how often it falls on all pages; only of scores with labelled checks. */
  scores: Readonly<Partial<Record<ScoreName, { wrong: number; wrongCosting: number }>>>;
  kinds: { n: number; right: number; weighed: number };
  agreement: readonly ReaderAgreement[];
  /** Verdicts that were drawn after the code was frozen, on pages that no one had looked at. */
  aside?: { pages: number; kindsRight: number; verdicts: number; right: number; arguable: number; wrong: number };
  mainText?: { pages: number; precision: number; recall: number; f1: number };
  planted?: { sites: number; defects: number; found: number; good: number; contradicted: number };
  robots?: RobotsParity;
  peers?: readonly PeerFigures[];
  checks: Readonly<Record<string, LabelledVerdicts>>;
};

/** Made from `bench/results.json` by `npm run docs`. */
// accuracy:start
export const accuracy: Accuracy = {
  date: '2026-11-26',
  pages: { judged: 883, labelled: 60, verdicts: 1738 },
  corpora: [
    {
      repository: 'scrapinghub/article-extraction-benchmark',
      commit: '4a3bc979f76c0df73cb95fe272e2fc1b96f9f010',
      pages: 181,
    },
    {
      repository: 'scrapinghub/extruct',
      commit: 'a31daaadb82ec684b7d468d3b15734b8ae3b7265',
      pages: 56,
    },
    {
      repository: 'mozilla/readability',
      commit: 'ab4027a8b37669745016869a37a504727992b2ba',
      pages: 130,
    },
    {
      repository: 'adbar/trafilatura',
      commit: 'e90b0ef51ab026fdb905fb6c5b3c84dd3d784fd5',
      pages: 516,
    },
  ],
  scores: {
    aeo: { wrong: 0.0343, wrongCosting: 0.1019 },
    geo: { wrong: 0.0744, wrongCosting: 0.1294 },
    agent: { wrong: 0.0452, wrongCosting: 0.0636 },
  },
  kinds: { n: 60, right: 51, weighed: 0.888 },
  agreement: [
    { question: 'kind', n: 160, same: 160, kappa: 1 },
    { question: 'geo.evidence.statistics', n: 129, same: 111, kappa: 0.839 },
    { question: 'author-name', n: 131, same: 124, kappa: 0.9447 },
    { question: 'geo.entity.author', n: 131, same: 130, kappa: 0.9867 },
    { question: 'geo.evidence.cited-sources', n: 130, same: 126, kappa: 0.9554 },
    { question: 'geo.evidence.no-keyword-stuffing', n: 123, same: 118, kappa: 0.8684 },
    { question: 'geo.schema.parses', n: 124, same: 118, kappa: 0.9176 },
    { question: 'quotations-unnamed', n: 129, same: 128, kappa: 0.9836 },
    { question: 'geo.evidence.quotations', n: 129, same: 119, kappa: 0.9004 },
    { question: 'geo.entity.organization', n: 131, same: 129, kappa: 0.9699 },
    { question: 'geo.text.fluency', n: 126, same: 121, kappa: 0.9284 },
    { question: 'aeo.render.ssr-text', n: 125, same: 125, kappa: 1 },
    { question: 'geo.text.main-extractable', n: 128, same: 116, kappa: 0.6776 },
    { question: 'aeo.meta.title', n: 131, same: 130, kappa: 0.9869 },
    { question: 'geo.schema.product', n: 125, same: 125, kappa: 1 },
    { question: 'geo.safety.no-invisible-instructions', n: 125, same: 124, kappa: 0 },
    { question: 'geo.schema.jsonld-present', n: 127, same: 125, kappa: 0.9743 },
    { question: 'agent.ui.control-names', n: 137, same: 133, kappa: 0.9476 },
    { question: 'geo.entity.sameas', n: 137, same: 136, kappa: 0.9837 },
    { question: 'agent.ui.form-labels', n: 129, same: 127, kappa: 0.975 },
    { question: 'geo.schema.page-type', n: 124, same: 121, kappa: 0.961 },
    { question: 'geo.schema.price-parity', n: 124, same: 124, kappa: 1 },
    { question: 'aeo.fresh.dates', n: 126, same: 126, kappa: 1 },
    { question: 'aeo.links.internal', n: 123, same: 123, kappa: 1 },
    { question: 'geo.text.depth', n: 126, same: 124, kappa: 0.97 },
    { question: 'aeo.meta.description', n: 128, same: 127, kappa: 0.9875 },
    { question: 'geo.schema.article', n: 123, same: 120, kappa: 0.9612 },
    { question: 'aeo.answer.capsule', n: 124, same: 121, kappa: 0.9127 },
    { question: 'aeo.index.canonical', n: 129, same: 128, kappa: 0.9787 },
    { question: 'geo.evidence.number-source-adjacent', n: 125, same: 101, kappa: 0.7506 },
    { question: 'brand-name', n: 125, same: 120, kappa: 0.9596 },
    { question: 'geo.entity.name-consistent', n: 125, same: 117, kappa: 0.7249 },
    { question: 'aeo.index.meta-robots', n: 121, same: 121, kappa: 1 },
  ],
  aside: { pages: 40, kindsRight: 37, verdicts: 200, right: 184, arguable: 2, wrong: 14 },
  mainText: { pages: 181, precision: 0.9447, recall: 0.9912, f1: 0.9674 },
  planted: { sites: 4, defects: 71, found: 71, good: 67, contradicted: 3 },
  robots: {
    files: 4559,
    decisions: 3514400,
    equal: 3492291,
    unexplained: 0,
    reasons: [
      { reason: 'not-utf-8', decisions: 50, files: 1 },
      { reason: 'escape-case', decisions: 19266, files: 192 },
      { reason: 'misspelt-key', decisions: 1782, files: 6 },
      { reason: 'index-file', decisions: 261, files: 11 },
      { reason: 'long-file', decisions: 750, files: 2 },
    ],
  },
  peers: [
    {
      name: 'sightline',
      version: '0.1.0',
      facts: 134,
      precision: 0.9315,
      recall: 0.9577,
      recallThere: 0.9714,
      oursThere: 0.9714,
    },
    {
      name: 'aiseo-audit',
      version: '1.6.2',
      facts: 33,
      precision: 1,
      recall: 0.1408,
      recallThere: 0.5882,
      oursThere: 0.9412,
    },
    {
      name: 'agent-readiness',
      version: '0.4.0',
      facts: 18,
      precision: 1,
      recall: 0.0704,
      recallThere: 0.4545,
      oursThere: 0.9091,
    },
    {
      name: 'agentic-seo',
      version: '1.0.0',
      facts: 2,
      precision: null,
      recall: 0,
      recallThere: 0,
      oursThere: 1,
    },
    {
      name: 'afdocs',
      version: '0.22.2',
      facts: 19,
      precision: 1,
      recall: 0.0845,
      recallThere: 0.6667,
      oursThere: 1,
    },
    {
      name: 'agent-lighthouse',
      version: '1.0.0',
      facts: 82,
      precision: 0.871,
      recall: 0.3803,
      recallThere: 0.587,
      oursThere: 0.9565,
    },
  ],
  checks: {
    'aeo.index.meta-robots': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'aeo.index.canonical': { n: 58, right: 54, arguable: 1, wrong: 3, low: 0.8586, high: 0.9823 },
    'aeo.render.ssr-text': { n: 60, right: 58, arguable: 0, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.meta.title': { n: 60, right: 58, arguable: 0, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.meta.description': { n: 60, right: 57, arguable: 1, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.answer.capsule': { n: 60, right: 56, arguable: 0, wrong: 4, low: 0.8407, high: 0.9738 },
    'aeo.links.internal': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'aeo.fresh.dates': { n: 60, right: 50, arguable: 0, wrong: 10, low: 0.7197, high: 0.9069 },
    'geo.evidence.statistics': { n: 60, right: 50, arguable: 2, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.evidence.quotations': { n: 60, right: 52, arguable: 0, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.evidence.cited-sources': { n: 60, right: 52, arguable: 0, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.evidence.no-keyword-stuffing': { n: 60, right: 53, arguable: 2, wrong: 5, low: 0.8193, high: 0.9639 },
    'geo.evidence.number-source-adjacent': { n: 60, right: 42, arguable: 7, wrong: 11, low: 0.7008, high: 0.8944 },
    'geo.text.fluency': { n: 60, right: 52, arguable: 2, wrong: 6, low: 0.7985, high: 0.9534 },
    'geo.text.depth': { n: 60, right: 52, arguable: 1, wrong: 7, low: 0.7782, high: 0.9423 },
    'geo.text.main-extractable': { n: 60, right: 41, arguable: 8, wrong: 11, low: 0.7008, high: 0.8944 },
    'geo.entity.organization': { n: 60, right: 59, arguable: 1, wrong: 0, low: 0.9398, high: 1 },
    'geo.entity.sameas': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'geo.entity.name-consistent': { n: 60, right: 50, arguable: 2, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.entity.author': { n: 60, right: 48, arguable: 0, wrong: 12, low: 0.6822, high: 0.8817 },
    'geo.schema.jsonld-present': { n: 60, right: 59, arguable: 1, wrong: 0, low: 0.9398, high: 1 },
    'geo.schema.parses': { n: 60, right: 56, arguable: 4, wrong: 0, low: 0.9398, high: 1 },
    'geo.schema.page-type': { n: 60, right: 51, arguable: 1, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.schema.article': { n: 60, right: 58, arguable: 1, wrong: 1, low: 0.9114, high: 0.9971 },
    'geo.schema.product': { n: 60, right: 59, arguable: 0, wrong: 1, low: 0.9114, high: 0.9971 },
    'geo.schema.price-parity': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'geo.safety.no-invisible-instructions': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'agent.ui.form-labels': { n: 60, right: 57, arguable: 2, wrong: 1, low: 0.9114, high: 0.9971 },
    'agent.ui.control-names': { n: 60, right: 50, arguable: 3, wrong: 7, low: 0.7782, high: 0.9423 },
  },
};
// accuracy:end
