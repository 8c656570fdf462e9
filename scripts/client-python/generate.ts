/**
 * Writes `src/client-python/sightline/models.py`: the classes of the Python client, from our OpenAPI document.
 * `test/client-python/models.test.ts` makes it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { catalog } from '../../src/capabilities/catalog.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { formatToolPath, soldTools } from '../../src/capabilities/sold-tools.ts';
import { toPascalCase } from '../../src/lib/text.ts';
import { buildPanelSchema } from '../../src/openapi/components.ts';
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
  PanelResultPrompts: 'PanelPrompts',
  PanelPromptsAsked: 'PanelPrompt',
  PanelPromptAnswers: 'PanelAnswer',
  PanelResultEngines: 'PanelEngine',
  PanelResultPooled: 'PooledFigures',
  PooledFiguresRivals: 'PooledRival',
  PooledFiguresCompetitors: 'PooledCompetitor',
  PanelResultDifferences: 'EngineDifference',
  PanelResultCitations: 'PanelCitations',
  PanelCitationsOwnRate: 'CitationRate',
  PanelCitationsOwnShare: 'CitationShare',
  PanelCitationsPages: 'CitedPage',
  PanelCitationsSites: 'CitedSite',
  PanelCitationsPageChecks: 'PageComparison',
  PageComparisonChecksCited: 'CheckCounts',
};
/** A stored report has no payment: it is in the answer to the purchase. */
const OPTIONAL = ['payment'] as const;

type Document = { components: { schemas: Record<string, JsonSchema> } };

/** The text of `models.py`. */
export function makePythonModels(): string {
  const document = openApiDocument(EXAMPLE_BASE_URL, true) as Document;
  const reader = new ModelReader(
    { ...document.components.schemas, PanelResult: buildPanelSchema() },
    { names: NAMES, optional: OPTIONAL },
  );
  for (const name of ROOTS) reader.readNamed(name);
  const rows = catalog.map(({ name }) => [name, reader.readNamed(`${toPascalCase(name)}Result`)] as const);
  const sold = panels.map(({ name }) => [name, reader.readNamed('PanelResult')] as const);
  const tools = soldTools.map(({ name }) => [name, reader.readNamed(`${toPascalCase(name)}Result`)] as const);
  return formatPythonModels(
    reader.list(),
    Object.fromEntries([...rows, ...sold, ...tools]),
    Object.fromEntries([
      ...panels.map((row) => [row.name, formatPanelPath(row)]),
      ...soldTools.map((row) => [row.name, formatToolPath(row)]),
    ]),
  );
}

if (import.meta.main) {
  writeFileSync(MODELS, makePythonModels());
  console.log('wrote src/client-python/sightline/models.py');
}
