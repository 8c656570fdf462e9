/**
 * Writes `src/client-python/sightline/models.py`: the classes of the Python client, from our OpenAPI document.
 * `test/client-python/models.test.ts` makes it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { catalog } from '../../src/capabilities/catalog.ts';
import { toPascalCase } from '../../src/lib/text.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { type JsonSchema, ModelReader } from './model-classes.ts';
import { formatPythonModels } from './python-models.ts';

const MODELS = new URL('../../src/client-python/sightline/models.py', import.meta.url);
const EXAMPLE_BASE_URL = 'https://sightline.example';

/** What the client reads besides the full results. */
const ROOTS: readonly string[] = [
  'Problem',
  'ResultSummary',
  'ResultStandard',
  'SectionCheck',
  'SectionEvidence',
  'SectionRequest',
  'SectionAnswer',
  'SectionCitation',
];
/** Names for objects that have none in the document, where people would type them. */
const NAMES: Readonly<Record<string, string>> = {
  ResultSummaryCounts: 'Counts',
  ResultSummaryNotApplicable: 'NotApplicable',
  ResultSummaryCategories: 'SummaryCategory',
  ResultSummaryCoverage: 'RequestCounts',
  ForeignWordsRivals: 'NamedRival',
  ForeignWordsWeakSpots: 'NamedWeakSpot',
  ResultStandardChecks: 'OpenCheck',
  SectionCheckAccuracy: 'CheckAccuracy',
  SectionCheckPages: 'CheckPages',
  ProblemErrors: 'ProblemFault',
};
/** A stored report has no payment: it is in the answer to the purchase. */
const OPTIONAL = ['payment'] as const;

type Document = { components: { schemas: Record<string, JsonSchema> } };

/** The text of `models.py`. */
export function makePythonModels(): string {
  const document = openApiDocument(EXAMPLE_BASE_URL, true) as Document;
  const reader = new ModelReader(document.components.schemas, { names: NAMES, optional: OPTIONAL });
  for (const name of ROOTS) reader.readNamed(name);
  const results = Object.fromEntries(
    catalog.map(({ name }) => [name, reader.readNamed(`${toPascalCase(name)}Result`)]),
  );
  return formatPythonModels(reader.list(), results);
}

if (import.meta.main) {
  writeFileSync(MODELS, makePythonModels());
  console.log('wrote src/client-python/sightline/models.py');
}
