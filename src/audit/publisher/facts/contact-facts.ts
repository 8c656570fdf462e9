import { rememberResult } from '../../../lib/memo.ts';
import { normaliseLetters } from '../../language/words.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import {
  listNodesOfType,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from '../../structured-data/facts/schema-nodes.ts';

/** One way to reach the owner of a page, as written; `line` is its line. */
export type Contact = { text: string; line: number };

/**
 * `linked`: `tel:` and `mailto:` links. `agreed`: structured data that the visible text repeats; `claimed`: that it does not.
 * `plain`: an e-mail address in the text without a link. `scrambled` counts addresses that only a script can decode.
 */
export type ContactFacts = {
  linked: readonly Contact[];
  agreed: readonly Contact[];
  claimed: readonly Contact[];
  plain: readonly Contact[];
  scrambled: number;
};

const MAX_NODES = 200;
const MAX_TEXT_CHARS = 1_000_000;
/** A telephone number's last digits, which stay the same with and without a country code. */
const PHONE_DIGITS = 7;

const isLinked = (href: string): boolean =>
  /^tel:\+?[\d().\s-]{3,40}/i.test(href) || /^mailto:[^?@\s]{1,100}(?:@|%40)[^?\s]/i.test(href);

/** The ways to reach the owner that a page gives machines. */
export function buildContactFacts(page: PageFacts): ContactFacts {
  const seen = page.anchors.filter(({ hidden }) => hidden === undefined || hidden === 'aria-hidden');
  const linked = seen
    .filter(({ rawHref }) => isLinked(rawHref.trim()))
    .map(({ rawHref, line }) => ({ text: rawHref, line }));
  const scrambled = seen.filter(({ rawHref }) => rawHref.includes('/cdn-cgi/l/email-protection')).length;
  const stated = listStatedContacts(getJsonLd(page).graph);
  const text = page.text.slice(0, MAX_TEXT_CHARS);
  const isVisible = createContactTest(text);
  return {
    linked,
    agreed: stated.filter(isVisible),
    claimed: stated.filter((one) => !isVisible(one)),
    plain: listPlainAddresses(text),
    scrambled,
  };
}

/** A contact as structured data states it. */
export type StatedContact = Contact & { kind: 'telephone' | 'email' | 'address' };

function listStatedContacts(graph: SchemaGraph): readonly StatedContact[] {
  const nodes = ['Organization', 'ContactPoint', 'PostalAddress', 'Person', 'Place'].flatMap((type) =>
    listNodesOfType(graph, type),
  );
  const of = (node: SchemaNode, property: string, kind: StatedContact['kind']): readonly StatedContact[] =>
    listPropertyTexts(graph, node, property).map((text) => ({ kind, text, line: node.line }));
  return nodes
    .slice(0, MAX_NODES)
    .flatMap((node) => [
      ...of(node, 'telephone', 'telephone'),
      ...of(node, 'email', 'email'),
      ...of(node, 'streetAddress', 'address'),
    ]);
}

const extractDigits = (text: string): string => text.replace(/\D{1,5}/gu, '');

/** Whether a text shows a contact: an address without regard to signs, a telephone number by its last digits. */
export function createContactTest(text: string): (stated: StatedContact) => boolean {
  const lower = rememberResult(() => text.toLowerCase());
  // Signs inside a number go, other text between two numbers stays.
  const numbers = rememberResult(() =>
    text.replace(/(?<=\d)[\s()./–-]{1,3}(?=[\d(])|(?<=\d[\s().-]?)[()\s]{1,2}(?=\d)/gu, ''),
  );
  const plain = rememberResult(() => normaliseLetters(text));
  return ({ kind, text: value }) => {
    if (kind === 'email') return lower().includes(value.toLowerCase().replace(/^mailto:/, ''));
    if (kind === 'address') return normaliseLetters(value).length > 3 && plain().includes(normaliseLetters(value));
    const number = extractDigits(value);
    return number.length >= PHONE_DIGITS && numbers().includes(number.slice(-PHONE_DIGITS));
  };
}

const MAX_AT_SIGNS = 50;

/** E-mail addresses written out in the text. */
function listPlainAddresses(text: string): readonly Contact[] {
  const found: Contact[] = [];
  let at = text.indexOf('@');
  for (let signs = 0; at !== -1 && signs < MAX_AT_SIGNS; signs += 1) {
    const before =
      text
        .slice(Math.max(0, at - 64), at)
        .split(/[^\w.+-]/)
        .at(-1) ?? '';
    const after = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/.exec(text.slice(at + 1, at + 256))?.[0];
    if (before !== '' && after !== undefined) found.push({ text: `${before}@${after}`, line: 1 });
    at = text.indexOf('@', at + 1);
  }
  return found;
}
