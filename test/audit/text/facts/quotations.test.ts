import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { createNameTest, findQuotations, hasNamedSource } from '../../../../src/audit/text/facts/quotations.ts';

const WORDS = 'Light is the first thing that I notice in any room';
const SATZ = 'Das Licht ist das Erste, was mir in einem Raum auffällt';

/** For each quotation of a text whether somebody is named for it. */
const namedIn = (text: string): readonly boolean[] =>
  findQuotations(text, { quotes: [] }).map(({ attributed }) => attributed);

describe('who said it is named', () => {
  test.each([
    ['a verb and a name behind', `“${WORDS},” said Ada Byron.`],
    ['a verb in front', `Ada Byron wrote: “${WORDS}.”`],
    ['a name, a role and a colon', `Sabine Riewen, Präsidentin des Amtes: „${SATZ}.“`],
    ['a name and a colon', `Riewen: „${SATZ}.“`],
    ['an article before a name and a colon', `The owner, Ada Byron: “${WORDS}.”`],
    ['a name in brackets', `„${SATZ}.“ (Maurice Keller)`],
    ['a name and a year in brackets', `“${WORDS}” (Ada Byron, 1843)`],
    ['a dash and a name', `“${WORDS}.” — Ada Byron`],
    ['a verb that no list has, and a full name', `„${SATZ}“, mutmaßt Petra Keller.`],
    ['a document', `„${SATZ}“, hieß es in der Mitteilung.`],
    ['a source', `According to the report, “${WORDS}”.`],
    ['Spanish', `«La luz es lo primero que noto en una sala», aseguró Ana Cruz.`],
    ['French, with guillemets turned outward', `« La lumière est la première chose que je vois », confie Anne.`],
    ['German guillemets', `»${SATZ}«, betont Anna Müller.`],
    ['Russian', '«Свет — это первое, что я замечаю в любой комнате», рассказала Анна.'],
    ['Chinese', '李文清说：「光是我走进任何房间时最先注意到的东西。」'],
    ['single marks', `Ada Byron said: ‘${WORDS}.’`],
    ['straight single marks', `'${WORDS}, isn't it?' said Ada Byron.`],
    ['a straight mark and a curly one', `Ada Byron said: "${WORDS},” and left.`],
    ['French in the plural', `Les auteurs précisent : « La lumière est la première chose que je vois ».`],
    ['what someone stated', `Nach Angaben von Müller ist es „${SATZ}.“`],
    ['whom it was shared with', `“${WORDS},” she shares with us.`],
    ['an example of what was said', `Ada Byron said, for example, “${WORDS}.”`],
    ['two paragraphs', `Ada Byron said: “${WORDS}.\n${WORDS}.”`],
  ])('by %s', (_name, text) => {
    expect(namedIn(text)).toEqual([true]);
  });
});

describe('nobody is named', () => {
  test.each([
    ['a sentence by itself', `“${WORDS}.”`],
    ['the beginning of a sentence and a colon', `One line has stayed with me: “${WORDS}.”`],
    ['a name too far away', `Ada Byron was born in London. ${'She liked red lamps. '.repeat(12)}“${WORDS}.”`],
    ['a year in brackets', `“${WORDS}” (1843)`],
    ['a sentence that is made up as an example', `Ada Byron said it is simple. Example: “${WORDS}.”`],
    ['a sentence of a kind', `I told Ada something along the lines of … “${WORDS}.”`],
    ['what could be said', `You do not need to say “${WORDS}.”`],
    ['what was never said', `A painter would have said “${WORDS}.”`],
  ])('by %s', (_name, text) => {
    expect(namedIn(text)).toEqual([false]);
  });
});

describe('no quotation is', () => {
  test.each([
    ['the title of a film', 'Ada Byron said that “The Return of the Lamp Makers” is her favourite film.'],
    ['the name of a company', 'Ada Byron said that “Lamps, Shades and Bulbs Limited” is bankrupt.'],
    ['a single expression', 'Ada Byron said it is a “smart lamp”.'],
    ['an apostrophe', 'It’s the maker’s lamp, said Ada Byron, and it isn’t the dealer’s lamp at all, is it’s?'],
    [
      'the plural of owners',
      "Ada said that it is the makers' lamp and the dealers' shade. It shines, in the owners' room.",
    ],
    ['a size in inches', 'Ada said that the lamp is 12" high and 14" wide, with a cable of 30" and a plug.'],
    ['an attribute of code', 'Ada said to write name="the first thing that I notice in any room" there.'],
  ])('%s', (_name, text) => {
    expect(namedIn(text)).toEqual([]);
  });
});

test('eight words need no full stop, five words do', () => {
  expect(namedIn('Ada said that “one two three four five six seven eight” is a row.')).toEqual([true]);
  expect(namedIn('Ada said that “onerous twofold threefold fourfold fivefold” is a row.')).toEqual([]);
  expect(namedIn('Ada said: “Onerous twofold threefold fourfold fivefold.”')).toEqual([true]);
});

test('a block of quotation is counted once, by its cite or its dash', () => {
  const quotationsIn = (body: string) => {
    const page = parsePage(`<main>${body}</main>`, { url: 'https://acme.example/', bodyBytes: 1 });
    return findQuotations(page.text, page).map(({ attributed }) => attributed);
  };
  expect(quotationsIn(`<blockquote>${WORDS}.</blockquote><cite>Ada Byron</cite>`)).toEqual([true]);
  expect(quotationsIn(`<blockquote>${WORDS}. — Ada Byron</blockquote>`)).toEqual([true]);
  expect(quotationsIn(`<blockquote>${WORDS}.</blockquote>`)).toEqual([false]);
  // All of a page may be on one line of source: a cite far behind belongs to another text.
  const far = `<p>${'A lamp burns. '.repeat(20)}</p><p><cite>Ada Byron</cite></p>`;
  expect(quotationsIn(`<blockquote>${WORDS}.</blockquote>${far}`)).toEqual([false]);
  expect(quotationsIn(`<blockquote>${WORDS}. <cite>Ada Byron</cite></blockquote>${far}`)).toEqual([true]);
  // A box about the author is no quotation of the author.
  const box = '<cite>Ada Byron</cite><blockquote>Ada Byron tests lamps and keeps three dogs in London.</blockquote>';
  expect(quotationsIn(box)).toEqual([false]);
});

test.each([
  ['Sales grew by 41 %, according to the office.', true],
  ['Sales grew by 41 %, Ada Byron said.', true],
  ['Laut Amt wuchs der Absatz um 41 %.', true],
  ['Sales grew by 41 % [3].', true],
  ['Sales grew by 41 % (Byron, 1843).', true],
  ['Wie die ÖPA mit folgenden Zahlen belegen, sind es 41 %.', true],
  ['Die Studie der Universität nennt 41 %.', true],
  ['Le rapport de l’office compte 41 %.', true],
  ['1,000人への調査では、41％が増えたと答えた。', true],
  ['调查显示，41%的人同意。', true],
  // A verb of speech names no one by itself.
  ['The price, they said, grew by 41 %.', false],
  ['I said that it grew by 41 %.', false],
  ['At Byron Lamps we added the 41 % to it.', false],
  ['We of Byron Lamps were told that it grew by 41 %.', false],
  ['We shared with Byron Lamps that it grew by 41 %.', false],
  ['Das Fest in Köln findet mit 41 Ständen statt.', false],
  ['Cela varie selon que la Seine monte de 41 %.', false],
  ['À cela s’ajoute, à Paris, une hausse de 41 %.', false],
  ['“It grew by 41 %,” Ada Byron added.', true],
  ['„Das sind 41 %“, findet Petra Keller.', true],
  ['Sales grew by 41 %.', false],
  ['Sales grew by 41 % in 1843 and later.', false],
])('%s names where it is from: %s', (line, named) => {
  expect(hasNamedSource(line)).toBe(named);
});

test('a word that begins a sentence is a name where the text has it inside of another', () => {
  const isKnown = createNameTest('On Monday we met Byron and her dog.\nExperts Agree On Lamps');
  const line = 'Byron and her team reported that it grew by 41 %.';
  expect(hasNamedSource(line)).toBe(false);
  expect(hasNamedSource(line, isKnown)).toBe(true);
  expect(hasNamedSource('Experts reported that it grew by 41 %.', isKnown)).toBe(false);
  expect(hasNamedSource('On reflection they reported 41 %.', isKnown)).toBe(false);
});
