import { decodePercentOrKeep } from '../../../lib/percent.ts';
import { isContent } from '../../text/facts/content.ts';
import type { SamplePage } from '../../reach/facts/site-files.ts';
import type { PageFacts } from './page-facts.ts';

/** What people ask of a place, and what is often kept in a file: its menu, its prices, its times. */
export const fileTopics = ['menu', 'prices', 'times'] as const;
export type FileTopic = (typeof fileTopics)[number];

/** Words of each topic in texts and addresses of links; `menu` alone is also what opens the navigation of a page. */
const TOPIC_WORDS: Readonly<Record<FileTopic, RegExp>> = {
  menu: /(?<![\p{L}])(?:menus?|speise-?karte|getränke-?karte|wein-?karte|tages-?karte|mittags-?karte|wochen-?karte|carte(?: des vins)?|carta|menú|menù|wine list|menukaart)(?![\p{L}])/iu,
  prices:
    /(?<![\p{L}])(?:price-?lists?|price list|pricing|prices|tariffs?|preis-?liste|preise|tarife|tarifs|prix|precios|tarifas|listino(?: prezzi)?|prezzi|prijzen|prijslijst|preços)(?![\p{L}])/iu,
  times:
    /(?<![\p{L}])(?:timetables?|schedule|fahr-?plan|stunden-?plan|kurs-?plan|spiel-?plan|horaires|horarios?|orari(?:o)?|dienstregeling|rooster)(?![\p{L}])/iu,
};

/** Names of pictures that hold a list as a drawing; shorter words are icons. */
const PICTURE_WORDS: Readonly<Record<FileTopic, RegExp>> = {
  menu: /speise-?karte|getränke-?karte|tages-?karte|food-?menu|menu-?card|menu-?board|carte-?du-?jour|menukaart/iu,
  prices: /preis-?liste|price-?list|listino|prijslijst|tarifas|tarifs/iu,
  times: /fahr-?plan|stunden-?plan|kurs-?plan|timetable|horaires/iu,
};

const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|webp)$/i;
/** Most links are none, and need not be parsed. */
const MAY_BE_FILE = /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|webp)(?:[?#]|$)/i;
const MAX_LINK_CHARS = 80;
/** A page with fewer words says little of its topic. */
const MIN_WORDS = 40;

/** Content of a topic that is in a file: the link or picture, and whether some page of the site has it as text. */
export type FileContent = { topic: FileTopic; at: SamplePage; href: string; line: number; hasPage: boolean };

/** Menus, price lists and timetables that pages link to as files, each topic once. */
export function listFileContent(pages: readonly SamplePage[]): readonly FileContent[] {
  return fileTopics.flatMap((topic): readonly FileContent[] => {
    for (const at of pages) {
      const file = findFile(at.page, topic);
      if (file) return [{ topic, at, ...file, hasPage: pages.some(({ page }) => isPageOf(page, topic)) }];
    }
    return [];
  });
}

function findFile(page: PageFacts, topic: FileTopic): { href: string; line: number } | undefined {
  const link = page.anchors.find(
    ({ href, text, hidden }) =>
      hidden === undefined && isFile(href) && text.length <= MAX_LINK_CHARS && isOfTopic(topic, text, href),
  );
  if (link) return { href: link.href, line: link.line };
  const picture = page.images.find(
    (image) =>
      isContent(page, image) &&
      image.src !== '' &&
      PICTURE_WORDS[topic].test(`${image.alt ?? ''} ${image.src.slice(-200)}`),
  );
  return picture && { href: picture.src, line: picture.line };
}

/** A page is about a topic by its address, title or h1; a link to such a page of the same host speaks for it, too. */
function isPageOf(page: PageFacts, topic: FileTopic): boolean {
  const names = [page.titles[0] ?? '', ...page.headings.filter(({ level }) => level <= 2).map(({ text }) => text)];
  if (page.words >= MIN_WORDS && (isOfTopic(topic, names.join(' | '), '') || isNamedByPath(page.url, topic)))
    return true;
  const { host } = new URL(page.url);
  return page.anchors.some(({ href, text, rawHref }) => {
    const url = URL.parse(href);
    if (!url || url.host !== host || isFile(href) || /^(?:#|javascript:)/i.test(rawHref.trim())) return false;
    const isOther = url.pathname !== new URL(page.url).pathname;
    return (
      isOther &&
      (isNamedByPath(href, topic) ||
        (topic !== 'menu' && text.length <= MAX_LINK_CHARS && TOPIC_WORDS[topic].test(text)))
    );
  });
}

const isFile = (href: string): boolean => {
  if (!MAY_BE_FILE.test(href)) return false;
  const url = URL.parse(href);
  return url !== null && /^https?:$/.test(url.protocol) && FILE.test(url.pathname);
};

const getWords = (href: string): string =>
  decodePercentOrKeep(URL.parse(href)?.pathname ?? '').replaceAll(/[/_.-]{1,9}/g, ' ');

const isOfTopic = (topic: FileTopic, text: string, href: string): boolean =>
  TOPIC_WORDS[topic].test(`${text} | ${getWords(href)}`);

const isNamedByPath = (href: string, topic: FileTopic): boolean => TOPIC_WORDS[topic].test(getWords(href));
