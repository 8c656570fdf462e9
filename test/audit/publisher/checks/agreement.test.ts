import { describe, expect, test } from 'vitest';
import { readShownHours } from '../../../../src/audit/publisher/facts/opening-hours.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';
import { html, type SiteMap } from '../../../support/audit/site-fetch.ts';

const ld = (node: Readonly<Record<string, unknown>>): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`;
const page = (head: string, body: string) =>
  html(`<!doctype html><title>The Oak</title>${head}<h1>The Oak</h1>${body}`);

const organization = (members: Readonly<Record<string, unknown>>) =>
  ld({ '@type': 'Organization', name: 'The Oak', ...members });
const phone = organization({ telephone: '+44 28 9000 1111' });
const address = organization({
  address: { '@type': 'PostalAddress', streetAddress: '12 Mill Lane', addressLocality: 'Larne' },
});
const tel = (number: string): string => `<a href="tel:${number}">${number}</a>`;
/** The contact is on a page of its own. */
const withImprint = (head: string, imprint: string): SiteMap => ({
  '/': page(head, '<a href="/contact">Contact</a>'),
  '/contact': page('', imprint),
});

const place = (members: Readonly<Record<string, unknown>>) =>
  ld({ '@type': 'Restaurant', name: 'The Oak', ...members });
const week = place({ openingHours: ['Mo-Fr 09:00-17:00', 'Sa 10:00-14:00'] });
const specified = (...parts: readonly Readonly<Record<string, unknown>>[]) =>
  place({ openingHoursSpecification: parts.map((part) => ({ '@type': 'OpeningHoursSpecification', ...part })) });
const hours = (text: string): string => `<p>Opening hours: ${text}</p>`;

testChecks({
  'geo.entity.contact-agrees': [
    ['the number is shown', { '/': page(phone, tel('+442890001111')) }, 'pass'],
    ['in national form', { '/': page(phone, tel('028 9000 1111')) }, 'pass'],
    ['as text', { '/': page(phone, `<p>Call 028 9000 1111.</p>${tel('+442890003333')}`) }, 'pass'],
    ['on the contact page', withImprint(phone, tel('028-9000-1111')), 'pass'],
    ['another number is shown', { '/': page(phone, tel('+442890002222')) }, 'fail', /telephone number/],
    ['another number in the imprint', withImprint(phone, tel('+442890002222')), 'fail'],
    [
      'one of two is shown',
      { '/': page(organization({ telephone: ['+44 28 9000 1111', '+44 28 9000 9999'] }), tel('+442890001111')) },
      'partial',
      /1 of 2/,
    ],
    ['no number is shown anywhere', { '/': page(phone, '<p>Write to us.</p>') }, 'not_applicable'],
    ['no number is stated', { '/': page('', tel('+442890001111')) }, 'not_applicable'],
    [
      'the number of a person',
      { '/': page(ld({ '@type': 'Person', telephone: '+44 1' }), tel('+442890001111')) },
      'not_applicable',
    ],
    [
      'the mail address is linked',
      { '/': page(organization({ email: 'inn@oak.example' }), '<a href="mailto:Inn@oak.example">Mail</a>') },
      'pass',
    ],
    [
      'another mail address is linked',
      { '/': page(organization({ email: 'inn@oak.example' }), '<a href="mailto:old@oak.example">Mail</a>') },
      'fail',
      /e-mail/,
    ],
    [
      'a mailto link that only shares the page',
      { '/': page(organization({ email: 'inn@oak.example' }), '<a href="mailto:?subject=The%20Oak">Share</a>') },
      'not_applicable',
    ],
    ['the street is shown', { '/': page(address, '<p>12 Mill Lane, Larne</p>') }, 'pass'],
    ['another street is shown', { '/': page(address, '<p>77 Harbour Road, Larne</p>') }, 'fail', /street/],
  ],
  'geo.entity.hours-agree': [
    ['the same', { '/': page(week, hours('Mon–Fri 9:00–17:00, Sat 10–14:00')) }, 'pass', /6 days/],
    ['in twelve hours', { '/': page(week, hours('Monday to Friday 9 am – 5 pm')) }, 'pass', /5 days/],
    [
      'in German',
      { '/': page(week, '<p>Öffnungszeiten: Montag bis Freitag 9 bis 17 Uhr, Samstag 10 – 14 Uhr</p>') },
      'pass',
    ],
    ['on another page', withImprint(week, hours('Mon-Fri 09:00-17:00')), 'pass'],
    [
      'an hour later',
      { '/': page(week, hours('Mon–Fri 10:00–17:00')) },
      'fail',
      /Monday, Tuesday, Wednesday, Thursday, Friday/,
    ],
    ['closed on a day', { '/': page(week, hours('Mon–Fri 9:00–17:00, Saturday closed')) }, 'fail', /on Saturday/],
    ['other hours on another page', withImprint(week, hours('Mon-Fri 08:00-12:00')), 'fail'],
    [
      'by specification',
      {
        '/': page(
          specified({ dayOfWeek: 'https://schema.org/Monday', opens: '12:00:00', closes: '00:00' }),
          hours('Mon 12:00–24:00'),
        ),
      },
      'pass',
    ],
    [
      'two spans in a day',
      {
        '/': page(
          specified(
            { dayOfWeek: 'Tuesday', opens: '12:00', closes: '14:30' },
            { dayOfWeek: 'Tuesday', opens: '17:30', closes: '22:00' },
          ),
          hours('Tuesday 12:00–14:30 and 17:30–22:00'),
        ),
      },
      'pass',
    ],
    [
      'a season of its own',
      {
        '/': page(
          specified({ dayOfWeek: 'Monday', opens: '12:00', closes: '14:00', validFrom: '2026-12-24' }),
          hours('Mon 9:00-17:00'),
        ),
      },
      'not_applicable',
    ],
    [
      'hours of a summer and a winter',
      { '/': page(week, `${hours('Mon–Fri 10:00–20:00')}<p>Winter hours: Mon–Fri 9:00–17:00</p>`) },
      'pass',
    ],
    ['a course on Monday is no opening', { '/': page(week, '<p>Yoga: Monday 18:00–19:30</p>') }, 'not_applicable'],
    ['no hours are stated', { '/': page('', hours('Mon–Fri 9:00–17:00')) }, 'not_applicable'],
    ['no hours are shown', { '/': page(week, '<p>Come and see.</p>') }, 'not_applicable'],
    ['other days are shown', { '/': page(week, hours('Sunday 9:00–12:00')) }, 'not_applicable'],
  ],
});

describe('hours that a text shows', () => {
  test.each([
    ['Open Mon–Fri 9:00–17:00', 0, [['09:00-17:00']]],
    ['Open Monday\n9:00 am – 5:30 pm', 0, [['09:00-17:30']]],
    ['Open Mon 9 to 11 am', 0, [['09:00-11:00']]],
    ['Horaires : du lundi au vendredi de 9h00 à 12h00 et de 14h00 à 18h30', 4, [['09:00-12:00', '14:00-18:30']]],
    ['Öffnungszeiten Di.–So. 17 – 23 Uhr', 6, [['17:00-23:00']]],
    ['Öffnungszeiten Sa–Mo 10.00–12.00', 0, [['10:00-12:00']]],
    ['Opening hours: Sunday closed', 6, [[]]],
    ['Orari: lunedì 9:00-13:00', 0, [['09:00-13:00']]],
    ['Open Mon 3-5', 0, undefined],
    ['Open Mon 25:00–27:00', 0, undefined],
    ['Mon 9:00–17:00', 0, undefined],
  ] as const)('%s', (text, day, variants) => {
    expect(readShownHours(text).get(day)).toEqual(variants);
  });

  test('a text of a million days takes no time to speak of, and is read as far as the limit', () => {
    expect(readShownHours(`Open ${'Mon 9:00–17:00 '.repeat(70_000)}`).get(0)?.length).toBeLessThanOrEqual(500);
  });
});
