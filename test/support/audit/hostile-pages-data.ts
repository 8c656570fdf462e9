const SIZE = 5 * 1_024 * 1_024;
const filled = (text: string): string => text.repeat(Math.floor(SIZE / text.length));
const numbered = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join('');

/** Pages of up to 5 MiB that cost a parser more than their size (B4). */
export const HOSTILE_PAGES: Readonly<Record<string, () => string>> = {
  'less-than signs': () => filled('<'),
  'less-than signs and digits': () => filled('<1'),
  'less-than signs and spaces': () => filled('< '),
  'list items without ends': () => filled('<li>x'),
  'line breaks': () => filled('a<br>'),
  'paragraphs without ends': () => filled('<p>x'),
  'empty elements': () => filled('<b></b>'),
  'a million elements': () => '<i>'.repeat(1_000_000),
  'deep nesting': () => filled('<div>'),
  'a million attributes': () => `<p ${numbered(1_000_000 / 2, (index) => `a${index.toString(36)} `)}>x</p>`,
  'an attribute a million times': () => `<p ${'a '.repeat(1_000_000)}>x</p>`,
  'elements with many attributes': () => `<p ${numbered(900, (index) => `a${index} `)}>`.repeat(900),
  'named entities': () => filled('&amp;'),
  'numbered entities': () => filled('&#60;'),
  'broken entities': () => filled('&'),
  'end tags': () => filled('</p>'),
  comments: () => filled('<!---->'),
  headings: () => filled('<h2>x'),
  links: () => filled('<a href=x>y'),
  'table cells': () => filled('<td>x'),
  ids: () => numbered(400_000, (index) => `<b id=${index}>`),
};
