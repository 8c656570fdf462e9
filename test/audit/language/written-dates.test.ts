import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findWrittenDate,
  findWrittenMonth,
  isMonthName,
  parseShortDay,
} from '../../../src/audit/language/written-dates.ts';

const dayOf = (text: string): string | undefined => {
  const found = findWrittenDate(text);
  return found && new Date(found.ms).toISOString().slice(0, 10);
};

describe('a day that is written out', () => {
  test.each([
    ['March 3, 2015', '2015-03-03'],
    ['Mar. 3rd, 2015', '2015-03-03'],
    ['3 March 2015', '2015-03-03'],
    ['Tue Mar 03 14:57:21 CEST 2015', '2015-03-03'],
    ['the 3rd of March 2015', '2015-03-03'],
    ['THE 3RD OF MARCH 2015', '2015-03-03'],
    ['MARCH 22ND, 2015', '2015-03-22'],
    ['1ſt May 2015', '2015-05-01'],
    ['TUE MAR 03 14:57:21 cest 2015', '2015-03-03'],
    ['LE 1ER AOÛT 2021', '2021-08-01'],
    ['7 DE SEPTIEMBRE DE 2019', '2019-09-07'],
    ['Tuesday, 3 Mar 2015 at 10:30', '2015-03-03'],
    ['3. März 2015', '2015-03-03'],
    ['Donnerstag, 1. Jänner 2026', '2026-01-01'],
    ['Stand: 05.10.2018', '2018-10-05'],
    ['le 1er août 2021', '2021-08-01'],
    ['14 févr. 2020', '2020-02-14'],
    ['7 de septiembre de 2019', '2019-09-07'],
    ['7 settembre 2019', '2019-09-07'],
    ['25 de dezembro de 2022', '2022-12-25'],
    ['12 oktober 2017', '2017-10-12'],
    ['5 stycznia 2023', '2023-01-05'],
    ['9 мая 2024', '2024-05-09'],
    ['1. února 2020', '2020-02-01'],
    ['29 Ekim 2023', '2023-10-29'],
    ['10 سبتمبر 2026', '2026-09-10'],
    ['10 בספטמבר 2026', '2026-09-10'],
    ['2024年2月29日', '2024-02-29'],
    ['2024년 2월 29일', '2024-02-29'],
    ['2019/11/30', '2019-11-30'],
    ['2019-11-30T08:00', '2019-11-30'],
    ['(2019.11.30)', '2019-11-30'],
    ['11/30/2019', '2019-11-30'],
    ['30/11/2019', '2019-11-30'],
  ])('is read in %s', (text, day) => {
    expect(dayOf(text)).toBe(day);
  });

  test('comes first where both orders of day and month make a date', () => {
    expect(dayOf('04/05/2020')).toBe('2020-05-04');
  });

  test('is given as it is written', () => {
    expect(findWrittenDate('Published on March 3, 2015 by Ada')?.text).toBe('March 3, 2015');
  });
});

test.each([
  'March 2015',
  '3 March',
  '31 April 2020',
  '30 February 2020',
  '13/13/2019',
  '2019/13/01',
  '12 lamps 2020',
  'version 1.2.2019.4',
  'part-03-04-2019-b',
  'call 030/11/20199',
  '3 March 1015',
  '03.04-2019',
  `${'prose '.repeat(60)}3 March 2015`,
  '',
])('%j is no date', (text) => {
  expect(findWrittenDate(text)).toBeUndefined();
});

test('every day is found again, as three languages write it', () => {
  const forms = [
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
    new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' }),
    new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' }),
  ];
  const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2089-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.constantFrom(...forms), (date, form) => {
      expect(dayOf(form.format(date))).toBe(date.toISOString().slice(0, 10));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['September', true],
  ['SEPT', true],
  ['mai', true],
  ['сентября', true],
  ['lamps', false],
  ['', false],
])('%j names a month: %s', (word, named) => {
  expect(isMonthName(word)).toBe(named);
});

test.each([
  ['04/2021', '2021-04-01'],
  ['Date 04/2021', '2021-04-01'],
  ['April 2021', '2021-04-01'],
  ['Stand: Mai 2021', '2021-05-01'],
  ['13/2021', undefined],
  ['Summer 2021', undefined],
  ['We met in April 2021', undefined],
])('the month of %j is %s', (text, month) => {
  const found = findWrittenMonth(text);
  expect(found && new Date(found.ms).toISOString().slice(0, 10)).toBe(month);
});

test.each([
  ['3/09/15 8:00am', '2015-09-03'],
  ['09/30/15', '2015-09-30'],
  ['03.09.99', '1999-09-03'],
  ['3/09/2015', undefined],
  ['41/41/15', undefined],
  ['on 3/09/15', undefined],
])('the day of %j is %s', (text, day) => {
  const ms = parseShortDay(text);
  expect(ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10)).toBe(day);
});
