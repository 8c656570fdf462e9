import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ModelReader } from '../../scripts/client-python/model-classes.ts';
import { formatPythonModels } from '../../scripts/client-python/python-models.ts';
import { makePythonModels } from '../../scripts/client-python/generate.ts';

const MODELS = new URL('../../src/client-python/sightline/models.py', import.meta.url);
const text = { type: 'string' } as const;

test('the models of the Python client are those of the OpenAPI document (node scripts/client-python/generate.ts)', () => {
  expect(readFileSync(MODELS, 'utf8')).toBe(makePythonModels());
});

function makeModels(schemas: Readonly<Record<string, object>>, names: Readonly<Record<string, string>> = {}): string {
  const reader = new ModelReader(schemas as never, { names, optional: ['payment'] });
  for (const name of Object.keys(schemas)) reader.readNamed(name);
  return formatPythonModels(reader.list(), { row: 'A' });
}

test('a class is written after those that it refers to, and what is always there comes first', () => {
  const made = makeModels({
    A: {
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'integer' }, b: { $ref: '#/components/schemas/B' } },
    },
    B: { type: 'object', required: ['c'], properties: { c: text } },
  });
  expect(made.indexOf('class B(Model):')).toBeLessThan(made.indexOf('class A(Model):'));
  expect(made).toContain('class A(Model):\n    b: B\n    a: Optional[int] = None\n');
  expect(made).toContain('RESULTS: Dict[str, Type[Model]] = {\n    "row": A,\n}');
});

test.each([
  ['an enumeration is a text, which may have other values later', { enum: ['a', 'b'] }, 'str'],
  ['a number is a float', { type: 'number' }, 'float'],
  [
    'what may be null is optional, and has to be there',
    { anyOf: [text, { type: 'null' }] },
    'Optional[str] = Field(...)',
  ],
  ['a list of types with null is the same', { type: ['string', 'null'] }, 'Optional[str] = Field(...)'],
  ['a map has values', { type: 'object', additionalProperties: { type: 'integer' } }, 'Dict[str, int]'],
  ['a list has items', { type: 'array', items: text }, 'List[str]'],
  ['texts and numbers in one place are anything', { anyOf: [text, { type: 'integer' }] }, 'Any = Field(...)'],
])('%s', (_what, schema, type) => {
  const made = makeModels({ A: { type: 'object', required: ['x'], properties: { x: schema } } });
  expect(made).toContain(`class A(Model):\n    x: ${type}\n`);
});

test('of several objects in one place all members are read, and those are required that all have', () => {
  const one = { type: 'object', required: ['kind', 'a'], properties: { kind: { const: 'one' }, a: text } };
  const two = { type: 'object', required: ['kind'], properties: { kind: { const: 'two' }, b: text } };
  const made = makeModels({ A: { type: 'object', required: ['x'], properties: { x: { oneOf: [one, two] } } } });
  expect(made).toContain('class AX(Model):\n    kind: str\n    a: Optional[str] = None\n    b: Optional[str] = None\n');
});

test('an object without a name gets one by its place or by choice, once', () => {
  const point = { type: 'object', required: ['at'], properties: { at: { type: 'integer' } } };
  const schema = { A: { type: 'object', required: ['first', 'second'], properties: { first: point, second: point } } };
  expect(makeModels(schema)).toContain('class A(Model):\n    first: AFirst\n    second: AFirst\n');
  expect(makeModels(schema, { AFirst: 'Point' })).toContain('class A(Model):\n    first: Point\n    second: Point\n');
});

test('names that Python or pydantic need are written with a line below, and read by their own', () => {
  const made = makeModels({ A: { type: 'object', required: ['schema'], properties: { schema: text, pass: text } } });
  expect(made).toContain(
    '    schema_: str = Field(..., alias="schema")\n    pass_: Optional[str] = Field(None, alias="pass")\n',
  );
});

test('a result is read without its payment, as it is stored', () => {
  const made = makeModels({ A: { type: 'object', required: ['payment'], properties: { payment: text } } });
  expect(made).toContain('    payment: Optional[str] = None\n');
});

test('a schema that contains itself, or that is not there, does no harm', () => {
  const made = makeModels({
    A: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/A' } } } },
  });
  expect(made).toContain('children: Optional[List[Dict[str, Any]]] = None');
  expect(() => makeModels({ A: { $ref: '#/components/schemas/B' } })).toThrow('the document has no schema B');
});
