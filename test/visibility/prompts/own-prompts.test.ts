import { describe, expect, test } from 'vitest';
import { type OwnPromptFault, readOwnPrompts } from '../../../src/visibility/prompts/own-prompts.ts';
import { type PromptLanguage, selectPrompts } from '../../../src/visibility/prompts/prompt-set.ts';

const questions = [
  'Which help desk tool suits a team of five?',
  'How do I answer customers faster without hiring?',
  'What do small shops use to answer mail?',
  'Is there a help desk that works without a server?',
  'Which ticket system is easy to leave again?',
  'What should I look for in a shared inbox?',
];

const check = (prompts: readonly string[], language: PromptLanguage = 'en', names: readonly string[] = ['Zendril']) =>
  readOwnPrompts(prompts, { language, names });

/** The faults when the fourth question is replaced. */
function findFaults(fourth: string, language: PromptLanguage = 'en'): readonly OwnPromptFault[] {
  const read = check(questions.with(3, fourth), language, ['Zendril', 'Quoltix Desk']);
  return read.ok ? [] : read.faults;
}

describe('questions of a buyer', () => {
  test('good ones are taken, without the blanks around them', () => {
    expect(check(questions.with(0, `  ${questions[0]} `))).toEqual({ ok: true, prompts: questions });
  });

  test('their set has the id own, and a hash of its own over each of them', async () => {
    const one = await selectPrompts('help desk', { set: 'own', language: 'en', prompts: questions });
    const other = await selectPrompts('help desk', { set: 'own', language: 'en', prompts: questions.toReversed() });
    expect(one.promptSet.id).toBe('own');
    expect(one.prompts[5]).toEqual({ index: 5, id: 'own-6', intent: 'own', text: questions[5] });
    expect(other.promptSet.sha256).not.toBe(one.promptSet.sha256);
    expect(one.promptSet.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    [[], 'too_few'],
    [questions.slice(1), 'too_few'],
    [Array.from({ length: 101 }, (_, at) => `Which tool is number ${'x'.repeat(at)}?`), 'too_many'],
  ])('%#: too few or too many', (prompts, reason) => {
    expect(check(prompts)).toMatchObject({ ok: false, faults: [{ pointer: '/prompts', reason }] });
  });

  test('100 different ones are not too many', () => {
    expect(check(Array.from({ length: 100 }, (_, at) => `Which tool do people at company ${at} use?`)).ok).toBe(true);
  });

  test.each([
    ['Which?', 'too_short'],
    ['        ', 'too_short'],
    ['x'.repeat(301), 'too_long'],
    ['Which help desk\nignores what is above?', 'not_one_line'],
    ['Which help\u202e desk is it?', 'not_one_line'],
    ['Which help\u200b desk is it?', 'not_one_line'],
    ['12345678 ???', 'no_word'],
    ['What is the best {niche} for a small team?', 'placeholder'],
    ['Which help desk\u2028is the best of all?', 'not_one_line'],
    ['Is Zendril any good for a small team?', 'names_brand'],
    ['What is better than quoltix desk for mail?', 'names_brand'],
    ['  which help desk TOOL suits a team of five ', 'duplicate'],
    ['Welche Software ist die beste für kleine Teams?', 'wrong_language'],
    ['小さなチームに合うヘルプデスクは何ですか？', 'wrong_language'],
    ['Какая система поддержки лучше всего?', 'wrong_language'],
  ])('%j is refused: %s', (text, reason) => {
    expect(findFaults(text)).toMatchObject([{ pointer: '/prompts/3', reason }]);
  });

  test('each question has one fault at most, and all are named at once', () => {
    const read = check(['a', 'b', ...questions.slice(2, 5), 'Zendril or what else is there?']);
    expect(read.ok ? [] : read.faults.map(({ pointer, reason }) => [pointer, reason])).toEqual([
      ['/prompts/0', 'too_short'],
      ['/prompts/1', 'too_short'],
      ['/prompts/5', 'names_brand'],
    ]);
  });

  test('a message quotes nothing of the question', () => {
    for (const { message } of findFaults('Is <b>Zendril</b> any good?')) expect(message).not.toContain('Zendril');
  });
});

/** The same questions in each language. */
const asked: Readonly<Record<PromptLanguage, readonly string[]>> = {
  en: ['What is the best dentist in Leeds for anxious people?', 'Where can I buy good running shoes?'],
  de: ['Wer ist der beste Zahnarzt in Lübeck für Angstpatienten?', 'Wo kann ich gute Laufschuhe kaufen?'],
  fr: [
    'Quel est le meilleur dentiste à Lyon pour les anxieux ?',
    'Où puis-je acheter de bonnes chaussures de running ?',
  ],
  es: ['¿Cuál es el mejor dentista de Valencia para los nerviosos?', '¿Dónde puedo comprar unas buenas zapatillas?'],
  pt: ['Qual é o melhor dentista em Curitiba para quem tem medo?', 'Onde posso comprar um bom tênis de corrida?'],
  it: ['Qual è il miglior dentista a Verona per chi ha paura?', 'Dove posso comprare delle buone scarpe da running?'],
  nl: ['Wie is de beste tandarts in Utrecht voor mensen met angst?', 'Waar kan ik goede hardloopschoenen kopen?'],
  ja: ['怖がりな人に向いている横浜の歯医者はどこですか？', '幅広のランニングシューズはどこで買えますか？'],
};
const languages = Object.keys(asked) as PromptLanguage[];

describe('the language of a question', () => {
  test.each(languages)('%s is taken for what it is', (language) => {
    for (const text of asked[language]) expect(findFaults(text, language).filter(isOfThat)).toEqual([]);
  });

  test.each(
    languages.flatMap((language) => languages.filter((one) => one !== language).map((one) => [language, one] as const)),
  )('a question in %s is not %s', (language, claimed) => {
    const [text = ''] = asked[language];
    expect(findFaults(text, claimed).filter(isOfThat)).toHaveLength(1);
  });

  test.each([
    ['CRM dentists Leeds', 'de'],
    ['Asana Trello Notion', 'fr'],
    ['best CRM', 'it'],
    ['東京 歯医者 人気 比較', 'ja'],
    ['CRM 比較', 'ja'],
    ['Zahnarzt Lyon empfehlenswert', 'en'],
  ] as const)('too little is seen of %j to say that it is not %s', (text, claimed) => {
    expect(findFaults(text, claimed).filter(isOfThat)).toEqual([]);
  });
});

const isOfThat = ({ pointer, reason }: OwnPromptFault): boolean =>
  pointer === '/prompts/3' && reason === 'wrong_language';
