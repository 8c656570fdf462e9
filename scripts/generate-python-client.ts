/**
 * Writes `src/client-python/sightline/models.py`: the classes of the Python client, from our OpenAPI document.
 * `test/client-python/models.test.ts` makes it again and compares.
 */
import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { catalog } from '../src/capabilities/catalog.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { resultSummary } from '../src/results/summary-shape.ts';
import { type JsonSchema, ModelReader } from './client-python/model-classes.ts';
import { formatPythonModels } from './client-python/python-models.ts';

const MODELS = new URL('../src/client-python/sightline/models.py', import.meta.url);
const EXAMPLE_BASE_URL = 'https://sightline.example';

/** What people type: names for objects that have none in the document. */
const NAMES: Readonly<Record<string, string>> = {
  ResultSummaryScores: 'SummaryScore',
  ResultSummaryNotApplicable: 'NotApplicable',
  ResultSummaryCategories: 'SummaryCategory',
  ResultSummaryCounts: 'Counts',
  ResultSummaryDoFirst: 'DoFirst',
  ResultSummaryMeasurement: 'Measurement',
  MeasurementMentionRate: 'SummaryRate',
  ResultSummaryFiles: 'SummaryFile',
  ResultSummaryCoverage: 'RequestCounts',
  ResultSummaryEvidence: 'ForeignWords',
  ForeignWordsRivals: 'NamedRival',
  ForeignWordsWeakSpots: 'NamedWeakSpot',
  ResultSummarySections: 'SectionLink',
  CheckHealthResultChecks: 'Check',
  CheckEvidence: 'Evidence',
  ScoreAeoResultScoresAeo: 'Score',
  ScoreGates: 'Gate',
  CompareResultSitesUrl: 'ComparedSite',
  CompareResultCategories: 'ComparedCategory',
  CompareResultGaps: 'Gap',
  VisibilityCheckResultEngine: 'Engine',
  VisibilityCheckResultPromptsAsked: 'AskedPrompt',
  VisibilityCheckResultMentionRate: 'MentionRate',
  VisibilityCheckResultRivals: 'Rival',
  VisibilityCheckResultWeakSpots: 'WeakSpot',
  VisibilityCheckResultIntents: 'IntentReport',
  VisibilityVsCompetitorResultBrandsBrand: 'BrandReport',
  VisibilityFixPackResultFixes: 'VisibilityFix',
  CheckHealthResultRequests: 'Request',
  CheckHealthResultPayment: 'Payment',
  CheckHealthResultProfile: 'SiteProfile',
  CheckHealthResultRubric: 'Rubric',
  GenerateLlmsTxtResultFiles: 'File',
  FixPackResultFixes: 'Fix',
  ProblemErrors: 'ProblemFault',
};

type Document = {
  paths: Record<
    string,
    Record<string, { responses?: Record<string, { content?: Record<string, { schema?: JsonSchema }> }> }>
  >;
  components: { schemas: Record<string, JsonSchema> };
};

/** A stored report has no payment: it is in the answer to the purchase. */
const OPTIONAL = ['payment'] as const;

/** The text of `models.py`. */
export function makePythonModels(): string {
  const document = openApiDocument(EXAMPLE_BASE_URL, true) as Document;
  const reader = new ModelReader(document.components.schemas, { names: NAMES, optional: OPTIONAL });
  reader.readNamed('Problem');
  reader.readInline(z.toJSONSchema(resultSummary, { io: 'output' }), 'ResultSummary');
  const results = Object.fromEntries(
    catalog.map(({ name }) => {
      const answer = document.paths[`/api/agent/${name}`]?.['post']?.responses?.['200'];
      const schema = answer?.content?.['application/json']?.schema;
      if (schema === undefined) throw new Error(`the document has no result of ${name}`);
      return [
        name,
        reader.readInline(schema, `${name.replaceAll(/(?:^|_)(\w)/g, (_, a: string) => a.toUpperCase())}Result`),
      ];
    }),
  );
  return formatPythonModels(reader.list(), results);
}

if (import.meta.main) {
  writeFileSync(MODELS, makePythonModels());
  console.log('wrote src/client-python/sightline/models.py');
}
