import type { Draw } from './draw.ts';
import type { LineWriter } from './lines.ts';

/** What stands behind a key: the source text of a scalar, a mapping, or a sequence. */
export type Value = string | readonly Entry[] | { items: readonly (string | readonly Entry[])[] };
/** `isGone`: a migration removes it. `to`: the source text that takes the place of a scalar. */
export type Entry = { key: string; value: Value; isGone?: boolean; to?: string; isPlain?: boolean };

/** How one file is laid out. */
export type Layout = {
  unit: 2 | 4;
  /** Columns of a dash right of its key. */
  dashShift: 0 | 2 | 4;
  /** A dash with the spaces after it. */
  dash: string;
  flowPercent: number;
  commentPercent: number;
};

export type Pen = { w: LineWriter; draw: Draw; layout: Layout; note: () => string };

/** Blank lines and comments, as they stand between the keys of a mapping at column `indent`. */
export function writeNoise({ w, draw, layout, note }: Pen, indent: number) {
  if (!draw.chance(layout.commentPercent)) return;
  for (let left = draw.between(1, 3); left > 0; left -= 1) {
    const kind = draw.pick(['comment', 'blank', 'deeper', 'shallower', 'spaces', 'old block'] as const);
    if (kind === 'blank') w.blank();
    if (kind === 'spaces') w.blank(' '.repeat(draw.between(1, 6)));
    if (kind === 'comment') w.comment(indent, note());
    if (kind === 'deeper') w.comment(indent + draw.between(1, 6), note());
    if (kind === 'shallower') w.comment(draw.between(0, indent), note());
    if (kind === 'old block') {
      w.comment(indent, `# paths: ${note()}`);
      w.comment(indent, `#   - /v1: ${note()}`);
    }
  }
}

function separator(draw: Draw): string {
  return draw.chance(12) ? draw.pick([':  ', ' : ', ' :   ']) : ': ';
}

function tail({ draw, note }: Pen): string {
  if (!draw.chance(15)) return '';
  return draw.pick([() => ` ${note()}`, () => '  ', () => `   ${note()}  `, () => `\t${note()}`])();
}

/** On one line, without what goes. */
function flow(value: Value, padding: string, isAfter: boolean): string {
  if (typeof value === 'string') return value;
  if (!('items' in value)) return flowMap(value, padding, isAfter, []);
  return `[${padding}${value.items.map((item) => flow(item, padding, isAfter)).join(', ')}${padding}]`;
}

export function flowMap(
  entries: readonly Entry[],
  padding: string,
  isAfter: boolean,
  added: readonly string[],
): string {
  const pairs = entries
    .filter(({ isGone }) => !isAfter || isGone !== true)
    .map(({ key, value, to }) => `${key}: ${isAfter && to !== undefined ? to : flow(value, padding, isAfter)}`);
  return `{${padding}${[...pairs, ...added].join(', ')}${padding}}`;
}

/** What stands left of the next key: in the old text, and in the new one. */
type Lead = { next: (isGone: boolean) => { before: string; after: string }; isBetween: () => boolean };

const plainLead = (pad: string): Lead => ({ next: () => ({ before: pad, after: pad }), isBetween: () => false });

/** The first key stands behind the dash; when it goes, the first that stays moves up. */
function dashLead(dashPad: string, pad: string): Lead {
  let isWritten = false;
  let isKept = false;
  return {
    next: (isGone) => {
      const both = { before: isWritten ? pad : dashPad, after: isKept ? pad : dashPad };
      isWritten = true;
      isKept ||= !isGone;
      return both;
    },
    isBetween: () => isWritten && !isKept,
  };
}

export function writeMap(pen: Pen, pad: string, entries: readonly Entry[], lead = plainLead(pad)) {
  entries.forEach((entry, index) => {
    if (index > 0 && !lead.isBetween()) writeNoise(pen, pad.length);
    writeEntry(pen, pad, entry, lead.next(entry.isGone === true));
  });
}

type Leads = { before: string; after: string };

function writeEntry(pen: Pen, pad: string, entry: Entry, leads: Leads) {
  if (entry.isGone !== true) return writeBody(pen, pad, entry, leads);
  pen.w.removing(pad.length, () => writeBody(pen, pad, entry, leads));
}

function writeBody(pen: Pen, pad: string, { key, value, to, isPlain }: Entry, { before, after }: Leads) {
  const { w, draw, layout } = pen;
  const end = isPlain === true ? '' : tail(pen);
  const colon = isPlain === true ? ': ' : separator(draw);
  if (typeof value === 'string') {
    w.line(`${before}${key}${colon}${value}${end}`, `${after}${key}${colon}${to ?? value}${end}`);
  } else if (draw.chance(layout.flowPercent)) {
    const padding = draw.pick(['', ' ']);
    w.line(
      `${before}${key}${colon}${flow(value, padding, false)}${end}`,
      `${after}${key}${colon}${flow(value, padding, true)}${end}`,
    );
  } else {
    w.line(`${before}${key}${colon.trimEnd()}${end}`, `${after}${key}${colon.trimEnd()}${end}`);
    if ('items' in value) writeItems(pen, pad + ' '.repeat(layout.dashShift), value.items);
    else writeMap(pen, pad + ' '.repeat(layout.unit), value);
  }
}

function writeItems(pen: Pen, pad: string, items: readonly (string | readonly Entry[])[]) {
  const { w, draw, layout } = pen;
  items.forEach((item, index) => {
    if (index > 0) writeNoise(pen, pad.length);
    const dashPad = `${pad}${layout.dash}`;
    if (typeof item === 'string') {
      w.line(`${dashPad}${item}${tail(pen)}`);
    } else if (draw.chance(layout.flowPercent / 3)) {
      const padding = draw.pick(['', ' ']);
      const end = tail(pen);
      w.line(
        `${dashPad}${flowMap(item, padding, false, [])}${end}`,
        `${dashPad}${flowMap(item, padding, true, [])}${end}`,
      );
    } else if (draw.chance(3)) {
      w.line(`${pad}-`);
      writeMap(pen, ' '.repeat(dashPad.length), item);
    } else {
      const keyPad = ' '.repeat(dashPad.length);
      writeMap(pen, keyPad, item, dashLead(dashPad, keyPad));
    }
  });
}

/** A block at the top: its keys, and pairs that a migration adds at its end. */
export function writeBlock(pen: Pen, key: string, entries: readonly Entry[], added: readonly string[] = []) {
  const { w, draw, layout } = pen;
  const end = tail(pen);
  const colon = separator(draw);
  if (draw.chance(layout.flowPercent)) {
    const padding = draw.pick(['', ' ']);
    const [from, to] = [flowMap(entries, padding, false, []), flowMap(entries, padding, true, added)];
    return w.line(`${key}${colon}${from}${end}`, `${key}${colon}${to}${end}`);
  }
  w.line(`${key}${colon.trimEnd()}${end}`);
  const pad = ' '.repeat(layout.unit);
  writeMap(pen, pad, entries);
  if (added.length > 0)
    w.atEnd(
      0,
      added.map((line) => `${pad}${line}`),
    );
}

/** A pair or a list or map at the top that is no block of its own. */
export const writeTop = (pen: Pen, entry: Entry) => writeEntry(pen, '', entry, { before: '', after: '' });
