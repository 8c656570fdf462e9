/**
 * Writes `src/client-python/sightline/models.py`: the classes of the Python client, from our OpenAPI document.
 * `test/client-python/models.test.ts` makes it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { catalog } from '../src/capabilities/catalog.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { type JsonSchema, ModelReader } from './client-python/model-classes.ts';
import { formatPythonModels } from './client-python/python-models.ts';

const MODELS = new URL('../src/client-python/sightline/models.py', import.meta.url);
const EXAMPLE_BASE_URL = 'https://sightline.example';
/** Schemas that the client reads besides the full results. */
const ROOTS = ['ResultSummary', 'SectionPage', 'Problem'] as const;

type Document = {
  paths: Record<
    string,
    Record<string, { responses?: Record<string, { content?: Record<string, { schema?: JsonSchema }> }> }>
  >;
  components: { schemas: Record<string, JsonSchema> };
};

/** The text of `models.py`. */
export function makePythonModels(): string {
  const document = openApiDocument(EXAMPLE_BASE_URL, true) as Document;
  const reader = new ModelReader(document.components.schemas);
  for (const name of ROOTS) if (Object.hasOwn(document.components.schemas, name)) reader.readNamed(name);
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
