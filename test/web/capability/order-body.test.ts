import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleBodies } from '../../../src/capabilities/bodies.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { soldTools } from '../../../src/capabilities/sold-tools.ts';
import {
  formatCapabilityLink,
  formatCapabilityPath,
  listCapabilityPaths,
} from '../../../src/web/capability/address.ts';
import { readOrderBody } from '../../../src/web/capability/faults.ts';
import { buildOrderBody, type FilledField } from '../../../src/web/capability/order-body.ts';

const field = (name: string, text: string, kind: FilledField['kind'] = 'text'): FilledField => ({ name, kind, text });
const bodyOf = (...filled: FilledField[]) => buildOrderBody(filled).body;

describe('the body of an order', () => {
  test('is typed, and empty fields are left out', () => {
    expect(
      bodyOf(
        field('url', ' example.com '),
        field('max_pages', '5', 'number'),
        field('profile', ' '),
        field('publish', 'true', 'flag'),
        field('other', '', 'flag'),
        field('agree', '', 'answer'),
        field('tags', ' a \n\n b', 'lines'),
        field('either', '[1]', 'json'),
      ),
    ).toEqual({ url: 'example.com', max_pages: 5, publish: true, agree: false, tags: ['a', 'b'], either: [1] });
  });

  test('keeps what is no such value, so that it is refused by name', () => {
    expect(bodyOf(field('a', 'many', 'number'), field('b', '{', 'json'))).toEqual({ a: 'many', b: '{' });
  });

  test('has lists without gaps, and knows the field of each place', () => {
    const { body, fields } = buildOrderBody([
      field('spots.0.topic', ''),
      field('spots.1.topic', 'b'),
      field('spots.1.who', 'x'),
      field('spots.2.topic', 'c'),
      field('in.deep.er', 'd'),
    ]);
    expect(body).toEqual({ spots: [{ topic: 'b', who: 'x' }, { topic: 'c' }], in: { deep: { er: 'd' } } });
    expect([fields.get('spots.0.topic'), fields.get('spots.1'), fields.get('in.deep.er')]).toEqual([
      'spots.1.topic',
      'spots.2',
      'in.deep.er',
    ]);
  });

  test('no text changes what else is ordered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const body = bodyOf(field('a', text), field('b.0.c', text), field('z', 'z'));
        expect(body['z']).toBe('z');
        expect(text.trim() === '' ? 'a' in body : body['a'] !== text.trim()).toBe(false);
      }),
    );
  });
});

describe('addresses', () => {
  test('each row has one of its own', () => {
    const paths = listCapabilityPaths();
    expect(new Set(paths).size).toBe(catalog.length + panels.length + soldTools.length);
    expect(paths).toEqual([
      '/check/health',
      '/check/llms-txt',
      '/check/schema',
      '/check/agent-files',
      '/check/mcp',
      '/score/aeo',
      '/score/geo',
      '/score/agent',
      '/score/mcp',
      '/audit',
      '/generate/llms-txt',
      '/generate/mcp-json',
      '/fix',
      '/generate/skill',
      '/compare',
      '/report',
      '/visibility',
      '/visibility/compare',
      '/visibility/fix',
      '/visibility/panel-2',
      '/visibility/panel-4',
    ]);
    expect(formatCapabilityPath('visibility_of_tomorrow')).toBe('/visibility-of-tomorrow');
  });

  test.each(catalog)('a link to $name fills in the body that it was made of', (row) => {
    const body = {
      ...exampleBodies[row.name],
      ...('publish' in row.body.shape ? { publish: true, max_pages: 3 } : {}),
    };
    const query = new URL(formatCapabilityLink(row.name, body), 'https://sightline.test').searchParams;
    expect(readOrderBody(row, (name) => query.get(name) ?? undefined).body).toEqual(body);
  });

  test('names members of a list by number', () => {
    expect(formatCapabilityLink('visibility_fix_pack', { brand: 'A&B', weak_spots: [{ topic: 'x y' }] })).toBe(
      '/visibility/fix?brand=A%26B&weak_spots.0.topic=x+y',
    );
  });
});
