import { Parser } from 'htmlparser2';

/** Text of a page as people read it, in one line. */
export function textOf(html: string): string {
  let text = '';
  const parser = new Parser({
    ontext: (piece) => {
      text += piece;
    },
    onopentagname: () => {
      text += ' ';
    },
    onclosetag: () => {
      text += ' ';
    },
  });
  parser.end(html);
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Elements of a page in order, with the names of their attributes: what text of others must never change. */
export function treeOf(html: string): readonly string[] {
  const tree: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => tree.push(`<${name} ${Object.keys(attributes).join(' ')}>`),
    onclosetag: (name) => tree.push(`</${name}>`),
  });
  parser.end(html);
  return tree;
}

export type DrawnBar = { value: number; low?: number; high?: number; second: boolean };

const SCALE = 1000;
const RANGE = /^M(\d+) 15V23M\d+ 19H(\d+)M\d+ 15V23$/;

/** Every bar that a page draws, in order: its share, and its interval where it has one, 0 to 1. */
export function barsOf(html: string): readonly DrawnBar[] {
  const bars: DrawnBar[] = [];
  const parser = new Parser({
    onopentag: (name, { class: names = '', width, d }) => {
      const classes = names.split(' ');
      if (name === 'svg' && classes.includes('bar'))
        bars.push({ value: Number.NaN, second: classes.includes('second') });
      const bar = bars.at(-1);
      if (!bar) return;
      if (name === 'rect' && names === 'value') bar.value = Number(width) / SCALE;
      if (name === 'path' && names === 'range') {
        const ends = RANGE.exec(d ?? '');
        if (!ends) throw new Error(`not an interval: ${d}`);
        bar.low = Number(ends[1]) / SCALE;
        bar.high = Number(ends[2]) / SCALE;
      }
    },
  });
  parser.end(html);
  return bars;
}

const drawn = (share: number): number => Math.round(share * SCALE) / SCALE;

/** How a rate of a result has to be drawn. */
export const barOf = (
  { value, low, high }: { value: number; low: number; high: number },
  second = false,
): DrawnBar => ({
  value: drawn(value),
  low: drawn(low),
  high: drawn(high),
  second,
});

/** The markup of the first table row whose heading is `name`. */
export function rowOf(html: string, name: string): string {
  const row = html.split('<tr').find((piece) => textOf(`<tr${piece.split('</th>')[0] ?? ''}`).startsWith(name));
  if (row === undefined) throw new Error(`no row ${name}`);
  return row.split('</tr>')[0] ?? '';
}

/** A copy of a result in which every text is `text`, but members that hold one of a few words of ours, and addresses. */
export function withText<Value>(value: Value, text: string): Value {
  return replaced(value, text, '') as Value;
}

/** Members that a schema holds to a few words, and addresses, which are links when they are of the web. */
const KEPT = new Set(
  'intent status finish_reason reason refusal kind level verdict winner ahead category grade action effort scores url role'.split(
    ' ',
  ),
);

function replaced(value: unknown, text: string, key: string): unknown {
  if (typeof value === 'string') return KEPT.has(key) ? value : text;
  if (Array.isArray(value)) return value.map((one) => replaced(one, text, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, text, name)]));
}
