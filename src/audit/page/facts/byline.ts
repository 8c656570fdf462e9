import { findWrittenDate } from '../../language/written-dates.ts';
import { countWords } from '../../language/words.ts';
import type { NamedText } from './element-facts.ts';
import type { PageFacts } from './page-facts.ts';
import { getMetaContent } from './page.ts';

/** Lines at the top of the page's text, and around its main content, in which a byline is looked for. */
const BYLINE_LINES = 80;
const BYLINE_CHARS = 120;
const MAX_NAME_CHARS = 100;
const MAX_NAME_WORDS = 14;

const NAME = String.raw`\p{Lu}[\p{L}.'’-]{0,30}`;
const WHO =
  '(?:[Bb]y|BY|[Ww]ritten by|[Pp]osted by|[Vv]on|[Pp]ar|[Pp]or|[Pp]ublicado por|[Dd]i|[Dd]oor|[Aa]f|[Aa]v|[Aa]utor(?:in)?:?|[Aa]uthor:?|[Tt]ext:|Автор:?|[Tt]ekst:|[Aa]uteur\\s?:)';
const BYLINE = new RegExp(
  String.raw`^(?:${WHO}\s{1,3}${NAME}(?:[\s,&]{1,3}(?:and\s|und\s|et\s|y\s|e\s|en\s|i\s|de\s|van\s|von\s|der\s)?${NAME}){0,8}|(?:作者|著者|글쓴이|بقلم)\s{0,3}[:：]?\s{0,3}\p{L}{2,20})(?:[\s,|·•–—/-].{0,80})?$`,
  'u',
);

const META_AUTHORS = [
  'author',
  'article:author',
  'article:author_name',
  'citation_author',
  'dc.creator',
  'dcterms.creator',
  'dc:creator',
  'parsely-author',
  'sailthru.author',
  'cxenseparse:author',
  'byl',
  'twitter:data1',
] as const;

/** The author that the page names outside of structured data: in its metadata, a marked element or a byline; '' for none. */
export function findByline(page: PageFacts): string {
  const meta = META_AUTHORS.map((name) => getMetaContent(page, name).trim()).find(isAuthorText);
  return meta ?? findShownByline(page);
}

/** The author that the page shows, in a marked element or a byline; '' for none. */
export function findShownByline(page: PageFacts): string {
  const marked = page.named.filter((one) => one.what === 'author' && isOfThePage(one)).map(readAuthor);
  const found = marked.find((name) => name !== '');
  if (found !== undefined) return found;
  return findBylineLine(page);
}

/** Menus and footers name the authors of other pages, comments those of comments. */
const isOfThePage = ({ region, hidden, aside }: NamedText): boolean =>
  region !== 'nav' && region !== 'footer' && !aside && (hidden === undefined || hidden === 'aria-hidden');

/** Words before a name, and what follows it: a date, a role, a place. */
const LEAD = new RegExp(String.raw`^(?:${WHO}|Author|Autor|Autorin|Reporter|By:|Von:|Par:)\s{0,3}`, 'u');

function readAuthor({ text, machine, by }: NamedText): string {
  const name = (by === 'itemprop' && text === '' ? machine : text).replace(LEAD, '').trim();
  return isAuthorText(name) ? name : '';
}

function isAuthorText(text: string): boolean {
  if (text === '' || text.length > MAX_NAME_CHARS || !/\p{L}{2}/u.test(text) || /^(?:https?:|[#\d])/i.test(text))
    return false;
  if (countWords(text) > MAX_NAME_WORDS) return false;
  const date = findWrittenDate(text);
  return date === undefined || text.length > date.text.length + 4;
}

function findBylineLine(page: PageFacts): string {
  const { text, contentText } = page;
  const start = contentText === '' ? 0 : Math.max(0, text.indexOf(contentText.split('\n', 1)[0] ?? ''));
  const around = [text.slice(Math.max(0, start - 3000), start + 4000), contentText.slice(-1500)];
  const lines = around.flatMap((part) => part.split('\n').slice(0, BYLINE_LINES));
  return lines.find((line) => line.length <= BYLINE_CHARS && BYLINE.test(line)) ?? '';
}
