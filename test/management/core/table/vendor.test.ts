import { describe, expect, test } from 'vitest';
import { SCALARS } from '../../../../scripts/management/proto-rows.ts';
import { readProtoMessages, type ProtoField } from '../../../../scripts/management/protos.ts';
import { selections, type Selection } from '../../../../scripts/management/selection-data.ts';
import { extractVendorFacts, readVendorFacts } from '../../../../scripts/management/vendor-facts.ts';
import { judgeBody } from '../../../../src/management/core/conventions/body-values.ts';
import { withIntEnums } from '../../../../src/management/core/conventions/enum-numbers.ts';
import { apis, listServedMethods } from '../../../../src/management/core/discovery/apis.ts';
import { buildDiscoveryDocument } from '../../../../src/management/core/discovery/document.ts';
import { methods, type SchemaField, type Schemas } from '../../../../src/management/core/table/method-row.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';
import { listVendorDifferences } from '../../../support/management/vendor-differences.ts';
import { differencesOfAll, knownDifferences, unnumbered } from './differences-data.ts';

const keyOf = ({ interface: name, version }: { interface: string; version: string }): string => `${name}/${version}`;
const keys = [...new Set(methods.map(keyOf))];
const schemasOf = (key: string): Schemas => getSchemas(key.split('/')[0] ?? '', key.split('/')[1] ?? '');

/** What the discovery document that we serve says differently from the vendor's: it has all rows of the table. */
function differencesOf(selection: Selection): string[] {
  const { interface: name, version } = selection;
  const api = apis.find((each) => each.interface.name === name && each.interface.version === version);
  if (api === undefined) throw new Error(`No document of ${name}/${version}`);
  const document = buildDiscoveryDocument(api, 'https://control.test', listServedMethods(api));
  const vendor = readVendorFacts(selection);
  const ours = extractVendorFacts(
    document as unknown as Parameters<typeof extractVendorFacts>[0], // Built in the shape of the vendor's.
    { ...selection, take: () => true },
    vendor.source,
  );
  return listVendorDifferences(vendor, ours);
}

describe('F4, F5: the table and the documents that we serve say what the vendor says', () => {
  test.each(selections.map((selection) => [keyOf(selection), selection] as const))(
    '%s differs from the vendor only where it is meant to',
    (key, selection) => {
      const known = [...differencesOfAll, ...(knownDifferences[key] ?? [])];
      const unknown = differencesOf(selection).filter((line) => !known.some((each) => each.line.test(line)));
      expect(unknown).toEqual([]);
    },
  );

  test.each(selections.map((selection) => [keyOf(selection), selection] as const))(
    'no known difference of %s is gone',
    (key, selection) => {
      const [known, lines] = [knownDifferences[key] ?? [], differencesOf(selection)];
      expect(known.filter((each) => !lines.some((line) => each.line.test(line))).map(({ why }) => why)).toEqual([]);
    },
  );

  test('every row of the table is in the documents that are compared', () => {
    const compared = selections.flatMap((selection) => Object.values(readVendorFacts(selection).methods));
    expect(compared.length).toBeGreaterThan(400);
    for (const api of apis) {
      const rows = methods.filter((row) => keyOf(row) === `${api.interface.name}/${api.interface.version}`);
      expect(listServedMethods(api).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    }
  });
});

/** Where the documents leave a message open that its protocol buffer declares. */
const OPEN_TYPES: Readonly<Record<string, string>> = { Any: 'map', Struct: 'map', Value: 'any', ListValue: 'list' };

function shapeOf(field: SchemaField): string {
  if (field.items !== undefined) return `list of ${shapeOf(field.items)}`;
  if (field.values !== undefined) return field.values.type === 'any' ? 'map' : `map to ${shapeOf(field.values)}`;
  if (field.ref !== undefined) return field.ref;
  if (field.enum !== undefined)
    return `enum ${field.enum.map((name, at) => `${name}=${field.numbers?.[at]}`).join(' ')}`;
  return [field.type, field.format].filter((part) => part !== undefined).join(' ');
}

function protoShapeOf({ is, scalar = '', message, enum: values }: ProtoField): string {
  const wire = SCALARS[scalar];
  const named = values === undefined ? message : `enum ${[...values].map(([name, at]) => `${name}=${at}`).join(' ')}`;
  const one =
    named ?? (wire === undefined ? (OPEN_TYPES[scalar] ?? scalar) : [wire.type, wire.format].join(' ').trim());
  return { one, list: `list of ${one}`, map: `map to ${one}` }[is];
}

/** What a table may say otherwise than the protocol buffers. */
const OTHERWISE: readonly (readonly [line: RegExp, why: string])[] = [
  [/^\w+Request\.(?:name|resource): string, ours nothing$/, 'the path has it'],
  [/^Policy\.auditConfigs: /, "the policy of a view has none in the vendor's document"],
  [/^TagKey\.purpose: /, 'the discovery document has DATA_GOVERNANCE too; that its number is 2 is inferred'],
];

describe('F4, F11: the table says what the protocol buffers say', () => {
  test.each(['logging/v2', 'tracing/v1', 'tracing/v2', 'tags/v3', 'quota/v1', 'quota/v1beta'])(
    '%s has their fields, types, formats and numbers',
    (key) => {
      const protos = readProtoMessages(key);
      const shared = Object.entries(schemasOf(key)).filter(([name]) => protos.has(name));
      const lines = shared.flatMap(([name, schema]) =>
        [...(protos.get(name) ?? [])].flatMap(([field, proto]) => {
          const ours = schema[field];
          const [theirs, own] = [protoShapeOf(proto), ours === undefined ? 'nothing' : shapeOf(ours)];
          return theirs === own ? [] : [`${name}.${field}: ${theirs}, ours ${own}`];
        }),
      );
      expect(shared.length).toBeGreaterThan(3);
      expect(lines.filter((line) => !OTHERWISE.some(([known]) => known.test(line)))).toEqual([]);
    },
  );
});

type Enum = { at: string; enum?: readonly string[]; numbers?: readonly number[] };

const enumsIn = (at: string, field: SchemaField): Enum[] =>
  [field, field.items ?? [], field.values ?? []]
    .flat()
    .flatMap((one) => (one.enum === undefined ? [] : [{ ...one, at }]));

const enums: readonly Enum[] = [
  ...keys.flatMap((key) =>
    Object.entries(schemasOf(key)).flatMap(([name, schema]) =>
      Object.entries(schema).flatMap(([field, each]) => enumsIn(`${key} ${name}.${field}`, each)),
    ),
  ),
  ...methods.flatMap((row) =>
    Object.entries(row.parameters).flatMap(([name, each]): Enum[] =>
      each.enum === undefined ? [] : [{ ...each, at: `${keyOf(row)} ${row.id}?${name}` }],
    ),
  ),
];

describe('F11: enums', () => {
  test('none is without numbers, but for those that nobody has published', () => {
    const lacking = enums.filter(({ numbers }) => numbers === undefined).map(({ at }) => at);
    expect(lacking.filter((at) => !unnumbered.some(([known]) => known.test(at)))).toEqual([]);
    expect(unnumbered.filter(([known]) => !lacking.some((at) => known.test(at)))).toEqual([]);
  });

  test('have one number for each name, and each number once', () => {
    const wrong = enums.filter(
      ({ enum: names = [], numbers }) =>
        numbers !== undefined && (numbers.length !== names.length || new Set(numbers).size !== numbers.length),
    );
    expect(wrong).toEqual([]);
  });

  test.each(keys)('every number of %s is taken for its name, and given where numbers are asked for', (key) => {
    const schemas = schemasOf(key);
    for (const [name, schema] of Object.entries(schemas)) {
      for (const [field, { type, items, ...each }] of Object.entries(schema)) {
        const { enum: names = [], numbers = [] } = items ?? each;
        const bodyOf = (values: readonly Json[]): JsonObject[] =>
          values.map((value) => ({ [field]: type === 'array' ? [value] : value }));
        const read = [...bodyOf(numbers), ...bodyOf(numbers.map(String))].map((body) => judgeBody(body, name, schemas));
        const named = numbers.length === 0 ? [] : [...bodyOf(names), ...bodyOf(names)];
        expect(read).toEqual(named);
        expect(bodyOf(names).map((body) => withIntEnums(body, name, schemas))).toEqual(
          numbers.length === 0 ? bodyOf(names) : bodyOf(numbers),
        );
      }
    }
  });

  test('no number is without a size', () => {
    const sizeless = keys.flatMap((key) =>
      Object.entries(schemasOf(key)).flatMap(([name, schema]) =>
        Object.entries(schema).flatMap(([field, each]) =>
          [each, each.items ?? [], each.values ?? []]
            .flat()
            .some(({ type, format }) => (type === 'number' || type === 'integer') && format === undefined)
            ? [`${key} ${name}.${field}`]
            : [],
        ),
      ),
    );
    expect(sizeless).toEqual([]);
  });
});
