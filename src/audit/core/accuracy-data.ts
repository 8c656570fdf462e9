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

/** Another tool, judged by the planted facts that it looks at too. */
export type PeerFigures = { name: string; version: string; facts: number; precision: number; recall: number };

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
  pages: { judged: 883, labelled: 60, verdicts: 1740 },
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
    aeo: { wrong: 0.0577, wrongCosting: 0.1612 },
    geo: { wrong: 0.0909, wrongCosting: 0.1444 },
    agent: { wrong: 0.0413, wrongCosting: 0.0837 },
  },
  kinds: { n: 60, right: 51, weighed: 0.85 },
  agreement: [
    { question: 'kind', n: 120, same: 120, kappa: 1 },
    { question: 'aeo.index.meta-robots', n: 120, same: 120, kappa: 1 },
    { question: 'aeo.index.canonical', n: 120, same: 119, kappa: 0.9772 },
    { question: 'aeo.meta.title', n: 120, same: 119, kappa: 0.9856 },
    { question: 'aeo.meta.description', n: 120, same: 119, kappa: 0.9866 },
    { question: 'aeo.fresh.dates', n: 120, same: 120, kappa: 1 },
    { question: 'aeo.render.ssr-text', n: 120, same: 120, kappa: 1 },
    { question: 'geo.text.depth', n: 120, same: 119, kappa: 0.9838 },
    { question: 'geo.text.main-extractable', n: 120, same: 108, kappa: 0.6743 },
    { question: 'geo.text.fluency', n: 120, same: 116, kappa: 0.9397 },
    { question: 'aeo.answer.capsule', n: 120, same: 117, kappa: 0.9123 },
    { question: 'geo.evidence.no-keyword-stuffing', n: 120, same: 115, kappa: 0.8629 },
    { question: 'geo.safety.no-invisible-instructions', n: 120, same: 119, kappa: 0 },
    { question: 'geo.evidence.statistics', n: 120, same: 102, kappa: 0.8263 },
    { question: 'geo.evidence.quotations', n: 120, same: 110, kappa: 0.8947 },
    { question: 'quotations-unnamed', n: 120, same: 119, kappa: 0.9826 },
    { question: 'geo.evidence.cited-sources', n: 120, same: 116, kappa: 0.9525 },
    { question: 'geo.evidence.number-source-adjacent', n: 120, same: 97, kappa: 0.7455 },
    { question: 'geo.entity.author', n: 120, same: 119, kappa: 0.9861 },
    { question: 'author-name', n: 120, same: 113, kappa: 0.9394 },
    { question: 'geo.entity.organization', n: 120, same: 118, kappa: 0.9661 },
    { question: 'geo.entity.sameas', n: 120, same: 119, kappa: 0.9822 },
    { question: 'geo.entity.name-consistent', n: 120, same: 112, kappa: 0.7237 },
    { question: 'brand-name', n: 120, same: 115, kappa: 0.958 },
    { question: 'geo.schema.jsonld-present', n: 120, same: 118, kappa: 0.9723 },
    { question: 'geo.schema.parses', n: 120, same: 114, kappa: 0.9152 },
    { question: 'geo.schema.page-type', n: 120, same: 117, kappa: 0.9596 },
    { question: 'geo.schema.article', n: 120, same: 117, kappa: 0.9603 },
    { question: 'geo.schema.product', n: 120, same: 120, kappa: 1 },
    { question: 'geo.schema.price-parity', n: 120, same: 120, kappa: 1 },
    { question: 'aeo.links.internal', n: 120, same: 120, kappa: 1 },
    { question: 'agent.ui.form-labels', n: 120, same: 118, kappa: 0.9722 },
    { question: 'agent.ui.control-names', n: 120, same: 116, kappa: 0.9417 },
  ],
  mainText: { pages: 181, precision: 0.9447, recall: 0.9912, f1: 0.9674 },
  checks: {
    'aeo.index.meta-robots': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'aeo.index.canonical': { n: 60, right: 53, arguable: 1, wrong: 6, low: 0.7985, high: 0.9534 },
    'aeo.render.ssr-text': { n: 60, right: 58, arguable: 0, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.meta.title': { n: 60, right: 58, arguable: 0, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.meta.description': { n: 60, right: 57, arguable: 1, wrong: 2, low: 0.8864, high: 0.9908 },
    'aeo.answer.capsule': { n: 60, right: 54, arguable: 0, wrong: 6, low: 0.7985, high: 0.9534 },
    'aeo.links.internal': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'aeo.fresh.dates': { n: 60, right: 50, arguable: 0, wrong: 10, low: 0.7197, high: 0.9069 },
    'geo.evidence.statistics': { n: 60, right: 48, arguable: 2, wrong: 10, low: 0.7197, high: 0.9069 },
    'geo.evidence.quotations': { n: 60, right: 51, arguable: 0, wrong: 9, low: 0.7389, high: 0.919 },
    'geo.evidence.cited-sources': { n: 60, right: 52, arguable: 0, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.evidence.no-keyword-stuffing': { n: 60, right: 52, arguable: 2, wrong: 6, low: 0.7985, high: 0.9534 },
    'geo.evidence.number-source-adjacent': { n: 60, right: 40, arguable: 8, wrong: 12, low: 0.6822, high: 0.8817 },
    'geo.text.fluency': { n: 60, right: 51, arguable: 2, wrong: 7, low: 0.7782, high: 0.9423 },
    'geo.text.depth': { n: 60, right: 52, arguable: 1, wrong: 7, low: 0.7782, high: 0.9423 },
    'geo.text.main-extractable': { n: 60, right: 44, arguable: 8, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.entity.organization': { n: 60, right: 59, arguable: 1, wrong: 0, low: 0.9398, high: 1 },
    'geo.entity.sameas': { n: 60, right: 59, arguable: 0, wrong: 1, low: 0.9114, high: 0.9971 },
    'geo.entity.name-consistent': { n: 60, right: 43, arguable: 1, wrong: 16, low: 0.6099, high: 0.8287 },
    'geo.entity.author': { n: 60, right: 46, arguable: 0, wrong: 14, low: 0.6456, high: 0.8556 },
    'geo.schema.jsonld-present': { n: 60, right: 59, arguable: 1, wrong: 0, low: 0.9398, high: 1 },
    'geo.schema.parses': { n: 60, right: 56, arguable: 4, wrong: 0, low: 0.9398, high: 1 },
    'geo.schema.page-type': { n: 60, right: 51, arguable: 1, wrong: 8, low: 0.7583, high: 0.9309 },
    'geo.schema.article': { n: 60, right: 58, arguable: 1, wrong: 1, low: 0.9114, high: 0.9971 },
    'geo.schema.product': { n: 60, right: 56, arguable: 0, wrong: 4, low: 0.8407, high: 0.9738 },
    'geo.schema.price-parity': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'geo.safety.no-invisible-instructions': { n: 60, right: 60, arguable: 0, wrong: 0, low: 0.9398, high: 1 },
    'agent.ui.form-labels': { n: 60, right: 56, arguable: 2, wrong: 2, low: 0.8864, high: 0.9908 },
    'agent.ui.control-names': { n: 60, right: 51, arguable: 3, wrong: 6, low: 0.7985, high: 0.9534 },
  },
};
// accuracy:end
