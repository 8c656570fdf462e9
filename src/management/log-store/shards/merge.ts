/** One of several sorted lists that are read as one, page by page. `A` says where a list goes on. */
export type MergeLane<T, A> = {
  /** Places of a list that nothing comes before: asked for only when its turn may have come. Undefined: asked at once. */
  edge?: A | undefined;
  /** Goes on behind this. */
  after?: A | undefined;
  /** So many, or fewer; with `next` there may be more behind it. */
  ask: (after: A | undefined, limit: number) => Promise<{ items: readonly T[]; next?: A }>;
};

export type MergeRules<T, A> = {
  /** The order of the list, which places have as well. */
  compare: (a: A, b: A) => number;
  placeOf: (item: T) => A;
  limit: number;
  /**
   * Questions that one page may ask of all lists together; what is behind them is on the next page. Lists that may all have
   * the next item are each asked once however many they are: a page that ended before would end at the same place again.
   */
  maxAsks: number;
  /** Characters of an item, and what a page may have of them. */
  charsOf: (item: T) => number;
  maxChars: number;
  /** The lists have much the same: each is asked for a whole page. */
  isAlike?: true;
};

/**
 * A page of all lists. `stopped`: it ended before this place, or at its last item where that is none: lanes say in
 * `stops` where each stopped, as far as they were asked and have more.
 */
export type MergedPage<T, A> = {
  items: T[];
  end: { kind: 'all' } | { kind: 'full' } | { kind: 'stopped'; stops: readonly LaneStop<A>[] };
};
/** `isBehind`: the list goes on behind the place; otherwise its first item may be at it. */
export type LaneStop<A> = { lane: number; place: A; isBehind: boolean };

/** Lists that are asked at the same time, at first and at most. */
const FIRST_AT_ONCE = 8;
const MOST_AT_ONCE = 32;
/** Items asked for beyond an even share: lists are seldom even. */
const SPARE = 8;

type Reader<T, A> = {
  index: number;
  lane: MergeLane<T, A>;
  items: readonly T[];
  at: number;
  /** Where it goes on; undefined at first where it may have anything, and when it has no more. */
  place: A | undefined;
  isBehind: boolean;
  isOver: boolean;
};

/** Merges sorted lists, each asked only for what may come next. Items of one place are shown once: of the first list. */
export async function mergeLanes<T, A>(
  lanes: readonly MergeLane<T, A>[],
  rules: MergeRules<T, A>,
): Promise<MergedPage<T, A>> {
  const readers = lanes.map((lane, index) => openReader(lane, index, rules));
  const nearest = findNearestPlace(readers, rules);
  const items: T[] = [];
  let [asks, chars, atOnce] = [0, 0, FIRST_AT_ONCE];
  let last: A | undefined;
  for (;;) {
    const head = findHead(readers, rules);
    const isMore =
      head !== undefined && (last === undefined || rules.compare(last, rules.placeOf(getFirst(head))) !== 0);
    if (items.length >= rules.limit && isMore) return { items, end: { kind: 'full' } };
    const waiting = listBlocking(readers, head && rules.placeOf(getFirst(head)), rules);
    if (waiting.length > 0) {
      const turn = waiting.slice(0, atOnce);
      const isDue = turn.some(({ place, isBehind }) => !isBehind && isSamePlace(place, nearest, rules));
      if (!isDue && asks + turn.length > rules.maxAsks)
        return { items, end: { kind: 'stopped', stops: listStops(readers) } };
      asks += turn.length;
      const beside = readers.filter((reader) => reader.isBehind && !reader.isOver && !turn.includes(reader)).length;
      const left = rules.limit - items.length;
      const share = rules.isAlike === true ? left + 1 : computeShare(left, turn.length + beside);
      await Promise.all(turn.map((reader) => readMore(reader, share)));
      atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
      continue;
    }
    if (head === undefined) return { items, end: { kind: 'all' } };
    const item = getFirst(head);
    const more = isMore ? rules.charsOf(item) : 0;
    if (items.length > 0 && chars + more > rules.maxChars) return { items, end: { kind: 'full' } };
    head.at += 1;
    if (!isMore) continue; // It was shown.
    items.push(item);
    chars += more;
    last = rules.placeOf(item);
  }
}

const openReader = <T, A>(lane: MergeLane<T, A>, index: number, { compare }: MergeRules<T, A>): Reader<T, A> => {
  const { edge, after } = lane;
  const place = edge !== undefined && after !== undefined && compare(edge, after) < 0 ? after : edge;
  return { index, lane, items: [], at: 0, place, isBehind: false, isOver: false };
};

/** Where the page begins; undefined where a list may have anything. */
function findNearestPlace<T, A>(readers: readonly Reader<T, A>[], { compare }: MergeRules<T, A>): A | undefined {
  const places = readers.map(({ place }) => place);
  return places.reduce(
    (a, b) => (a === undefined || b === undefined ? undefined : compare(b, a) < 0 ? b : a),
    places[0],
  );
}

const isSamePlace = <T, A>(a: A | undefined, b: A | undefined, { compare }: MergeRules<T, A>): boolean =>
  a === undefined || b === undefined ? a === b : compare(a, b) === 0;

const getFirst = <T, A>({ items, at }: Reader<T, A>): T => items[at] as T; // Only of readers that have one.

function findHead<T, A>(readers: readonly Reader<T, A>[], { compare, placeOf }: MergeRules<T, A>) {
  let head: Reader<T, A> | undefined;
  for (const reader of readers) {
    if (reader.at >= reader.items.length) continue;
    if (head === undefined || compare(placeOf(getFirst(reader)), placeOf(getFirst(head))) < 0) head = reader;
  }
  return head;
}

/** Lists that may have something before the head, the nearest first. */
function listBlocking<T, A>(
  readers: readonly Reader<T, A>[],
  head: A | undefined,
  { compare }: MergeRules<T, A>,
): readonly Reader<T, A>[] {
  const empty = readers.filter(({ isOver, items, at }) => !isOver && at >= items.length);
  const mayComeFirst = ({ place, isBehind }: Reader<T, A>): boolean => {
    if (head === undefined || place === undefined) return true;
    const order = compare(place, head);
    return isBehind ? order < 0 : order <= 0;
  };
  const byPlace = (a: Reader<T, A>, b: Reader<T, A>): number => {
    if (a.place === undefined || b.place === undefined)
      return Number(b.place === undefined) - Number(a.place === undefined);
    // What was not asked may have an item at its place.
    return compare(a.place, b.place) || Number(a.isBehind) - Number(b.isBehind);
  };
  return empty.filter(mayComeFirst).toSorted(byPlace);
}

const computeShare = (left: number, lists: number): number =>
  Math.min(left + 1, Math.ceil(left / Math.max(1, lists)) + SPARE);

async function readMore<T, A>(reader: Reader<T, A>, limit: number): Promise<void> {
  const after = reader.isBehind ? reader.place : reader.lane.after;
  const { items, next } = await reader.lane.ask(after, limit);
  reader.items = items;
  reader.at = 0;
  reader.place = next;
  reader.isBehind = true;
  reader.isOver = next === undefined;
}

const listStops = <T, A>(readers: readonly Reader<T, A>[]): readonly LaneStop<A>[] =>
  readers.flatMap(({ index, place, isBehind, isOver, items, at }) =>
    isOver || at < items.length || place === undefined ? [] : [{ lane: index, place, isBehind }],
  );
