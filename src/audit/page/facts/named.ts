import { toOneLine } from '../../language/words.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import {
  buildElementPlace,
  type ElementCollector,
  extractElementText,
  type Frame,
  getAttribute,
  hasListRoom,
} from './state.ts';
import type { NamedText } from './element-facts.ts';

const AUTHOR_CLASSES =
  /(?:^|[\s_-])(?:author|authors|authorname|byline|by-line|autor|autoren|auteur|autore|writer|verfasser|redakteur|vcard|contributor|skribent)(?:$|[\s_-])/;
/** Classes about an author that hold something else than the name. */
const NOT_NAMES = /(?:box|bio|image|img|avatar|photo|follow|social|link-list|posts|description|info-box|widget)/;
const DATE_CLASSES =
  /(?:^|[\s_-])(?:published|updated|dt-published|dt-updated|pubdate|pub-date|dateline|timestamp|entry-date|post-date|article-date|publish-date|datetime|date)(?:$|[\s_-])/;
const AUTHOR_PROPS = new Set(['author', 'creator']);
const DATE_PROPS = new Set(['datepublished', 'datemodified', 'datecreated', 'uploaddate']);
const MACHINE = ['content', 'datetime', 'title'] as const;
const MAX_CLASS_CHARS = 200;

/** Notes elements that are named after an author or a date. */
export const recordNamed: ElementCollector = (reading, frame) => {
  const named = findName(frame.attributes) ?? findRdfaName(frame);
  if (!named || !hasListRoom(reading, 'named')) return undefined;
  const machine = MACHINE.map((name) => getAttribute(frame, name).trim()).find((value) => value !== '') ?? '';
  const entry = {
    ...buildElementPlace(frame),
    ...named,
    text: '',
    machine: machine.slice(0, PAGE_LIMITS.labelChars),
    aside: false,
  };
  reading.named.push(entry);
  return () => {
    entry.text = toOneLine(extractElementText(reading, frame));
  };
};

type Name = Pick<NamedText, 'what' | 'by' | 'classes'>;

/** `property="schema:dateCreated"` of RDFa; meta elements have names of their own. */
function findRdfaName({ name, attributes }: Frame): Name | undefined {
  const property = attributes['property'];
  if (property === undefined || name === 'meta') return undefined;
  const last = property.slice(0, MAX_CLASS_CHARS).trim().toLowerCase().split(/[:/#]/).at(-1) ?? '';
  if (AUTHOR_PROPS.has(last)) return { what: 'author', by: 'property', classes: [] };
  return DATE_PROPS.has(last) ? { what: 'date', by: 'property', classes: [] } : undefined;
}

function findName(attributes: Readonly<Record<string, string>>): Name | undefined {
  const prop = attributes['itemprop']?.trim().toLowerCase();
  if (prop !== undefined && AUTHOR_PROPS.has(prop)) return { what: 'author', by: 'itemprop', classes: [] };
  if (prop !== undefined && DATE_PROPS.has(prop)) return { what: 'date', by: 'itemprop', classes: [] };
  const rel = attributes['rel'];
  if (rel !== undefined && /(?:^|\s)author(?:$|\s)/i.test(rel.slice(0, MAX_CLASS_CHARS)))
    return { what: 'author', by: 'rel', classes: [] };
  const names = [attributes['class'], attributes['id']].filter((name) => name !== undefined);
  if (names.length === 0) return undefined;
  const classes = names.map((name) => name.slice(0, MAX_CLASS_CHARS).toLowerCase()).join(' ');
  if (AUTHOR_CLASSES.test(classes) && !NOT_NAMES.test(classes))
    return { what: 'author', by: 'class', classes: classes.split(/\s+/) };
  return DATE_CLASSES.test(classes) ? { what: 'date', by: 'class', classes: classes.split(/\s+/) } : undefined;
}
