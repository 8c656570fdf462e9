import { hostilePages } from '../audit/hostile-pages.ts';

const MIB = 1024 * 1024;
/** The most that is read of one body (`bodyBytes` of the fetch limits). */
export const PAGE_BYTES = 5 * MIB;

const filled = (piece: string, bytes = PAGE_BYTES): string =>
  piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

/** Bodies of 5 MiB that made a reader need the most memory for each byte, by what they repeat. */
export const worstPages: readonly { shape: string; html: () => string }[] = [
  { shape: '<', html: () => filled('<') },
  { shape: '<1', html: () => filled('<1') },
  { shape: '< ', html: () => filled('< ') },
  { shape: '<li>x', html: () => filled('<li>x') },
  { shape: 'a<br>', html: () => filled('a<br>') },
];

/** These, and the hostile pages of the engine's figures. */
export const allShapes: readonly string[] = [...worstPages, ...hostilePages].map(({ shape }) => shape);

/** @throws RangeError for a shape that there is not */
export function pageOf(shape: string): string {
  const page = [...worstPages, ...hostilePages].find((one) => one.shape === shape);
  if (page === undefined) throw new RangeError(`no page of the shape ${shape}`);
  return page.html();
}

const SENTENCE = 'The harbour opens at six, and the ferry to the islands leaves at nine when the wind allows. ';
const LINKS = 8;

/**
 * A page of 5 MiB of plain text that links to others like it: a site of them is as much as one audit reads.
 * @param mark written once: where it is outside of Latin-1, the text takes two bytes a character
 */
export function heavyPage(name: string, mark = ''): string {
  const links = Array.from({ length: LINKS }, (_, index) => `<li><a href="/page-${index}">Page ${index}</a></li>`).join(
    '',
  );
  const head = `<!doctype html><html lang="en"><head><title>Page ${name}</title></head><body><main><h1>Page ${name}${mark}</h1><ul>${links}</ul>`;
  return filled(`${head}${filled(`<p>${SENTENCE.repeat(20)}</p>\n`)}`);
}
