/** Characters that a field of an audit entry keeps. */
const FIELD_CHARS = 256;
const BETWEEN = ', ';

/** Whole numbers as ranges, `3-7` and `9`, the least first, each number once. */
export function rangesOf(numbers: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
}

/** Words in as many fields as they need, none of them cut: `messages`, `messages_2` and so on. */
export function fieldsOf(name: string, words: readonly string[]): Record<string, string> {
  const fields: string[] = [];
  for (const word of words) {
    const longer = `${fields.at(-1) ?? ''}${BETWEEN}${word}`;
    if (fields.length === 0 || longer.length > FIELD_CHARS) fields.push(word);
    else fields[fields.length - 1] = longer;
  }
  return Object.fromEntries(fields.map((text, index) => [index === 0 ? name : `${name}_${index + 1}`, text]));
}
