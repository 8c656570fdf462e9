import { describe, expect, test } from 'vitest';
import { formatSlot, SLOTS, type Slot } from '../../../src/fixes/core/fix-slots.ts';
import { fillSlots, parseAnswers, markSlots } from '../../../src/fixes/core/slot-answers.ts';
import { getAnswerSchema, isAskedOnce } from '../../../src/fixes/core/slot-kinds.ts';

const [logo, image] = [formatSlot('logo'), formatSlot('imageText')];

describe('filling slots', () => {
  test('puts one answer into every place of a fact of the site, and its own into each other place', () => {
    const text = `<img alt="${image}" src="${logo}"><img alt="${image}">`;
    const answers = new Map([
      ['logo', 'https://acme.example/logo.svg'],
      ['index.html/imageText/2', 'A rack'],
    ]);
    const { text: filled, open } = fillSlots(text, 'text/html', 'index.html', answers);
    expect(filled).toBe(`<img alt="${image}" src="https://acme.example/logo.svg"><img alt="A rack">`);
    expect(open).toMatchObject([{ key: 'index.html/imageText/1', asks: SLOTS.imageText, near: text.slice(0, 160) }]);
  });

  test('counts the places of each check apart, and leaves no mark behind', () => {
    const text = `${markSlots(image, 'aeo.media.alt')}\n${markSlots(image, 'geo.cite.figure-captions')}\n${markSlots(image, 'aeo.media.alt')}`;
    const { text: filled, open } = fillSlots(text, 'text/html', 'index.html', new Map());
    expect(filled).toBe(`${image}\n${image}\n${image}`);
    expect(open.map(({ key }) => key)).toEqual([
      'aeo.media.alt/imageText/1',
      'geo.cite.figure-captions/imageText/1',
      'aeo.media.alt/imageText/2',
    ]);
  });

  test('leaves alone what is no slot of ours', () => {
    const text = '[FACT NEEDED: your password] [FACT NEEDED: ]';
    expect(fillSlots(text, 'text/plain', 'x', new Map([['x', 'y']]))).toEqual({ text, open: [] });
  });

  const hostile = `"</script><b>'&\\`;
  test.each([
    ['text/html', `<p title="${image}">`, '<p title="&quot;&lt;/script&gt;&lt;b&gt;&#39;&amp;\\">'],
    ['application/json', `{"a":"${image}"}`, undefined],
    ['application/xml', `<a>${image}</a>`, '<a>&quot;&lt;/script&gt;&lt;b&gt;&apos;&amp;\\</a>'],
  ])('writes an answer in %s as text and nothing else', (type, text, expected) => {
    const { text: filled } = fillSlots(text, type, 'f', new Map([['f/imageText/1', hostile]]));
    if (expected === undefined) expect(JSON.parse(filled)).toEqual({ a: hostile });
    else expect(filled).toBe(expected);
  });

  test('writes an answer in the structured data of a page as JSON that ends no script', () => {
    const text = `<script type="application/ld+json">{"name":"${image}"}</script><p>${image}</p>`;
    const answers = new Map([1, 2].map((place) => [`f/imageText/${place}`, hostile] as const));
    const { text: filled } = fillSlots(text, 'text/html', 'f', answers);
    const json = /json">(.*?)<\/script>/.exec(filled)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual({ name: hostile });
    expect(filled).toContain('<p>&quot;&lt;/script&gt;');
  });

  test('of a page of 5,000 slots takes one pass', () => {
    const { open } = fillSlots(`<p>${image}</p>`.repeat(5000), 'text/html', 'f', new Map());
    expect(open).toHaveLength(5000);
    expect(open.at(-1)?.key).toBe('f/imageText/5000');
  });
});

describe('a facts file', () => {
  test('gives the answers that are there', () => {
    const read = parseAnswers({
      logo: ' https://acme.example/logo.svg ',
      email: '',
      'aeo.media.alt/imageText/1': 'Ann',
    });
    expect(read).toEqual({
      ok: true,
      answers: new Map([
        ['logo', 'https://acme.example/logo.svg'],
        ['aeo.media.alt/imageText/1', 'Ann'],
      ]),
    });
  });

  test.each([
    [{ logoo: 'x' }, '"logoo" is no fact that a fix asks for'],
    [{ imageText: 'x' }, '"imageText" is no fact that a fix asks for: each place has its own answer'],
    [{ 'index.html/logo/1': 'x' }, 'one answer holds for the whole site, "logo"'],
    [{ logo: 'http://acme.example/logo.svg' }, '"logo" must be an https address'],
    [{ datePublished: '2026-02-30' }, '"datePublished" must be a day that exists'],
    [{ price: '4,90' }, '"price" must be a number'],
    [{ country: 'Germany' }, '"country" must be a code of two capitals'],
    [{ email: 'x' }, '"email" must be an e-mail address'],
    [{ name: 'a\nb' }, '"name" must be one line'],
    [{ name: formatSlot('name') }, '"name" must not be a slot itself'],
    [{ name: 'x'.repeat(301) }, '"name" must have at most 300 characters'],
    [{ name: 1 }, 'A facts file is a JSON object whose values are texts'],
    [[], 'A facts file is a JSON object whose values are texts'],
    ['x', 'A facts file is a JSON object whose values are texts'],
    [{ constructor: 'x', __proto__: 'y' }, '"constructor" is no fact'],
  ])('%j is refused with the reason', (value, reason) => {
    const read = parseAnswers(value);
    expect(read.ok ? '' : read.faults.join('\n')).toContain(reason);
  });

  test('every slot has a kind, and refuses an empty answer and a line break', () => {
    for (const slot of Object.keys(SLOTS) as Slot[]) {
      expect(typeof isAskedOnce(slot)).toBe('boolean');
      for (const bad of ['', ' ', 'a\nb', formatSlot(slot)])
        expect(getAnswerSchema(slot).safeParse(bad).success).toBe(false);
    }
  });
});
