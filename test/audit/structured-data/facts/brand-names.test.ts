import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import {
  isAbbreviation,
  isSameBrand,
  listBrandNames,
  listComparableNames,
  normaliseBrandName,
} from '../../../../src/audit/structured-data/facts/brand-names.ts';
import { getJsonLd } from '../../../../src/audit/structured-data/facts/json-ld.ts';
import { schemaGraph } from '../../../support/audit/pages.ts';

const namesOf = (head: string, body = '', url = 'https://www.lampen.example/blog/x'): Record<string, string> => {
  const page = parsePage(`<!doctype html><head>${head}</head><body>${body}</body>`, { url, bodyBytes: 1 });
  return Object.fromEntries(listBrandNames(page, getJsonLd(page)).map(({ from, name }) => [from, name]));
};

describe('two names are one brand', () => {
  test.each([
    ['Acme', 'ACME'],
    ['La República', 'La Republica'],
    ['Müller & Söhne', 'Mueller & Soehne'],
    ['Müller & Söhne', 'Muller & Sohne'],
    ['Straßenbau Nord', 'Strassenbau Nord'],
    ['Umbrella Pty Ltd', 'Umbrella'],
    ['Umbrella GmbH & Co. KG', 'Umbrella'],
    ['Umbrella, Inc.', 'Umbrella'],
    ['Umbrella S.A.', 'Umbrella'],
    ['www.umbrella.com', 'Umbrella'],
    ['https://umbrella.de/', 'Umbrella'],
    ['The Umbrella', 'Umbrella'],
    ['Umbrella Online', 'Umbrella'],
    ['Umbrella – the shop for rainy days', 'Umbrella'],
    ['青葉茶房', '青葉茶房'],
  ])('%s, %s', (one, other) => {
    expect(isSameBrand(one, other)).toBe(true);
    expect(isSameBrand(other, one)).toBe(true);
  });
});

describe('two names are two brands', () => {
  test.each([
    ['Acme', 'Umbrella'],
    ['Acme Media', 'Initech Media'],
    ['AB', 'Absolut Lamps'],
    ['GmbH', 'Umbrella GmbH'],
    ['', 'Acme'],
    ['!', '?'],
  ])('%j, %j', (one, other) => {
    expect(isSameBrand(one, other)).toBe(false);
  });
});

test('an application name that is the title of the page is no brand, but on a start page', () => {
  const head = '<title>Ten red lamps</title><meta name="application-name" content="Ten red lamps">';
  expect(namesOf(head)).not.toHaveProperty('application-name');
  expect(namesOf(head, '', 'https://www.lampen.example/')).toHaveProperty('application-name', 'Ten red lamps');
});

describe('what follows a colon in the title of a start page says what the brand is', () => {
  const title = '<title>Ofenhaus: sourdough bakery in Weimar</title>';
  const bakery = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Bakery","name":"Ofenhaus"}</script>`;

  test.each([
    ['the host', '', '', 'https://ofenhaus.example/'],
    ['structured data', bakery, '', 'https://brot.example/'],
    ['og:site_name', '<meta property="og:site_name" content="Ofenhaus">', '', 'https://brot.example/'],
    ['the copyright line', '', '<footer>© 2026 Ofenhaus</footer>', 'https://brot.example/'],
    ['the link to the start page', '', '<header><a href="/">Ofenhaus</a></header>', 'https://brot.example/'],
  ])('as %s has it', (_place, head, body, url) => {
    const names = namesOf(title + head, `<h1>Sourdough bread, baked at night</h1>${body}`, url);
    expect(names['title']).toBe('Ofenhaus');
    expect(Object.values(names).filter((name) => name !== 'Ofenhaus')).toEqual([]);
  });

  test('and is no brand where nothing else names one either', () => {
    expect(namesOf(title, '<h1>Bread</h1>', 'https://brot.example/')).toEqual({});
  });
});

test('a name of nothing but a legal form keeps it', () => {
  expect(normaliseBrandName('AG')).toBe('ag');
});

describe('a name of initials', () => {
  test.each([
    ['LBN', 'Lampen-Bund Nord e.V.', true],
    ['LfS', 'Landesamt für Straßenlampen', true],
    ['LMS', 'Landesministerium für Straßenlampen', true],
    ['LBN', 'Lampen Nord', false],
    ['Lbnord', 'Lampen-Bund Nord', false],
    ['LBN', 'The Umbrella Company', false],
    ['LBN', 'lampen', false],
  ])('%s of %s: %s', (short, long, is) => {
    expect(isAbbreviation(short, long)).toBe(is);
    expect(isAbbreviation(long, short)).toBe(is);
  });
});

describe('the places that name the brand', () => {
  const site = '<meta property="og:site_name" content="Lampen Nord">';

  test('are metadata, structured data, title, logo and copyright line', () => {
    const data = schemaGraph(
      { '@type': 'WebSite', name: 'Lampen Nord' },
      { '@type': 'Organization', name: 'Lampen Nord GmbH' },
    );
    const head = `<title>Red lamps | Lampen Nord</title><meta name="application-name" content="LampenNord">${site}${data}`;
    const body = '<header><a href="/"><img alt="Lampen Nord" src="/l.svg"></a></header><p>© 2026 Lampen Nord GmbH</p>';
    expect(namesOf(head, body)).toEqual({
      title: 'Lampen Nord',
      'og:site_name': 'Lampen Nord',
      'application-name': 'LampenNord',
      'WebSite.name': 'Lampen Nord',
      'Organization.name': 'Lampen Nord GmbH',
      logo: 'Lampen Nord',
      'footer ©': 'Lampen Nord GmbH',
    });
  });

  test.each([
    ['its end', 'Red lamps - Lampen Nord', 'Lampen Nord'],
    ['its beginning', 'Lampen Nord: Red lamps', 'Lampen Nord'],
    ['a part before a tagline', 'Red lamps | Lampen Nord | Light for the north', 'Lampen Nord'],
    ['its end behind two strokes', 'Red lamps // Lampen Nord', 'Lampen Nord'],
    ['a part between guillemets', 'Red lamps » Lampen Nord', 'Lampen Nord'],
  ])('the title names it by %s', (_name, title, brand) => {
    expect(namesOf(`<title>${title}</title>${site}`)['title']).toBe(brand);
  });

  test('a headline with a dash names no brand', () => {
    expect(namesOf('<title>The close partner - now a stranger</title>')).toEqual({});
    expect(namesOf('<title>The stranger | May 3, 2016</title>', '<h1>The stranger</h1>')).toEqual({});
  });

  test.each([
    ['with another spelling of the host', 'https://lampen.example/'],
    ['to a file', '/index.html'],
    ['to the page of a language', '/de/'],
  ])('a link to the start page %s names the brand', (_name, href) => {
    const body = `<a href="${href}"><img alt="Lampen Nord Logo" src="/l.svg"></a>`;
    expect(namesOf('<title>Red lamps | Lampen Nord</title>', body)).toEqual({
      title: 'Lampen Nord',
      logo: 'Lampen Nord',
    });
  });

  test.each([
    ['by its address', '<img alt="Lampen Nord" src="/img/logo_260.png">', 'Lampen Nord'],
    ['by its text', '<img alt="Logo: Lampen Nord" src="/img/1.png">', 'Lampen Nord'],
    ['of another company', '<img alt="Umbrella" src="/img/logo-umbrella.png">', undefined],
    ['that is none', '<img alt="Lampen Nord" src="/img/1.png">', undefined],
  ])('a picture of a logo without a link: %s', (_name, image, logo) => {
    expect(namesOf(site, `<header>${image}</header>`)['logo']).toBe(logo);
  });

  test('the title of a feed shows which part of a title is the brand', () => {
    const feed = '<link rel="alternate" type="application/rss+xml" title="Nordlicht &raquo; Feed" href="/feed">';
    expect(namesOf(`<title>Red lamps | Nordlicht</title>${feed}`)).toEqual({ title: 'Nordlicht' });
  });

  test('a first headline that leads to the start page is no headline', () => {
    const body = '<h1><a href="/">Nordlicht</a></h1><h1>Red lamps</h1>';
    expect(namesOf('<title>Red lamps | Nordlicht</title>', body)).toEqual({ title: 'Nordlicht', logo: 'Nordlicht' });
  });

  test('the subject of the page is no brand', () => {
    const subject = '<meta property="og:title" content="Why Lampen Nord is red">';
    expect(namesOf(`<title>Why Lampen Nord is red</title>${site}${subject}`)['title']).toBeUndefined();
  });

  test('a journal is the brand of its articles', () => {
    const head = '<meta name="citation_journal_title" content="Annals of Lamps">';
    expect(namesOf(`<title>Red lamps: Annals of Lamps: Vol 7</title>${head}`)).toEqual({
      title: 'Annals of Lamps',
      citation_journal_title: 'Annals of Lamps',
    });
  });

  test('author and publisher with one @id: the name that another place has is the publisher', () => {
    const id = 'https://www.lampen.example/';
    const news = {
      '@type': 'NewsArticle',
      author: { '@type': 'Person', '@id': id, name: 'Ada' },
      publisher: { '@type': 'Organization', '@id': id, name: 'Lampen Nord' },
    };
    expect(namesOf(`<title>Red lamps | Lampen Nord</title>${schemaGraph(news)}`)['publisher.name']).toBe('Lampen Nord');
  });

  test('the name of the host is enough to know the brand in a title', () => {
    expect(namesOf('<title>Red lamps | Lampen</title>')).toEqual({ title: 'Lampen' });
  });

  test.each([
    ['a link to the start page that says something else', '<a href="/">Home</a>'],
    ['a link of the footer', '<footer><a href="/">Lampen Nord</a></footer>'],
    ['a link to another page', '<a href="/about">Lampen Nord</a>'],
  ])('%s is no logo', (_name, body) => {
    expect(namesOf(site, body)['logo']).toBeUndefined();
  });

  test.each([
    ['a line of its own', '<p>Copyright © 2019–2026 by Lampen Nord. All rights reserved.</p>', 'Lampen Nord'],
    ['behind its rights', '<p>© 2022 All Rights Reserved Lampen Nord e.V.</p>', 'Lampen Nord e.V.'],
    ['with the word and the sign in brackets', '<p>Copyright (c) 2020- Ada Byron. CC-BY</p>', 'Ada Byron. CC-BY'],
    ['the last of two', '<p>© Ada Byron</p><p>© Lampen Nord</p>', 'Lampen Nord'],
    ['the credit of a photo', '<p>© Volkshaus / Nord Foto</p>', undefined],
    ['the credit of an agency', '<p>© Getty Images</p>', undefined],
    ['a sentence', '<p>© means that nobody else may print this text in a book</p>', undefined],
    ['one far above the end', `<p>© Ada Byron</p>${'<p>Words of a text about lamps.</p>'.repeat(200)}`, undefined],
  ])('the copyright line: %s', (_name, body, name) => {
    expect(namesOf('', body)['footer ©']).toBe(name);
  });

  test('an agency owns its own site', () => {
    const read = namesOf(
      '<title>Red lamps</title>',
      '<p>© 2026 Reuters. All Rights Reserved.</p>',
      'https://reuters.com/x',
    );
    expect(read['footer ©']).toBe('Reuters');
  });

  test.each([
    ['the brand', '<p>© Lampen Nord GmbH</p>', true],
    ['its initials', '<p>© LN</p>', true],
    ['a company behind it', '<p>© Umbrella Holding</p>', false],
  ])('a copyright line with %s is compared: %s', (_name, body, is) => {
    const page = parsePage(`<head>${site}</head><body>${body}</body>`, { url: 'https://a.example/', bodyBytes: 1 });
    const places = listComparableNames(page, getJsonLd(page)).map(({ from }) => from);
    expect(places.includes('footer ©')).toBe(is);
    expect(places).toContain('og:site_name');
  });

  test('a feed of comments has the title of its article', () => {
    const feed =
      '<link rel="alternate" type="application/rss+xml" title="Nordlicht &raquo; Red lamps Comments Feed" href="/feed">';
    expect(namesOf(`<title>Red lamps - Nordlicht</title>${feed}`)).toEqual({});
  });

  test('a link into the page leads to no start page, whatever the base address is', () => {
    const body = '<h2><a href="#">Red lamps by night</a></h2>';
    expect(namesOf('<base href="/"><title>Red lamps by night</title>', body)).toEqual({});
  });

  test('a first headline of the name of the site is no headline', () => {
    expect(namesOf(`<title>Red lamps - Lampen Nord</title>${site}`, '<h1>Lampen Nord</h1>')['title']).toBe(
      'Lampen Nord',
    );
  });

  test('a publisher is the brand, several organisations are matter of the page', () => {
    const news = { '@type': 'NewsArticle', publisher: { '@type': 'Organization', name: 'Lampen Nord' } };
    expect(namesOf(schemaGraph(news))).toEqual({ 'publisher.name': 'Lampen Nord' });
    const two = [
      { '@type': 'Organization', name: 'Acme' },
      { '@type': 'Organization', name: 'Umbrella' },
    ];
    expect(namesOf(schemaGraph(...two))).toEqual({});
  });
});
