import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { resultNames } from '../../../src/capabilities/capability-name.ts';
import { failureWords } from '../../../src/net/failure-words-data.ts';
import { apiProblems } from '../../../src/problems/codes.ts';
import {
  capabilityWords,
  getCapabilitySummary,
  getCapabilityTitle,
} from '../../../src/web/language/capability-words.ts';
import { checkTitles, getCheckTitle, getFixTitle } from '../../../src/web/language/check-titles.ts';
import { LANGUAGES, type PageLanguage } from '../../../src/web/language/language.ts';
import { getFailureWords, readFailureWords } from '../../../src/web/language/failure-words.ts';
import { englishProblems } from '../../../src/web/language/english-problems-data.ts';
import { getProblemWords, problemWords } from '../../../src/web/language/problem-words.ts';

/** Lengths that layouts are made for: a title in German is at most so much longer than in English, or a short line. */
const MAX_STRETCH = 1.6;
const SHORT_LINE = 32;

type Pair = { key: string; english: string; german: string };

const [firstTitles, tasks] = [0, 1].map((at) =>
  checks.map(({ id, title, failureTitle }) => ({
    key: id,
    english: at === 0 ? title : failureTitle,
    german: checkTitles.de[id]?.[at] ?? '',
  })),
) as [Pair[], Pair[]];
const problems = Object.entries(apiProblems).flatMap(([code, row]) =>
  (['title', 'means', 'next'] as const).map((part) => ({
    key: `${code}.${part}`,
    english: getProblemWords(code, 'en')?.[part] ?? row[part],
    german: getProblemWords(code, 'de')?.[part] ?? '',
  })),
);
const capabilities = [...catalog, ...panels].flatMap(({ name, summary }) => [
  { key: name, english: getCapabilityTitle(name, 'en'), german: getCapabilityTitle(name, 'de') },
  { key: `${name}.summary`, english: summary, german: getCapabilitySummary(name, 'de', summary) },
]);
const failures = Object.entries(failureWords).flatMap(([failure, { means, next }]) => {
  const german = getFailureWords(failure as keyof typeof failureWords, 'de');
  return [
    { key: `${failure}.means`, english: means, german: german.means },
    { key: `${failure}.next`, english: next, german: german.next },
  ];
});
const all: readonly Pair[] = [...firstTitles, ...tasks, ...problems, ...capabilities, ...failures];

describe('German has each key of the English tables, and no other', () => {
  test.each([
    ['checks', checkTitles.de, checks.map(({ id }) => id)],
    ['problems', problemWords.de, Object.keys(apiProblems)],
    ['capabilities', capabilityWords.de, [...resultNames]],
    ['failures', readFailureWords.de, Object.keys(failureWords)],
  ])('%s', (_name, german, english) => {
    expect(new Set(Object.keys(german))).toEqual(new Set(english));
  });
});

/** Words that no German sentence has: articles, auxiliaries and the like. */
const ENGLISH =
  /\b(?:the|are|and|of|or|not|with|for|this|that|it|its|has|have|be|no|your|you|when|where|which|from|by|at|on|to|send|again)\b/i;
/** Names of things that hold an English word. */
const NAMES = /payTo|Protected Resource Metadata|how_to_configure|do_first|sign-in/g;

describe('the German words', () => {
  test('say each thing, and nothing in English', () => {
    expect(all.filter(({ german }) => german.trim() === '').map(({ key }) => key)).toEqual([]);
    expect(all.filter(({ german, english }) => german === english).map(({ key }) => key)).toEqual([]);
    const leftovers = all.filter(({ german }) => ENGLISH.test(german.replaceAll(NAMES, '')));
    expect(leftovers.map(({ key, german }) => `${key}: ${german}`)).toEqual([]);
  });

  test('quote as German does, and end sentences where English does', () => {
    const quotes = all.filter(({ german }) => /["'‘’”«»]|(?<!„[^“]*)“/.test(german));
    expect(quotes.map(({ key, german }) => `${key}: ${german}`)).toEqual([]);
    const ends = (text: string): boolean => text.endsWith('.') && !text.endsWith('security.txt.');
    expect(all.filter(({ english, german }) => ends(english) !== ends(german)).map(({ key }) => key)).toEqual([]);
  });

  test('name the same paths, headers, settings and numbers', () => {
    const listNamed = (text: string): readonly string[] =>
      [...text.matchAll(/`[^`]+`|\b[A-Z]+_[A-Z_]+\b|\b\w+\.(?:txt|json|md)\b|\bschema\.org\b|\b[1-9]\d*\b/g)]
        .map(([found]) => found)
        .toSorted();
    const differ = [...firstTitles, ...tasks, ...failures]
      .filter(({ english, german }) => {
        const named = listNamed(german);
        return listNamed(english).some((one) => !named.includes(one));
      })
      .map(({ key, english, german }) => `${key}: ${english} / ${german}`);
    expect(differ).toEqual([]);
  });

  test('of titles are not much longer', () => {
    const titles = [...firstTitles, ...tasks, ...problems.filter(({ key }) => key.endsWith('.title')), ...capabilities];
    const long = titles.filter(
      ({ english, german }) => german.length > Math.max(SHORT_LINE, english.length * MAX_STRETCH),
    );
    expect(long.map(({ key, english, german }) => `${key}: ${english.length} / ${german.length} ${german}`)).toEqual(
      [],
    );
  });
});

describe('problems that people meet', () => {
  /** What only programs know: methods, headers, members, and addresses without a page. */
  const OF_PROGRAMS =
    /\b(?:GET|POST|JSON|API|headers?|Retry-After|request_id|run_id|resource|cookies?|schema|body|programs?|Programme?)\b|(?:^| )\/[a-z]/i;
  const met = Object.keys(englishProblems) as (keyof typeof englishProblems)[];

  test.each(LANGUAGES)('are said in %s without the words of programs', (language) => {
    expect(OF_PROGRAMS.test(apiProblems.not_found.next)).toBe(true);
    const said = met.flatMap((code) => Object.values(getProblemWords(code, language) ?? {}));
    expect(said).toHaveLength(met.length * 3);
    expect(said.filter((text) => OF_PROGRAMS.test(text))).toEqual([]);
  });

  test('end their sentences alike in both languages', () => {
    const ends = (code: string, language: PageLanguage): readonly boolean[] =>
      Object.values(getProblemWords(code, language) ?? {}).map((text) => text.endsWith('.'));
    for (const code of met) expect([code, ...ends(code, 'en')]).toEqual([code, false, true, true]);
    for (const code of met) expect([code, ...ends(code, 'de')]).toEqual([code, false, true, true]);
  });
});

describe('a check', () => {
  const [{ id, title, failureTitle }] = checks as [(typeof checks)[number]];

  test('is named by what holds, and by what to do where it asks for a fix', () => {
    expect(getCheckTitle(id, 'de', title)).toBe(checkTitles.de[id]?.[0]);
    expect(getCheckTitle(id, 'de', title, 'pass')).toBe(checkTitles.de[id]?.[0]);
    for (const status of ['fail', 'partial'])
      expect(getCheckTitle(id, 'de', failureTitle, status)).toBe(checkTitles.de[id]?.[1]);
    expect(getFixTitle(id, 'de', failureTitle)).toBe(checkTitles.de[id]?.[1]);
  });

  test('keeps its own title in English, and where no table has it', () => {
    expect(getCheckTitle(id, 'en', 'As stored', 'fail')).toBe('As stored');
    for (const unknown of ['a-check-of-old', '__proto__', 'constructor'])
      expect(getCheckTitle(unknown, 'de', 'As stored')).toBe('As stored');
  });
});

test('a problem that no table has, and English, leave the words to the caller', () => {
  expect(getProblemWords('wrong_amount', 'en')).toBeUndefined();
  for (const code of ['of_another_worker', '__proto__', 'toString'])
    expect(getProblemWords(code, 'de')).toBeUndefined();
});
