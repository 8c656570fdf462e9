import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFields } from '../../../../src/lib/member-mask.ts';
import {
  selectAnswerMembers,
  readAnswerMask,
  judgeFields,
  parseFields,
} from '../../../../src/management/core/conventions/fields.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';
import { HOSTILE, rowOf, schemas, told } from './table.ts';

const select = (text: string, body: JsonObject): JsonObject | string => {
  const mask = parseFields(text);
  return mask.ok ? applyFields(mask.value, body) : String(told(mask));
};
const judge = (text: string, schema = 'Users'): string => {
  const mask = parseFields(text);
  const judged = mask.ok ? judgeFields(mask.value, schema, schemas) : mask;
  return judged.ok ? 'right' : judged.refusal.message;
};

const body = {
  kind: 'k',
  a: { b: 1, c: { d: 2, e: 3 } },
  items: [
    { title: 't1', by: { name: 'n1', age: 1 } },
    { title: 't2', by: { name: 'n2', age: 2 } },
  ],
};

describe('a selection of fields', () => {
  test.each([
    ['kind', { kind: 'k' }],
    ['kind,a/b', { kind: 'k', a: { b: 1 } }],
    ['a/c/d', { a: { c: { d: 2 } } }],
    ['a(b,c(d))', { a: { b: 1, c: { d: 2 } } }],
    ['a(b,c/e)', { a: { b: 1, c: { e: 3 } } }],
    ['a/c(d,e)', { a: { c: { d: 2, e: 3 } } }],
    ['items/title', { items: [{ title: 't1' }, { title: 't2' }] }],
    [
      'items(title,by/name)',
      {
        items: [
          { title: 't1', by: { name: 'n1' } },
          { title: 't2', by: { name: 'n2' } },
        ],
      },
    ],
    ['items/by(age)', { items: [{ by: { age: 1 } }, { by: { age: 2 } }] }],
    ['*', body],
    ['a/*', { a: body.a }],
    ['*/c/d', { a: { c: { d: 2 } }, items: [{}, {}] }],
    ['a/*/d', { a: { c: { d: 2 } } }],
    ['*/title,kind', { kind: 'k', a: {}, items: [{ title: 't1' }, { title: 't2' }] }],
    ['a,a/b', { a: body.a }],
    ['a/b,a/c/d', { a: { b: 1, c: { d: 2 } } }],
    ['a.c.d', { a: { c: { d: 2 } } }],
    [' kind , a ( b , c / d ) ', { kind: 'k', a: { b: 1, c: { d: 2 } } }],
    ['nothing', {}],
    ['a/nothing', { a: {} }],
    ['kind/deeper', {}],
  ])('%s', (text, part) => expect(select(text, body)).toEqual(part));

  test('leaves the body that it selects from as it was', () => {
    const before = structuredClone(body);
    select('a/c/d,items/title', body);
    expect(body).toEqual(before);
  });

  test('keeps items in order, and items of which nothing is selected', () => {
    expect(select('l/x', { l: [{ x: 1 }, { y: 2 }, { x: 3 }] })).toEqual({ l: [{ x: 1 }, {}, { x: 3 }] });
    expect(select('l/x', { l: [1, 'two', null, [{ x: 3, y: 4 }]] })).toEqual({ l: [[{ x: 3 }]] });
  });

  test.each([',', 'a,', ',a', 'a,,b', '(', ')', 'a(', 'a()', 'a(b', 'a)b', 'a(b))', '/', '/a', 'a/', 'a//b'])(
    '%j is no selection',
    (text) =>
      expect(select(text, body)).toBe(`400 INVALID_ARGUMENT invalidParameter @fields: Invalid field selection ${text}`),
  );
  test.each(['a b', 'a(b)c', '(a)', 'a(b)/c', 'a((b))', 'a/(b)'])('%j is no selection', (text) =>
    expect(select(text, body)).toContain('400 INVALID_ARGUMENT invalidParameter @fields: Invalid field selection '),
  );

  test('K9: has at most 100 paths', () => {
    const names = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}`).join(',');
    expect(parseFields(names(100)).ok).toBe(true);
    expect(parseFields(names(101)).ok).toBe(false);
    expect(parseFields(`a(${names(101)})`).ok).toBe(false);
  });

  test('K9: is at most 10 deep, by slashes and by brackets', () => {
    const deep = (depth: number): string => Array.from({ length: depth }, () => 'a').join('/');
    expect(parseFields(deep(10)).ok).toBe(true);
    expect(parseFields(deep(11)).ok).toBe(false);
    expect(parseFields(`${'a('.repeat(10)}a${')'.repeat(10)}`).ok).toBe(false);
    expect(parseFields('('.repeat(10_000)).ok).toBe(false);
    expect(parseFields('a/'.repeat(9_999)).ok).toBe(false);
  });

  test('K9: a text of over 20,000 characters is refused, and not shown whole', () => {
    const outcome = parseFields('x'.repeat(20_001));
    expect(outcome.ok).toBe(false);
    expect(outcome.ok || outcome.refusal.message.length).toBeLessThan(200);
  });

  test.each(HOSTILE)('of %j neither throws nor reaches prototypes', (text) => {
    const part = select(text, JSON.parse('{"__proto__": {"x": 1}, "a": 1}'));
    expect(typeof part === 'string' || Object.getPrototypeOf(part) === Object.prototype).toBe(true);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('a selection is judged by the schema of the answer', () => {
  test.each([
    'users',
    'users/primaryEmail',
    'users(id,name/givenName),nextPageToken',
    'kind,etag,nextPageToken,users(kind,etag)',
    '*',
    '*/id',
    'users/*/city',
    'users/addresses/geo/lat',
    'users/labels/anything',
    'users/lines/any-key/state',
    'users/lines/*/state',
    'users/emails/whatever/below',
    'users/manager/manager/manager/name',
    'users/primary_email',
    'users/delivery_settings',
  ])('%s is right', (text) => expect(judge(text)).toBe('right'));

  test.each([
    ['bogus', 'bogus'],
    ['users/bogus', 'bogus'],
    ['users(id,bogus)', 'bogus'],
    ['*/bogus', 'bogus'],
    ['users/*/bogus', 'right'],
    ['users/name/bogus', 'bogus'],
    ['users/primaryEmail/x', 'x'],
    ['users/lines/any/bogus', 'bogus'],
    ['users/labels/any/deeper', 'deeper'],
    ['users/aliases/x', 'x'],
    ['kind/x', 'x'],
    ['items/title', 'items'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['users/toString', 'toString'],
  ])('%s: %s', (text, name) =>
    // Anything may stand in `emails`, so any name below `users/*` can be there.
    expect(judge(text)).toBe(name === 'right' ? 'right' : `Invalid field selection ${name}`),
  );

  test('comes out with the names of the schema', () => {
    const parsed = parseFields('users(primary_email,name.given_name)');
    const judged = parsed.ok ? judgeFields(parsed.value, 'Users', schemas) : parsed;
    const user = { primaryEmail: 'a@example.com', name: { givenName: 'A', familyName: 'B' } };
    expect(judged.ok && applyFields(judged.value, { users: [user] })).toEqual({
      users: [{ primaryEmail: 'a@example.com', name: { givenName: 'A' } }],
    });
  });

  test('K9: ten wildcards over a schema that holds itself many times are judged once for each schema', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`f${index}`, { type: 'object' as const, ref: 'Self' }]),
    );
    const parsed = parseFields('*/*/*/*/*/*/*/*/*/bogus');
    const judged = parsed.ok ? judgeFields(parsed.value, 'Self', { Self: many }) : parsed;
    expect(told(judged)).toBe('400 INVALID_ARGUMENT invalidParameter @fields: Invalid field selection bogus');
  });
});

describe('the selection of a call', () => {
  const required = rowOf({ fields: { required: true } });
  const preset = rowOf({ fields: { default: 'users(id)' } });
  const shown = (outcome: ReturnType<typeof readAnswerMask>): unknown =>
    outcome.ok && outcome.value !== undefined
      ? applyFields(outcome.value, { users: [{ id: '1', primaryEmail: 'a@example.com' }] })
      : told(outcome);

  test('is everything where neither the call nor the row says more', () => {
    expect(shown(readAnswerMask(rowOf(), undefined, schemas))).toBeUndefined();
    expect(shown(readAnswerMask(rowOf(), ' ', schemas))).toBeUndefined();
  });

  test("is the row's default where the call names none", () => {
    expect(shown(readAnswerMask(preset, undefined, schemas))).toEqual({ users: [{ id: '1' }] });
    expect(shown(readAnswerMask(preset, '*', schemas))).toEqual({
      users: [{ id: '1', primaryEmail: 'a@example.com' }],
    });
  });

  test('must be given where the row says so', () => {
    const text = "400 INVALID_ARGUMENT required @fields: The 'fields' parameter is required for this method.";
    expect(shown(readAnswerMask(required, undefined, schemas))).toBe(text);
    expect(shown(readAnswerMask(required, '', schemas))).toBe(text);
    expect(shown(readAnswerMask(required, 'users/id', schemas))).toEqual({ users: [{ id: '1' }] });
  });

  test('is judged in its form only where a method answers nothing', () => {
    const { response: _none, ...silent } = rowOf();
    expect(readAnswerMask(silent, 'a/b', schemas).ok).toBe(true);
    expect(readAnswerMask(silent, 'a/', schemas).ok).toBe(false);
  });
});

describe('for any body and selection', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const bodies: fc.Arbitrary<JsonObject> = fc.letrec<{ object: JsonObject; value: Json }>((tie) => ({
    object: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    value: fc.oneof({ depthSize: 'small' }, fc.integer(), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  })).object;
  const paths = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', '*'), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  });

  /** Whether one path, of those given, leads to this place or above or below it: the plainest reading of the grammar. */
  const naive = (value: Json, wanted: readonly (readonly string[])[]): Json | undefined => {
    if (wanted.some((path) => path.length === 0)) return value;
    if (Array.isArray(value)) return value.map((item) => naive(item, wanted)).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return undefined;
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const inner = wanted.filter(([first]) => first === key || first === '*').map((path) => path.slice(1));
      const part = inner.length === 0 ? undefined : naive(member, inner);
      if (part !== undefined) result[key] = part;
    }
    return result;
  };

  test('what is shown is what the naive reading shows', () => {
    fc.assert(
      fc.property(bodies, paths, (sent, wanted) => {
        expect(select(wanted.map((path) => path.join('/')).join(','), sent)).toEqual(naive(sent, wanted));
      }),
    );
  });

  test('brackets mean what the same paths with slashes mean', () => {
    fc.assert(
      fc.property(bodies, name, paths, (sent, outer, wanted) => {
        const inner = wanted.map((path) => path.join('/'));
        const slashes = inner.map((path) => `${outer}/${path}`).join(',');
        expect(select(`${outer}(${inner.join(',')})`, sent)).toEqual(select(slashes, sent));
      }),
    );
  });

  test('any text is a selection or is refused, never a bug', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '*', '/', '(', ')', ',', ' ', '.') }));
    fc.assert(
      fc.property(texts, (text) => {
        const outcome = parseFields(text);
        expect(outcome.ok || outcome.refusal.status).toBe(outcome.ok ? true : 400);
      }),
    );
  });
});

describe('the outer two levels of a selection', () => {
  test.each([
    ['users', { users: true }],
    ['users(id,name/givenName),nextPageToken', { users: ['id', 'name'], nextPageToken: true }],
    ['users/id,users/name', { users: ['id', 'name'] }],
    ['users(id,*)', { users: true }],
    ['*', undefined],
    ['users(id),*', undefined],
  ])('of %s are %j', (text, members) => {
    const mask = parseFields(text);
    expect(mask.ok && selectAnswerMembers(mask.value)).toEqual(members);
  });
});
