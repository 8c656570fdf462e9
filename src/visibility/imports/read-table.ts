import { readCount, readDay, readRange, readShare } from './cells.ts';
import { readRows } from './csv-rows.ts';
import { AI_CHANNEL, type ColumnMeaning } from './formats-data.ts';
import type { ImportedFile } from './first-party.ts';
import type { UnreadColumn } from './import-note.ts';
import { computePageKey } from './page-key.ts';
import type { RecognisedTable } from './recognise.ts';
import { ImportStopped, quoteCell } from './refusal.ts';

/** What a row counts under a name. */
export type Counted = { count: number; share: number | null };

/** A table as it was read: counts by what each row is about. */
export type ReadTable = RecognisedTable & {
  counted: ReadonlyMap<string, Counted>;
  /** What its filters say, of a table of filters. */
  filters: readonly { name: string; value: string }[];
  range: { from: string; to: string } | undefined;
  /** Landing pages of a table of channels. */
  landing: ReadonlyMap<string, Counted> | undefined;
  notRead: readonly UnreadColumn[];
  file: ImportedFile;
};

export type ReadAt = {
  name: string;
  nowMs: number;
  maxRows: number;
  /** The site that paths without a host belong to. */
  site: string | undefined;
};

/** Between cells: no text that is read has it. */
const CELL_END = '\0';
/** Channels that a refusal lists. */
const LISTED_CHANNELS = 20;

/** Reads every row of a table. @throws ImportStopped at the first that cannot be read: nothing of the file is kept then */
export function readTable(text: string, found: RecognisedTable, at: ReadAt): ReadTable {
  const { table, header, delimiter, places } = found;
  const state: State = {
    ...found,
    at,
    counted: new Map(),
    seen: new Map(),
    landing: new Map(),
    filters: [],
    channels: new Set(),
    repeated: 0,
    hasBareShare: false,
  };
  const rows = readRows(text, { delimiter, width: header.length, maxRows: at.maxRows }, ({ cells, row }) =>
    takeRow(state, cells, row),
  );
  if (table.table === 'channels' && !state.channels.has(AI_CHANNEL) && rows > 0)
    throw new ImportStopped('no_ai_channel', `No row is of the channel ${quoteCell(AI_CHANNEL)}.`, [
      `Found channels: ${[...state.channels].slice(0, LISTED_CHANNELS).map(quoteCell).join(', ')}.`,
    ]);
  const readPlaces = new Set(places.values());
  const unread = header
    .filter((_cell, place) => !readPlaces.has(place))
    .map((column): UnreadColumn => ({ table: table.table, column, reason: 'unknown_column' }));
  const bare = state.hasBareShare ? [header[places.get('share') ?? -1] ?? ''] : [];
  return {
    ...found,
    counted: state.counted,
    filters: state.filters,
    range: state.filters.map(({ value }) => readRange(value, at.nowMs)).find((range) => range !== undefined),
    landing: places.has('page') && table.table === 'channels' ? state.landing : undefined,
    notRead: [
      ...unread,
      ...bare.map((column): UnreadColumn => ({ table: table.table, column, reason: 'no_percent_sign' })),
    ],
    file: { name: at.name, table: table.table, rows, repeated: state.repeated },
  };
}

type State = RecognisedTable & {
  at: ReadAt;
  counted: Map<string, Counted>;
  /** The raw cells of the row that a raw name was first seen in. */
  seen: Map<string, { cells: string; row: number }>;
  landing: Map<string, Counted>;
  filters: { name: string; value: string }[];
  channels: Set<string>;
  repeated: number;
  hasBareShare: boolean;
};

const NAMES = [
  'page',
  'query',
  'day',
  'country',
  'device',
  'filter',
  'channel',
] as const satisfies readonly ColumnMeaning[];

function takeRow(state: State, cells: readonly string[], row: number): void {
  const { places, table } = state;
  const cell = (meaning: ColumnMeaning): string => cells[places.get(meaning) ?? -1]?.trim() ?? '';
  const raw = NAMES.map((meaning) => (places.has(meaning) ? cell(meaning) : '')).join(CELL_END);
  const whole = cells.join(CELL_END);
  const before = state.seen.get(raw);
  if (before !== undefined) {
    if (before.cells !== whole)
      throw new ImportStopped(
        'conflicting_rows',
        `Rows ${before.row} and ${row} are both of ${quoteCell(
          raw
            .split(CELL_END)
            .filter((name) => name !== '')
            .join(', '),
        )}, with different values.`,
        ['Export the report with that one dimension alone.'],
      );
    state.repeated += 1;
    return;
  }
  state.seen.set(raw, { cells: whole, row });
  if (table.table === 'filters') {
    state.filters.push({ name: cell('filter'), value: cell('value') });
    return;
  }
  const counted = { count: readCount(cell('count'), row), share: takeShare(state, cell('share'), row) };
  if (table.table === 'channels') takeChannel(state, { channel: cell('channel'), landing: cell('page'), counted });
  else add(state.counted, buildRowName(state, cell, row), counted);
}

function takeShare(state: State, cell: string, row: number): number | null {
  if (!state.places.has('share')) return null;
  const share = readShare(cell, row);
  if (share === undefined) state.hasBareShare = true;
  return share ?? null;
}

function takeChannel(
  state: State,
  { channel, landing, counted }: { channel: string; landing: string; counted: Counted },
): void {
  state.channels.add(channel);
  if (channel !== AI_CHANNEL) return;
  add(state.counted, channel, counted);
  if (landing.startsWith('/')) add(state.landing, resolvePath(landing, state.at.site), counted);
}

/** A landing page has no host: it is of the site that the reader of the export names. */
function resolvePath(path: string, site: string | undefined): string {
  return (site === undefined ? undefined : computePageKey(`https://${site}${path}`)) ?? path;
}

function buildRowName({ table, at }: State, cell: (meaning: ColumnMeaning) => string, row: number): string {
  switch (table.table) {
    case 'pages': {
      const key = computePageKey(cell('page'));
      if (key === undefined)
        throw new ImportStopped('wrong_url', `Row ${row}: ${quoteCell(cell('page'))} is no address of a public page.`);
      return key;
    }
    case 'days':
      return readDay(cell('day'), `Row ${row}`, at.nowMs);
    case 'queries':
      return cell('query');
    case 'countries':
      return cell('country');
    default:
      return cell('device');
  }
}

/** Two spellings of one page are one: their counts add up, and their shares too, as shares of the same whole. */
function add(to: Map<string, Counted>, name: string, { count, share }: Counted): void {
  const before = to.get(name);
  if (before === undefined) to.set(name, { count, share });
  else to.set(name, { count: before.count + count, share: addShares(before.share, share) });
}

const addShares = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.min(1, one + other);
