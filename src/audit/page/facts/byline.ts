import { findWrittenDate } from '../../language/written-dates.ts';
import { countWords } from '../../language/words.ts';
import type { NamedText } from './element-facts.ts';
import type { PageFacts } from './page-facts.ts';
import { findContentStart, getMetaContent } from './page.ts';

/** Lines at the top of the page's text, and around its main content, in which a byline is looked for. */
const BYLINE_LINES = 80;
const BYLINE_CHARS = 120;
const MAX_NAME_CHARS = 100;
const MAX_NAME_WORDS = 14;

const NAME = String.raw`\p{Lu}[\p{L}.'’-]{0,30}`;
const WHO =
  '(?:[Bb]y|BY|[Ww]ritten by|[Pp]osted by|[Vv]on|[Pp]ar|[Pp]or|[Pp]ublicado por|[Dd]oor|[Aa]f|[Aa]v|[Aa]utor(?:in)?:?|[Aa]uthor:?|[Tt]ext:|Автор:?|[Tt]ekst:|[Aa]uteur\\s?:)';
const BYLINE = new RegExp(
  String.raw`^(?:(?:${WHO}:?|[Dd]i\s{1,3}${NAME})\s{1,3}${NAME}(?:[\s,&]{1,3}(?:and\s|und\s|et\s|y\s|e\s|en\s|i\s|de\s|van\s|von\s|der\s)?${NAME}){0,8}|(?:[Bb]y|文|取材)\s{0,3}[:：]?\s{0,3}\p{Lo}[\p{L}\p{N}・]{1,30}|(?:作者|著者|글쓴이|بقلم)\s{0,3}[:：]?\s{0,3}\p{L}{2,20})(?:[\s,|·•–—/-].{0,80})?$`,
  'u',
);

const META_AUTHORS = [
  'author',
  'article:author',
  'article:author_name',
  'og:article:author',
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
const LEAD = new RegExp(String.raw`^(?:${WHO}|Author|Autor|Autorin|Reporter|By|Von|Par):?\s{0,3}`, 'u');

function readAuthor({ text, machine, by }: NamedText): string {
  const name = ((by === 'itemprop' || by === 'property') && text === '' ? machine : text).replace(LEAD, '').trim();
  return isAuthorText(name) ? name : '';
}

const PHOTO_CREDIT = /^(?:photos?|fotos?|фото|bild(?:er)?|images?|写真)(?!\p{L})/iu;

function isAuthorText(text: string): boolean {
  if (text === '' || text.length > MAX_NAME_CHARS || !/\p{L}{2}/u.test(text) || /^(?:https?:|[#\d])/i.test(text))
    return false;
  if (countWords(text) > MAX_NAME_WORDS || PHOTO_CREDIT.test(text)) return false;
  const date = findWrittenDate(text);
  return date === undefined || text.length > date.text.length + 4;
}

/** A line that says who wrote, or the text of a link to a page about an author, near the headline or below the text. */
function findBylineLine(page: PageFacts): string {
  const { text, contentText } = page;
  const start = findContentStart(page);
  const above = text.slice(Math.max(0, start - 3000), start).split('\n');
  const below = text.slice(start, start + 4000).split('\n');
  const lines = [
    ...above.slice(0, BYLINE_LINES),
    ...below.slice(0, BYLINE_LINES),
    '',
    ...contentText.slice(-1500).split('\n'),
  ];
  const said = lines.find((line) => line.length <= BYLINE_CHARS && BYLINE.test(line));
  if (said !== undefined) return said;
  const near = [...above.slice(-HEAD_LINES), ...below.slice(0, HEAD_LINES)];
  return (
    findPostedLine(near) ||
    findPostedLine(lines) ||
    findLinkedAuthor(page, near) ||
    findSignedLine(near) ||
    (SIGNED_END.exec(contentText.slice(-60))?.[1] ?? '')
  );
}

/** Lines above and below the beginning of the main content that are its head. */
const HEAD_LINES = 15;
/** Addresses of pages about authors. */
const AUTHOR_PATH =
  /\/(?:authors?|autor(?:en|es|in|innen)?|auteurs?|autori|people|person|users?|profiles?|profil|redakteure?|redaktion|journalists?|columnists?|contributors?|writers?|staff|by)\/[^/?#]{2,}/i;
const PERSON =
  /^\p{Lu}[\p{L}.'’-]{0,30}(?:\s(?:(?:de|van|von|der|den|la|du|da|di|al|el)\s){0,2}\p{Lu}[\p{L}.'’-]{0,30}){1,3}$/u;

const POSTED =
  /^(?:posted|published|written|submitted|created|verfasst|veröffentlicht|geschrieben|erstellt|eingestellt|publié|écrit|publicado|escrito|pubblicato|scritto|geplaatst|geschreven|publicerad|diposting)(?!\p{L}).{0,80}?\s(?:by|von|par|por|da|door|av|oleh):?\s{1,3}(\p{L}[^|,·•–—()]{1,60})/iu;
const POSTED_END = /\s(?:on|at|in|am|um|le|el|il|op|den|pada)\s/i;
const BY = /(?:^|\s)(?:by|von|par|por|door|author|autor(?:in)?|auteur)$/iu;
const NEXT_NAME = /^\p{L}[\p{L}\p{N} .,&'’_-]{1,60}$/u;

/** `Posted on 3 March 2026 by ada`, where a name needs no capital, and a line that ends in `by`, with the name in the next. */
function findPostedLine(lines: readonly string[]): string {
  for (const [index, line] of lines.entries()) {
    if (line.length > BYLINE_CHARS) continue;
    const posted = POSTED.exec(line)?.[1]?.split(POSTED_END, 1)[0]?.trim();
    if (posted !== undefined && isAuthorText(posted)) return posted;
    const next = lines[index + 1] ?? '';
    if (!BY.test(line) || BY.test(next) || countWords(next) > MAX_BY_WORDS) continue;
    if (NEXT_NAME.test(next) && isAuthorText(next)) return next.replace(/,$/, '');
  }
  return '';
}

const MAX_BY_WORDS = 6;

function findLinkedAuthor({ anchors }: PageFacts, near: readonly string[]): string {
  const linked = anchors.find(
    ({ rawHref, text, region, hidden }) =>
      region !== 'nav' &&
      region !== 'footer' &&
      hidden === undefined &&
      PERSON.test(text) &&
      AUTHOR_PATH.test(rawHref) &&
      near.some((line) => line.length <= BYLINE_CHARS && line.includes(text)),
  );
  return linked?.text ?? '';
}

/** Agencies and desks as newspapers sign with them. */
const DESK =
  /^(?:(?:pm|mit material von)\s[\p{L}\s.-]{2,30},?\s?)?(?:afp|dpa|apa|ap|efe|ansa|epd|kna|sid|reuters|europa press|red\.?|redaktion|staff)(?:\s?[,/&]\s?(?:afp|dpa|apa|ap|efe|ansa|epd|kna|sid|reuters|red\.?|[a-z]{2,4})){0,4}$/iu;
const DESK_CASE = /\p{Lu}{2}|^(?:pm\s|red|redaktion|reuters|sid|staff)/iu;
const EMAIL = /^[\w.+-]{2,64}@[\w.-]{3,100}$/;
const SEPARATOR = /\s[-–—|·•/]\s/;

/** How editors sign within their own paper. */
const INITIALS = /^\p{Ll}{2,3}$/u;
const SIGNED_END = /[.!?)"”“»]\s\(?((?!etc)\p{Ll}{2,3}(?:\/\p{Ll}{2,4}){0,3})\)?\s{0,9}$/u;

/** `3 March 2026 - Ada Byron`, `AFP`, or a name with an e-mail address below it. */
function findSignedLine(near: readonly string[]): string {
  for (const [index, line] of near.entries()) {
    if (line.length > BYLINE_CHARS) continue;
    const named = line.replace(LEAD, '');
    if (named !== line && isDesk(named)) return named;
    if ((isDesk(line) && /^\p{Lu}|\p{Lu}{2}/u.test(line)) || (PERSON.test(line) && EMAIL.test(near[index + 1] ?? '')))
      return line;
    const [first = '', ...rest] = line.split(SEPARATOR);
    const last = rest.at(-1) ?? '';
    if (findWrittenDate(first) !== undefined && (isDesk(last) || INITIALS.test(last) || PERSON.test(last))) return last;
  }
  return '';
}

const isDesk = (text: string): boolean => text.length <= MAX_NAME_CHARS && DESK.test(text) && DESK_CASE.test(text);
