/**
 * Writes the method table of the management interfaces: `src/management/core/table/{methods,schemas}.generated.json`, of the
 * npm packages `googleapis` and `@google-cloud/cloudquotas`. Their types have no formats and no enums: these are of the
 * vendor's documents (`test/data/management/vendor/`), the numbers of enums of the protocol buffers in `google-proto-files`.
 * What none of them tells is in `overlay-data.ts`.
 * `test/management/core/table/generated.test.ts` makes it anew and compares.
 */
import { writeFileSync } from 'node:fs';
import { overlay } from '../src/management/core/table/overlay-data.ts';
import type { MethodRow, Schema, Schemas } from '../src/management/core/table/method-row.ts';
import { handWritten } from './management/by-hand.ts';
import { readCloudQuotas } from './management/cloudquotas.ts';
import { readGoogleApi } from './management/googleapis.ts';
import { overlaid } from './management/overlaid.ts';
import { rowsWithProtos, schemasWithProtos } from './management/proto-rows.ts';
import { readProtoMessages } from './management/protos.ts';
import { selections } from './management/selection-data.ts';
import { readVendorFacts } from './management/vendor-facts.ts';

/** The texts of both files. @throws Error when a package does not look as expected, or two rows have one id */
export function generate(): { methods: string; schemas: string } {
  const google = selections.map((selection) => {
    const key = `${selection.interface}/${selection.version}`;
    const api = readGoogleApi(selection.api, selection.prefix);
    const vendor = readVendorFacts(selection);
    const { methods, schemas } = overlaid(api, selection, vendor, overlay[key] ?? {});
    const protos = readProtoMessages(key);
    return { key, methods: rowsWithProtos(methods, protos), schemas: schemasWithProtos(schemas, protos) };
  });
  const quota = (['v1', 'v1beta'] as const).map((version) => ({
    key: `quota/${version}`,
    ...readCloudQuotas(version),
  }));
  const read = [...google, ...quota];
  const rows = read.flatMap(({ methods }) => methods);
  const all = [...rows, ...handWritten(rows)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const twice = all.find((row, at) => row.id === all[at + 1]?.id);
  if (twice !== undefined) throw new Error(`Two rows ${twice.id}`);
  return {
    methods: `[\n${all.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`,
    schemas: schemasText(read.map(({ key, methods, schemas }) => [key, reachable(methods, schemas)])),
  };
}

const schemasText = (parts: readonly (readonly [string, Schemas])[]): string =>
  `{\n${parts.map(([key, schemas]) => `${JSON.stringify(key)}:{\n${linesOf(schemas)}\n}`).join(',\n')}\n}\n`;

const linesOf = (schemas: Schemas): string =>
  Object.entries(schemas)
    .map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`)
    .join(',\n');

/** The schemas that bodies and answers of these methods are made of, by name. */
function reachable(methods: readonly MethodRow[], schemas: Schemas): Schemas {
  const found = new Map<string, Schema>();
  const add = (name: string | undefined): void => {
    if (name === undefined || found.has(name)) return;
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`No schema ${name}`);
    found.set(name, schema);
    for (const field of Object.values(schema)) {
      let inner: typeof field | undefined = field;
      while (inner?.items !== undefined || inner?.values !== undefined) inner = inner.items ?? inner.values;
      add(inner?.ref);
    }
  };
  for (const { request, response } of methods) [request, response].forEach(add);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.main) {
  const { methods, schemas } = generate();
  const folder = new URL('../src/management/core/table/', import.meta.url);
  writeFileSync(new URL('methods.generated.json', folder), methods);
  writeFileSync(new URL('schemas.generated.json', folder), schemas);
}
