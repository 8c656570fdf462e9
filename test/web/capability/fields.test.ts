import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { buildBodySchema } from '../../../src/capabilities/capability.ts';
import { catalog, findCapability } from '../../../src/capabilities/catalog.ts';
import { findTool } from '../../../src/capabilities/sold-tools.ts';
import { describeField } from '../../../src/web/capability/field-words.ts';
import { getValueKind, type LeafField, listOrderFields, listLeaves } from '../../../src/web/capability/fields.ts';

function requireNamed<T>(row: T | undefined): T {
  if (row === undefined) throw new TypeError('no such row');
  return row;
}

const leavesOf = (body: z.ZodObject): readonly LeafField[] => listLeaves(listOrderFields({ body }));

describe('fields of a schema', () => {
  test.each(catalog)('every member of $name has a field, and the needed ones are needed', ({ body }) => {
    const fields = listOrderFields({ body });
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(body.shape));
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(
      buildBodySchema({ body })['required'],
    );
  });

  test('have the kind and the bounds that the schema names', () => {
    const body = z.strictObject({
      link: z.url().max(80),
      name: z.string().max(20),
      story: z.string().max(2000),
      free: z.string(),
      size: z.enum(['s', 'l']).optional(),
      level: z.literal([1, 2]).optional(),
      count: z.int().min(2).max(5).optional(),
      share: z.number().optional(),
      agree: z.boolean(),
      extra: z.boolean().optional(),
      tags: z.array(z.string()).optional(),
      marks: z.array(z.number()).optional(),
      person: z.strictObject({ age: z.int(), email: z.string().nullable() }),
      parts: z
        .array(z.strictObject({ label: z.string() }))
        .min(2)
        .max(3),
      any: z.record(z.string(), z.number()).optional(),
      either: z.union([z.string(), z.number()]).optional(),
    });
    expect(leavesOf(body).map(({ name, kind }) => [name, kind])).toEqual([
      ['link', 'url'],
      ['name', 'text'],
      ['story', 'long_text'],
      ['free', 'text'],
      ['size', 'choice'],
      ['level', 'choice'],
      ['count', 'number'],
      ['share', 'number'],
      ['agree', 'flag'],
      ['extra', 'flag'],
      ['tags', 'lines'],
      ['marks', 'json'],
      ['person.age', 'number'],
      ['person.email', 'text'],
      ['parts.0.label', 'text'],
      ['parts.1.label', 'text'],
      ['parts.2.label', 'text'],
      ['any', 'json'],
      ['either', 'json'],
    ]);
    const byName = new Map(leavesOf(body).map((field) => [field.name, field]));
    expect(byName.get('count')).toMatchObject({ isWhole: true, min: 2, max: 5 });
    expect(byName.get('share')).toMatchObject({ isWhole: false, min: undefined, max: undefined });
    expect(byName.get('level')).toMatchObject({ options: ['1', '2'], isText: false });
    expect([...byName.values()].filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
      'link',
      'name',
      'story',
      'free',
      'agree',
      'person.age',
      'person.email',
      'parts.0.label',
      'parts.1.label',
    ]);
    expect(['agree', 'extra', 'level'].map((name) => getValueKind(byName.get(name) as LeafField))).toEqual([
      'answer',
      'flag',
      'json',
    ]);
  });

  test('weak spots are three groups of three fields, of which one topic is needed', () => {
    const row = findCapability('visibility_fix_pack');
    const leaves = row === undefined ? [] : leavesOf(row.body);
    expect(leaves.filter(({ name }) => name.startsWith('weak_spots.'))).toHaveLength(9);
    expect(leaves.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
      'brand',
      'niche',
      'weak_spots.0.topic',
    ]);
  });

  test('the address of a paid endpoint is asked for in words of its own', () => {
    const [seller] = listOrderFields(requireNamed(findTool('seller')));
    const [site] = listOrderFields(requireNamed(findCapability('full_audit')));
    if (seller === undefined || site === undefined) throw new TypeError('a row has no field');
    expect(seller.name).toBe('url');
    expect(describeField(seller, 'en').label).toBe('Address of the paid endpoint');
    expect(describeField(seller, 'de').help).toContain('sightline seller');
    expect(describeField(site, 'en').label).toBe('Address of the site');
  });

  test('a schema without end makes a form with one', () => {
    let nested: z.ZodType = z.string();
    for (let depth = 0; depth < 9; depth += 1) nested = z.strictObject({ in: nested });
    const leaves = leavesOf(z.strictObject({ nested, many: z.array(z.strictObject({ a: z.string() })).max(1000) }));
    expect(leaves[0]).toMatchObject({ name: 'nested.in.in.in', kind: 'json' });
    expect(leaves).toHaveLength(11);
  });
});
