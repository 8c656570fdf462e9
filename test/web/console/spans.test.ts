import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DRAWN, SCALE, type SpanSeen, layOutWaterfall } from '../../../src/web/console/spans.ts';

const span = (id: string, parentId: string | undefined, offsetMs: number, durationMs = 10): SpanSeen => ({
  id,
  parentId,
  name: `span ${id}`,
  kind: '',
  offsetMs,
  durationMs,
  isFailed: false,
  attributes: [],
});

/** Of few ids, so that parents are missing, repeat and make circles. */
const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const spans = fc.array(
  fc
    .record({
      id: ids,
      parentId: fc.option(ids, { nil: undefined }),
      offsetMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      durationMs: fc.double({ min: -5, max: 1e6, noNaN: true }),
    })
    .map(({ id, parentId, offsetMs, durationMs }) => span(id, parentId, offsetMs, durationMs)),
  { maxLength: 40 },
);
const idsOf = (given: readonly SpanSeen[]) => layOutWaterfall(given).rows.map((row) => `${row.depth}${row.span.id}`);

describe('a waterfall', () => {
  test('has spans below their parents, siblings by their start, each bar where it belongs', () => {
    const given = [
      span('late', 'root', 60, 40),
      span('leaf', 'early', 20, 10),
      span('early', 'root', 10, 50),
      span('root', undefined, 0, 100),
    ];
    const { rows, totalMs, leftOut } = layOutWaterfall(given);
    expect(rows.map((row) => [row.span.id, row.depth, row.parent, row.x, row.width])).toEqual([
      ['root', 0, 'none', 0, 1_000],
      ['early', 1, 'drawn', 100, 500],
      ['leaf', 2, 'drawn', 200, 100],
      ['late', 1, 'drawn', 600, 400],
    ]);
    expect([totalMs, leftOut]).toEqual([100, 0]);
  });

  test('says which spans have lost their parents', () => {
    const { rows } = layOutWaterfall([span('a', 'nobody', 5), span('b', 'a', 6), span('c', undefined, 0)]);
    expect(rows.map((row) => [row.span.id, row.depth, row.parent])).toEqual([
      ['c', 0, 'none'],
      ['a', 0, 'missing'],
      ['b', 1, 'drawn'],
    ]);
  });

  test.each([
    ['its own parent', [span('a', 'a', 0)], ['0a']],
    ['two of each other', [span('b', 'a', 1), span('a', 'b', 0), span('c', 'b', 2)], ['0a', '1b', '2c']],
  ])('of spans that are %s ends, with each of them once', (_name, given, expected) => {
    expect(idsOf(given)).toEqual(expected);
    expect(layOutWaterfall(given).rows[0]?.parent).toBe('cycle');
  });

  test('of no spans, and of one that takes no time, is drawn too', () => {
    expect(layOutWaterfall([])).toEqual({ rows: [], leftOut: 0, totalMs: 0 });
    expect(layOutWaterfall([span('a', undefined, 0, 0)]).rows).toMatchObject([{ x: 0, width: SCALE }]);
  });

  test('of more spans than are drawn says how many it leaves out, and goes as deep as they do', () => {
    const chain = Array.from({ length: 1_000 }, (_, at) => span(`s${at}`, at === 0 ? undefined : `s${at - 1}`, at));
    const { rows, leftOut, totalMs } = layOutWaterfall(chain);
    expect([rows.length, leftOut, rows.at(-1)?.depth, totalMs]).toEqual([
      MAX_DRAWN,
      1_000 - MAX_DRAWN,
      MAX_DRAWN - 1,
      1_009,
    ]);
  });

  test('has every span once, inside its bounds, whatever its parents are', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { rows, leftOut } = layOutWaterfall(given);
        expect(leftOut).toBe(0);
        expect(new Set(rows.map((row) => row.span))).toEqual(new Set(given));
        expect(rows).toHaveLength(given.length);
        for (const { x, width, depth } of rows) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(width).toBeGreaterThan(0);
          expect(x + width).toBeLessThanOrEqual(SCALE);
          expect(depth).toBeLessThan(given.length);
        }
      }),
    );
  });

  test('is the same for the same spans, in whatever order they come', () => {
    const distinct = spans.map((given) =>
      given.map((each, at) => ({ ...each, id: `${each.id}${at % 3}`, name: `n${at}` })),
    );
    const shuffled = distinct.chain((given) =>
      fc.shuffledSubarray(given, { minLength: given.length }).map((other) => [given, other] as const),
    );
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        expect(layOutWaterfall(other)).toEqual(layOutWaterfall(given));
      }),
    );
  });
});
