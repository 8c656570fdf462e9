import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EngineAnswer,
  type AnswerFailure,
  MAX_ANSWER_BYTES,
  type AnswerPrompt,
} from '../../../../src/models/port.ts';
import { intents } from '../../../../src/visibility/run/intents.ts';
import { MAX_BRANDS, MAX_BRAND_NAME_CHARS, findNamesFault } from '../../../../src/models/adapters/simulated/names.ts';
import { ordinarySentences, words } from '../../../../src/models/adapters/simulated/words-data.ts';
import {
  type BrandTruth,
  demoBrands,
  parseBrands,
  type SimulatedBrand,
  createSimulatedEngine,
  computeSimulatedTruth,
} from '../../../../src/models/adapters/simulated/answer.ts';
import { naughty } from '../../../support/audit/hostile-text.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const MIN_CHARS = 1200;
const MAX_CHARS = 3500;
const SEED = 'seed of the tests';

const promptOf = (text: string, index = 0): AnswerPrompt => ({
  index,
  id: `prompt-${index}`,
  intent: intents[index % intents.length] ?? 'discovery',
  text,
});

const promptsOf = (count: number): readonly AnswerPrompt[] =>
  Array.from({ length: count }, (_, index) => promptOf(`Question ${index} about help desk software?`, index));

const open = new AbortController().signal;

async function textsOf(
  prompts: readonly AnswerPrompt[],
  brands: readonly SimulatedBrand[],
): Promise<readonly string[]> {
  const engine = createSimulatedEngine({ seed: SEED, brands });
  return Promise.all(prompts.map(async (prompt) => answered(await engine.answer(prompt, open)).text));
}

const answerOf = async (prompt: AnswerPrompt, seed = SEED): Promise<EngineAnswer> =>
  answered(await createSimulatedEngine({ seed, brands: demoBrands }).answer(prompt, open));

function answered(answer: EngineAnswer | AnswerFailure): EngineAnswer {
  if (!answer.ok) throw new Error(answer.detail);
  return answer;
}

/** Brands of made-up names of a length, which differ in one letter inside. */
const market = (count: number, mention: number, recommend: number, chars = 10): readonly SimulatedBrand[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `Zor${'aeiou'[at % 5]}b${'bdfgkl'[Math.floor(at / 5)]}att`.padEnd(chars, 'q'),
    mention,
    recommend,
  }));

type Written = { text: string; truth: readonly BrandTruth[] };

/** Answers with the truth about each brand. */
async function written(count: number, brands = demoBrands): Promise<readonly Written[]> {
  const prompts = promptsOf(count);
  const texts = await textsOf(prompts, brands);
  return texts.map((text, at) => ({
    text,
    truth: computeSimulatedTruth({ seed: SEED, brands }, prompts[at] ?? promptOf('')),
  }));
}

describe('an answer', () => {
  test('is the same to the byte for the same seed and prompt', async () => {
    const prompt = promptOf('Best help desk?');
    expect(await answerOf(prompt)).toEqual(await answerOf(prompt));
  });

  test.each([
    ['another seed', promptOf('Best help desk?'), 'other'],
    ['another prompt', promptOf('Best help desk!'), SEED],
  ])('is another one for %s', async (_, prompt, seed) => {
    const first = await answerOf(promptOf('Best help desk?'));
    expect((await answerOf(prompt, seed)).text).not.toBe(first.text);
  });

  test('does not depend on what was asked before, nor on the number and id of the prompt', async () => {
    const engine = createSimulatedEngine({ seed: SEED, brands: demoBrands });
    for (const prompt of promptsOf(5)) await engine.answer(prompt, open);
    const late = await engine.answer({ ...promptOf('Best help desk?'), index: 29, id: 'late' }, open);
    expect(late).toEqual(await answerOf(promptOf('Best help desk?')));
  });

  test('is finished, names its model, and has neither citations nor a count of tokens', async () => {
    expect(await answerOf(promptOf('Best help desk?'))).toMatchObject({
      ok: true,
      servedModel: 'simulated-1',
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });

  test('comes from an engine that says it is simulated and by which model', async () => {
    const engine = createSimulatedEngine({ seed: SEED, brands: demoBrands, model: 'other' });
    expect(engine).toMatchObject({ kind: 'simulated', model: 'other' });
    expect(await engine.answer(promptOf('Best help desk?'), open)).toMatchObject({ servedModel: 'other' });
  });

  test.each([
    ['the demo brands', demoBrands],
    ['no brand drawn', market(12, 0, 1)],
    ['one brand, recommended', market(1, 1, 1)],
    ['one brand, not recommended', market(1, 1, 0)],
    ['30 brands, all recommended', market(30, 1, 1)],
    ['30 brands, none recommended', market(30, 1, 0)],
    ['30 brands, half recommended', market(30, 1, 0.5)],
    ['30 names of 20 characters', market(30, 1, 0.5, 20)],
    ['30 names of 20 characters, all recommended', market(30, 1, 1, 20)],
    ['30 names of 20 characters, none recommended', market(30, 1, 0, 20)],
    ['14 names of 30 characters', market(14, 1, 0.75, 30)],
    ['8 names of 40 characters', market(8, 1, 1, 40)],
  ])(`has ${MIN_CHARS} to ${MAX_CHARS} characters with %s`, async (_, brands) => {
    const lengths = (await written(400, brands)).map(({ text }) => text.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(MIN_CHARS);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_CHARS);
  });

  test('of the longest names is no longer than a run keeps', async () => {
    const texts = await textsOf(promptsOf(100), market(MAX_BRANDS, 1, 0.5, MAX_BRAND_NAME_CHARS));
    expect(Math.max(...texts.map((text) => new TextEncoder().encode(text).length))).toBeLessThan(MAX_ANSWER_BYTES);
  });

  test('can be written for any seed and prompt', async () => {
    const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...naughty));
    await fc.assert(
      fc.asyncProperty(any, any, async (seed, text) => {
        const answer = await answerOf(promptOf(text), seed);
        expect(answer.text.length).toBeGreaterThanOrEqual(MIN_CHARS);
        expect(answer.text.length).toBeLessThanOrEqual(MAX_CHARS);
      }),
      { numRuns: budgetFor(60, 300) },
    );
  });
});

describe('the draws', () => {
  const COUNT = 4000;
  const prompts = promptsOf(COUNT);
  const truths = prompts.map((prompt) => computeSimulatedTruth({ seed: SEED, brands: demoBrands }, prompt));
  const mentionedAt = (at: number): readonly number[] => truths.map((truth) => Number(truth[at]?.mentioned ?? false));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const errors = (seen: number, expected: number, n: number): number =>
    Math.abs(seen - expected) / Math.sqrt((expected * (1 - expected)) / n);

  const cells = demoBrands.flatMap((brand, at) =>
    intents.map((intent) => ({ name: brand.name, intent, at, expected: brand.byIntent?.[intent] ?? brand.mention })),
  );

  test.each(cells)('$name is in $expected of the answers about $intent', ({ at, intent, expected }) => {
    const seen = mentionedAt(at).filter((_, index) => prompts[index]?.intent === intent);
    expect(errors(sum(seen) / seen.length, expected, seen.length)).toBeLessThan(4);
  });

  test.each(demoBrands.map((brand, at) => ({ name: brand.name, at, expected: brand.recommend ?? 0.75 })))(
    '$name is recommended in $expected of the answers that name it, and in no other',
    ({ at, expected }) => {
      const named = truths.flatMap((truth) => truth[at] ?? []).filter(({ mentioned }) => mentioned);
      const recommended = truths.filter((truth) => truth[at]?.recommended);
      expect(recommended.every((truth) => truth[at]?.mentioned)).toBe(true);
      expect(errors(recommended.length / named.length, expected, named.length)).toBeLessThan(4);
    },
  );

  test('do not tell one brand from another, nor the next answer from this one', () => {
    const brands = market(12, 0.5, 0.5);
    const drawn = prompts.map((prompt) =>
      computeSimulatedTruth({ seed: SEED, brands }, prompt).map(({ mentioned }) => mentioned),
    );
    const agreement = (one: number, other: number, lag: number): number =>
      sum(drawn.slice(lag).map((row, index) => Number(row[one] === drawn[index]?.[other]))) / (COUNT - lag);
    for (const one of brands.keys())
      for (const other of brands.keys()) {
        expect(errors(agreement(one, other, 1), 0.5, COUNT - 1)).toBeLessThan(4.5);
        if (one !== other) expect(errors(agreement(one, other, 0), 0.5, COUNT)).toBeLessThan(4.5);
      }
  });

  test('are others for another seed, with the same probability', () => {
    const prompt = promptOf('Best help desk?');
    const drawn = Array.from({ length: COUNT }, (_, at) =>
      computeSimulatedTruth({ seed: `run ${at}`, brands: demoBrands }, prompt),
    );
    for (const [at, { mention }] of demoBrands.entries()) {
      const seen = sum(drawn.map((truth) => Number(truth[at]?.mentioned ?? false))) / COUNT;
      expect(errors(seen, mention, COUNT)).toBeLessThan(4);
    }
  });

  test('of a brand stay what they are when other brands join the market', () => {
    const [first] = demoBrands;
    if (first === undefined) throw new Error('there is no demo brand');
    expect(prompts.map((prompt) => computeSimulatedTruth({ seed: SEED, brands: [first] }, prompt)[0])).toEqual(
      truths.map(([truth]) => truth),
    );
  });

  test.each([0, 1])('with a probability of %d are certain', (mention) => {
    const brands = market(3, mention, mention);
    const drawn = prompts.flatMap((prompt) => computeSimulatedTruth({ seed: SEED, brands }, prompt));
    expect(new Set(drawn.map(({ mentioned }) => mentioned))).toEqual(new Set([mention === 1]));
  });
});

describe('what an answer says is its truth', () => {
  /** Other spellings count as the name: capitals, no accents, no or other spaces. */
  const spellingsOf = (name: string): readonly string[] =>
    [name, name.replaceAll(' ', ''), name.replaceAll(' ', '-'), name.replaceAll('-', ' ')].flatMap((spelling) => [
      spelling.toLowerCase(),
      spelling.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase(),
    ]);

  const isWordIn = (text: string, word: string): boolean =>
    text.split(word).some((before, at, pieces) => {
      const after = pieces[at + 1];
      return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
    });

  const names = (text: string, name: string): boolean =>
    spellingsOf(name).some((spelling) => isWordIn(text.toLowerCase(), spelling));

  /** Without what names nobody: URLs, and the demo brands' words with their ordinary meaning. */
  const read = (text: string): string =>
    ordinarySentences.reduce(
      (rest, sentence) => rest.replaceAll(sentence, ''),
      text.replaceAll(/https?:\/\/[^\s)>]{1,300}/gu, ''),
    );

  const COMPARED = /\b(?:unlike|alternatives to|compared with|switch from|instead of)\b/iu;
  const ADVISED_AGAINST = /\b(?:skip|not recommend|stay away)\b/iu;
  const AGAINST_LEAD = words.avoidedLead;
  const OFFERED =
    /^(?:#{2,4} |\d{1,2}\. |- |\| )|\b(?:go with|great option|would recommend|top pick|worth a try|best choice|also recommend)\b/iu;

  /** Sentences and lines that stand as advice, and apart from them those in a section of options to leave alone. */
  function parts(text: string): { open: readonly string[]; against: readonly string[] } {
    const [before = '', after = ''] = AGAINST_LEAD.reduce<readonly string[]>(
      (found, lead) => (found.length > 1 ? found : text.split(lead)),
      [text],
    );
    const [against = '', ...rest] = after.split('\n### ');
    const lines = (block: string): readonly string[] => block.split(/\n|(?<=\D[.!?](?:\[\d\])?) /u);
    return { open: lines([before, ...rest].join('\n### ')), against: lines(against) };
  }

  test.each([
    ['the demo brands', demoBrands],
    ['30 brands', market(30, 0.5, 0.5)],
    [
      'names with signs',
      ['C++', '.NET', 'Yahoo!', 'AT&T', '1Password', '東京デスク', "Zorblatt's", 'Zorblatt $& Club'],
    ],
  ])('every name that was drawn occurs, and no other is named: %s', async (_, given) => {
    const brands = given.map((brand) => (typeof brand === 'string' ? { name: brand, mention: 0.5 } : brand));
    for (const { text, truth } of await written(500, brands))
      for (const { name, mentioned } of truth) {
        if (mentioned) expect(read(text)).toContain(name);
        if (!mentioned && names(read(text), name)) expect.fail(`${name} was not drawn: ${text}`);
      }
  });

  test.each([
    ['the demo brands', demoBrands],
    ['many brands', market(30, 0.8, 0.4)],
  ])('a brand is offered when it is recommended, and else compared or advised against: %s', async (_, brands) => {
    for (const { text, truth } of await written(500, brands)) {
      const { open: advice, against } = parts(read(text));
      for (const { name } of truth.filter(({ recommended }) => recommended)) {
        const own = advice.filter((line) => names(line, name));
        expect(own.some((line) => OFFERED.test(line) && !COMPARED.test(line))).toBe(true);
        expect([
          ...own.filter((line) => ADVISED_AGAINST.test(line)),
          ...against.filter((line) => names(line, name)),
        ]).toEqual([]);
      }
      for (const { name } of truth.filter(({ mentioned, recommended }) => mentioned && !recommended))
        for (const line of advice.filter((part) => names(part, name)))
          if (!COMPARED.test(line) && !ADVISED_AGAINST.test(line)) expect.fail(`${name} is offered: ${line}\n${text}`);
    }
  });

  test('advice against a brand is the smaller part of what does not recommend it', async () => {
    const brands = market(1, 1, 0);
    const texts = await textsOf(promptsOf(1000), brands);
    const against = texts.filter((text) => {
      const { open: advice, against: section } = parts(text);
      return section.some((line) => line !== '') || advice.some((line) => ADVISED_AGAINST.test(line));
    });
    expect(against.length).toBeGreaterThan(100);
    expect(against.length).toBeLessThan(300);
  });

  test('what is recommended after many others stands in a short list', async () => {
    const texts = await textsOf(promptsOf(50), market(12, 1, 1));
    const leads: readonly string[] = words.moreLead;
    expect(texts.every((text) => leads.some((lead) => text.includes(`\n\n${lead}\n\n- **Zor`)))).toBe(true);
  });
});

describe('the traps', () => {
  const texts = textsOf(promptsOf(3000), demoBrands);

  test.each([
    ['a numbered list with bold names', /^1\. \*\*Brindlewick\*\*/mu],
    ['headings that are names', /^### 1\. Brindlewick$/mu],
    ['a heading with emoji and a label', /^### \p{Extended_Pictographic}\S? [A-Z][a-z -]{3,30}: Brindlewick$/mu],
    ['a table of options', /^\| \*{0,2}Brindlewick\*{0,2} \|/mu],
    ['a table of criteria', /^\| Setup time \|/mu],
    ['nested bullets under a label', /^ {3}- \*\*Pros:\*\*\n {5}- /mu],
    ['labels as bold heads', /^- \*\*Ease of use:\*\*/mu],
    ['prose that recommends', /^I'd go with Brindlewick/mu],
    ['a straight possessive', /Brindlewick's/u],
    ['a curly possessive', /Brindlewick’s/u],
    ['a possessive as an entity', /Brindlewick&#39;s/u],
    ['a name with an entity', /Velmarrow &amp; Pine/u],
    ['a name in capitals', /\bBRINDLEWICK\b/u],
    ['a name in one word', /\bExampleDesk\b/u],
    ['a name without its accent', /\bMoravik\b/u],
    ['a comparison', /Unlike Example Desk, /u],
    ['advice against a brand', /I would not recommend Example Desk\b/u],
    ['a section of options to leave alone', /^### What I would skip\n\n- /mu],
    ['a common word in lower case', /\bor thereabouts\b/u],
    ['two common words in lower case', /\ban example desk with\b/u],
    ['a name inside a longer word', /\b(?:transferring|responsive|forward)\b/u],
    ['a name before the end of a longer word', /\bquillmoorologists\b/u],
    ['a name in a URL', /https:\/\/www\.quillmoor\.example\/plans/u],
    ['a name in fenced code', /^```\ncurl https:\/\/api\.example\/v1\/quillmoor\/status\n```$/mu],
    ['a citation in brackets', /\[1\]\[2\]/u],
    ['a citation of another form', /【4†source】/u],
    ['bold words that are no name', /\*\*less clutter\*\*/u],
  ])('hold %s', async (_, trap) => {
    expect((await texts).some((text) => trap.test(text))).toBe(true);
  });

  test('put a name in a URL only when the answer does not name that brand', async () => {
    const slugs = new Map(
      demoBrands.map(({ name }) => [
        name,
        name
          .normalize('NFD')
          .toLowerCase()
          .replaceAll(/[^a-z]+/gu, ''),
      ]),
    );
    for (const { text, truth } of await written(1000)) {
      const urls = [...text.matchAll(/https?:\/\/[^\s)>]{1,300}/gu)].map(([url]) => url.replaceAll(/[^a-z]/gu, ''));
      for (const { name } of truth.filter(({ mentioned }) => mentioned))
        expect(urls.filter((url) => url.includes(slugs.get(name) ?? name))).toEqual([]);
    }
  });

  test('read only lists that exist', () => {
    const filled = ['name', 'names', 'other', 'n', 'respelled', 'capitals', 'slug', 'inside'];
    const slots = Object.values(words)
      .flat()
      .flatMap((sentence) => [...sentence.matchAll(/\{(\w{1,20})\}/gu)].map(([, slot]) => slot ?? ''));
    expect(slots.filter((slot) => !filled.includes(slot) && !Object.hasOwn(words, slot))).toEqual([]);
  });
});

describe('stopping', () => {
  const aborted = AbortSignal.abort();
  const stopped = { ok: false, reason: 'timeout', retryable: true };
  const prompt = promptOf('Best help desk?');
  const engineWith = (delay: (signal: AbortSignal) => Promise<void>): ReturnType<typeof createSimulatedEngine> =>
    createSimulatedEngine({ seed: SEED, brands: demoBrands, delay });

  test('an aborted signal answers timeout without waiting', async () => {
    const waits: AbortSignal[] = [];
    const engine = engineWith((signal) => {
      waits.push(signal);
      return Promise.resolve();
    });
    expect(await engine.answer(prompt, aborted)).toMatchObject(stopped);
    expect(waits).toEqual([]);
    await engine.answer(prompt, open);
    expect(waits).toEqual([open]);
  });

  test.each([
    ['rejects', (reject: () => void): void => reject()],
    ['only returns', (_: () => void, resolve: () => void): void => resolve()],
  ])('a signal during the delay answers timeout when the delay %s', async (_, settle) => {
    const controller = new AbortController();
    const engine = engineWith(
      (signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => {
            settle(() => reject(new Error('aborted')), resolve);
          });
        }),
    );
    const answer = engine.answer(prompt, controller.signal);
    controller.abort();
    expect(await answer).toMatchObject(stopped);
  });

  test('a delay that ends in time changes nothing in the answer', async () => {
    expect(await engineWith(() => Promise.resolve()).answer(prompt, open)).toEqual(await answerOf(prompt));
  });

  test('a delay that fails by itself is a bug and throws', async () => {
    await expect(engineWith(() => Promise.reject(new Error('broken clock'))).answer(prompt, open)).rejects.toThrow(
      'broken clock',
    );
  });
});

describe('parseBrands', () => {
  test.each([
    [
      'Acme=0.4,Beta Corp=0.7',
      [
        { name: 'Acme', mention: 0.4 },
        { name: 'Beta Corp', mention: 0.7 },
      ],
    ],
    [
      ' Acme = .5 , Beta=1 ',
      [
        { name: 'Acme', mention: 0.5 },
        { name: 'Beta', mention: 1 },
      ],
    ],
    ['Acme=0', [{ name: 'Acme', mention: 0 }]],
    ['Acme=1.0', [{ name: 'Acme', mention: 1 }]],
    ['C++=0.5,Yahoo!=0.25,.NET=0.1,1Password=0.2,AT&T=0.3', ['C++', 'Yahoo!', '.NET', '1Password', 'AT&T']],
    [
      'Zendesk=0.5,Notion=0.5,Target=0.5,東京デスク=0.5,Café Olé=0.5',
      ['Zendesk', 'Notion', 'Target', '東京デスク', 'Café Olé'],
    ],
    [`${'a'.repeat(120)}=0.5`, ['a'.repeat(120)]],
  ])('%j is read', (text, expected) => {
    const parsed = parseBrands(text);
    const got = parsed.ok
      ? parsed.brands.map((brand, at) => (typeof expected[at] === 'string' ? brand.name : brand))
      : parsed;
    expect(got).toEqual(expected);
  });

  test.each([
    ['', 'there is no brand'],
    ['  ', 'there is no brand'],
    ['Acme', 'brand 1 is not written as name=probability'],
    ['Acme=0.4,', 'brand 2 is not written as name=probability'],
    ['Acme=0.4=0.5', 'brand 1 is not written as name=probability'],
    ['Acme=', 'brand 1 has no probability from 0 to 1'],
    ['Acme=1.01', 'brand 1 has no probability from 0 to 1'],
    ['Acme=0.4,Beta=-0.1', 'brand 2 has no probability from 0 to 1'],
    ['Acme=1e-1', 'brand 1 has no probability from 0 to 1'],
    ['Acme=0x1', 'brand 1 has no probability from 0 to 1'],
    ['Acme=NaN', 'brand 1 has no probability from 0 to 1'],
    ['Acme=40%', 'brand 1 has no probability from 0 to 1'],
    ['=0.4', 'brand 1 has no name'],
    [`${'a'.repeat(121)}=0.5`, 'brand 1 has a name of more than 120 characters'],
    [Array.from({ length: 31 }, (_, at) => `Zorblatt${at}q=0.5`).join(','), 'there are more than 30 brands'],
    [`Acme=0.4,${' '.repeat(5000)}`, 'the list has over 4200 characters'],
    ['Acme=0.4,ACME=0.5', 'brand 1 has a name that is part of the name of another brand'],
    ['Acme=0.4,Acme Pro=0.5', 'brand 1 has a name that is part of the name of another brand'],
    ['Zorb Latt=0.4,ZorbLatt Pro=0.5', 'brand 1 has a name that is part of the name of another brand'],
    ['Acme=0.4,Pricing=0.5', 'brand 2 has words as its name that the answers use with their ordinary meaning'],
    ['LiveChat=0.5', 'brand 1 has words as its name that the answers use with their ordinary meaning'],
    ['Over View=0.5', 'brand 1 has words as its name that the answers use with their ordinary meaning'],
    ['**Acme**=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['Acme | Co=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['Ac\u202Eme=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['Ac\nme=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['https://acme.example=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['1. Acme=0.5', 'brand 1 has characters in its name that cannot be in text'],
    ['...=0.5', 'brand 1 has characters in its name that cannot be in text'],
  ])('%j is refused', (text, detail) => {
    const parsed = parseBrands(text);
    expect(parsed.ok ? 'accepted' : parsed.detail).toContain(detail);
    expect(JSON.stringify(parsed)).not.toContain('Acme');
  });

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...naughty)), (text) => {
        expect(typeof parseBrands(`${text}=0.5`).ok).toBe('boolean');
      }),
    );
  });
});

describe('an engine is refused', () => {
  test.each([
    ['no brand', [], 'there is no brand'],
    ['a probability over 1', [{ name: 'Acme', mention: 1.2 }], 'a probability is not from 0 to 1'],
    ['no number', [{ name: 'Acme', mention: Number.NaN }], 'a probability is not from 0 to 1'],
    ['a negative share', [{ name: 'Acme', mention: 1, recommend: -1 }], 'a probability is not from 0 to 1'],
    ['an intent over 1', [{ name: 'Acme', mention: 1, byIntent: { price: 2 } }], 'a probability is not from 0 to 1'],
    ['a name that is a word of the answers', [{ name: 'Free trial', mention: 1 }], 'ordinary meaning'],
    ['a name with spaces around it', [{ name: ' Acme', mention: 1 }], 'spaces around it'],
  ])('for %s', (_, brands, detail) => {
    expect(() => createSimulatedEngine({ seed: SEED, brands })).toThrow(detail);
  });

  test('but not for the demo brands', () => {
    expect(findNamesFault(demoBrands.map(({ name }) => name))).toBeUndefined();
    expect(demoBrands.map(({ name }) => name)).toEqual(expect.arrayContaining(['Example Desk', 'Sample Support']));
  });
});
