import { describe, expect, test } from 'vitest';
import { parseLlmsTxt } from '../../../src/audit/llms-txt/facts/llms-txt.ts';
import { listSlots } from '../../../src/lib/slots.ts';
import { formatFaqJsonLd, renderFaqElement } from '../../../src/visibility/fixes/faq-json-ld.ts';
import { buildVisibilityFixes, MAX_FIXED_WEAK_SPOTS } from '../../../src/visibility/fixes/fixes.ts';
import { formatPublicTopic, selectTopicKind } from '../../../src/visibility/fixes/topic-kind.ts';
import { topicKinds } from '../../../src/visibility/fixes/topic-kinds-data.ts';
import { intents, intentLabels } from '../../../src/visibility/run/intents.ts';
import { auditedSite, statuses } from '../../support/audit/audited.ts';
import { judgeCheck } from '../../support/audit/judge-check.ts';
import { pageOf, prose } from '../../support/audit/pages.ts';
import { html, markdown, SITE, type SiteMap } from '../../support/audit/site-fetch.ts';
import { faqOf, fixOf, TOPICS } from '../../support/audit/visibility-fix.ts';

const wordsOf = (text: string): number => text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

describe('the kind of a topic', () => {
  test.each([
    ['Price and value', 'price'],
    ['What does it COST?', 'price'],
    ['Cheap for teams', 'price'],
    ['free trial', 'price'],
    ['free-range eggs', 'general'],
    ['gluten-free bread', 'general'],
    ['Trust and alternatives', 'trust'],
    ['How reliable is it', 'trust'],
    ['data security', 'trust'],
    ['best customer support', 'trust'],
    ['service for large teams', 'trust'],
    ['price of support', 'price'],
    ['self-service', 'general'],
    ['alternatives', 'switching'],
    ['switching from another tool', 'switching'],
    ['Comparison with others', 'comparison'],
    ['main differences', 'comparison'],
    ['Solving a problem', 'problem'],
    ['job to be done', 'problem'],
    ['Fit for an audience', 'audience'],
    ['Recommendation by audience', 'audience'],
    ['for whom is it', 'audience'],
    ['the best for small businesses', 'audience'],
    ['Being found at all', 'discovery'],
    ['Discovery', 'discovery'],
    ['top options', 'discovery'],
    ['Delivery to islands', 'general'],
    ['Пользователи', 'general'],
    ['', 'general'],
    ['constructor', 'general'],
  ] as const)('%j is %s', (topic, kind) => {
    expect(selectTopicKind(topic)).toBe(topicKinds[kind]);
  });

  test('each has texts of its own', () => {
    const kinds = Object.values(topicKinds);
    const texts = kinds.flatMap(({ heading, passage, questions }) => [
      heading,
      ...passage.slice(0, 3),
      ...questions.map(({ question }) => question),
    ]);
    expect(kinds.length).toBeGreaterThanOrEqual(7);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('a label of our reports', () => {
  const titles = {
    discovery: 'Overview',
    recommendation: 'Who it is for',
    problem: 'Problems it solves',
    comparison: 'How it compares',
    price: 'Prices',
    trust: 'Trust and service',
  } as const;

  test.each(intents)('of %s has a public title in every text', (intent) => {
    const label = intentLabels[intent];
    const fix = fixOf({ topic: label });
    const texts = [fix.passage, fix.llms_txt_section, fix.faq_html, ...faqOf(fix).flat()];
    expect(texts.filter((text) => text.toLowerCase().includes(label.toLowerCase()))).toEqual([]);
    expect(fix.llms_txt_section).toContain(`## Acme: ${titles[intent]}\n`);
    expect(fix.passage).toContain(`on the topic “${titles[intent]}”`);
    expect(fix.verify).toContain(`the row "${intent}" of intents`);
    // So that a caller finds the entry of its weak spot.
    expect(fix.topic).toBe(label);
  });

  test.each(['PRICE AND VALUE', ' Price  and value ', 'Ｐｒｉｃｅ and value'])('is known as %j too', (topic) => {
    expect(fixOf({ topic }).llms_txt_section).toContain('## Acme: Prices\n');
  });

  test.each(['Price and value of onboarding', 'Prices', 'Solving a billing problem'])(
    'is none in a topic of the caller: %s',
    (topic) => {
      const fix = fixOf({ topic });
      expect(fix.llms_txt_section).toContain(`## Acme: ${topic}\n`);
      expect(fix.passage).toContain(`on the topic “${topic}”`);
    },
  );
});

describe.each(TOPICS)('texts on %s', (topic) => {
  test.each([
    ['Acme', 'CRM'],
    ['Acme', 'CRM for dentists'],
    ['Smith and Sons Data', 'patient software for independent dental practices'],
  ])('the passage of %s, %s has 120 to 220 words under a question', (brand, niche) => {
    const { passage } = fixOf({ brand, niche, topic });
    const [heading = '', ...paragraphs] = passage.split('\n\n');
    expect(heading).toMatch(/^## .+\?$/u);
    expect(heading).toContain(brand);
    expect(paragraphs.length).toBeGreaterThanOrEqual(3);
    expect(wordsOf(passage)).toBeGreaterThanOrEqual(120);
    expect(wordsOf(passage)).toBeLessThanOrEqual(220);
  });

  test('the first sentence answers with brand and niche, and every other says whom it is about', () => {
    const { passage } = fixOf({ brand: 'Acme', niche: 'CRM for dentists', topic });
    const [, ...paragraphs] = passage.split('\n\n');
    const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=\.|”\.)\s/u));
    expect(sentences[0]).toContain('Acme (CRM for dentists)');
    // The last one dates the whole passage.
    expect(sentences.slice(0, -1).filter((sentence) => !sentence.includes('Acme'))).toEqual([]);
  });

  test.each([
    ['Uno Due Tre', 'CRM'],
    ['Uno Due Tre Quattro', 'CRM'],
    ['Uno Due Tre Quattro Cinque Sei Sette Otto', 'a b c d e f g h i j k l'],
    ['Uno Due Tre Quattro Cinque Sei Sette Otto', 'CRM'],
    ['Acme', 'a b c d e f g h i j k l'],
  ])('the passage of %s, %s keeps to 120 to 220 words', (brand, niche) => {
    const { passage } = fixOf({ brand, niche, topic });
    expect(wordsOf(passage)).toBeGreaterThanOrEqual(120);
    expect(wordsOf(passage)).toBeLessThanOrEqual(220);
    expect(passage).toContain(`${brand} (${niche})`);
  });

  test('the passage writes a long brand out twice, and is about "this brand" then', () => {
    const { passage } = fixOf({ brand: 'Smith and Sons Data', niche: 'CRM', topic });
    const [heading, ...parts] = passage.split('Smith and Sons Data');
    expect(parts).toHaveLength(2);
    expect([heading, ...parts].join('')).toMatch(/[Tt]his brand/u);
    // A sentence starts with a capital, and nothing else does.
    expect(passage).not.toMatch(/(?:\. |\n)this brand|[a-z,;)] This brand/u);
  });

  test('asks for a statistic, a source, a quotation and a date, and lists every slot', () => {
    const fix = fixOf({ topic });
    const types = new Set(listSlots(fix.passage).map((slot) => slot.split(':')[0]));
    expect([...types]).toEqual(expect.arrayContaining(['statistic', 'source', 'quotation', 'date']));
    expect(fix.facts_needed).toEqual(listSlots([fix.passage, ...faqOf(fix).flat(), fix.llms_txt_section].join('\n')));
    for (const slot of fix.facts_needed)
      expect(slot).toMatch(
        /^(?:description|statistic|source|quotation|price|date|customer|name|address): [a-z][^{}()[\]:]{3,100}$/u,
      );
    // A slot that is cut at its bound would ask for half a thing.
    expect(fix.facts_needed.filter((slot) => slot.length >= 120)).toEqual([]);
  });

  test('the structured data are a FAQPage of three to six questions that our own check accepts', async () => {
    const fix = fixOf({ topic, brand: 'AT&T', niche: 'phones "and" more' });
    const page: unknown = JSON.parse(fix.faq_json_ld);
    expect(page).toMatchObject({ '@context': 'https://schema.org', '@type': 'FAQPage' });
    const faq = faqOf(fix);
    expect(faq.length).toBeGreaterThanOrEqual(3);
    expect(faq.length).toBeLessThanOrEqual(6);
    for (const [question, answer] of faq) {
      expect(question).toMatch(/^[A-Z].*(?:AT&T|phones "and" more).*\?$/u);
      expect(answer).toMatch(/[.”]$/u);
      expect(listSlots(answer)).not.toEqual([]);
    }
    const known = (text: string): string => text.replaceAll(/\[FACT NEEDED: [^\]]+\]/gu, 'what the owner knows');
    const shown = faq.map(
      ([question, answer]) => `<h2>${escapedHtml(question)}</h2><p>${escapedHtml(known(answer))}</p>`,
    );
    const body = `<main>${shown.join('')}</main>`;
    for (const id of ['geo.schema.faq', 'geo.schema.faq-parity', 'geo.schema.parses', 'geo.schema.known-types'])
      expect([id, await judgeCheck(id, pageOf(body, known(fix.faq_html)))]).toMatchObject([id, { status: 'pass' }]);
    // What `place` says: without the visible text the markup breaks the rules.
    expect(await judgeCheck('geo.schema.faq-parity', pageOf('<main></main>', known(fix.faq_html)))).toMatchObject({
      status: 'fail',
    });
  });

  test('the questions are about the brand, and about the niche alone as people ask who do not know it', () => {
    const faq = faqOf(fixOf({ topic }));
    const unbranded = faq.filter(([question]) => !question.includes('Acme'));
    expect(unbranded.length).toBeGreaterThanOrEqual(topic === 'Being found at all' ? 2 : 1);
    expect(unbranded.filter(([question]) => !question.includes('CRM for dentists'))).toEqual([]);
    expect(faq.length - unbranded.length).toBeGreaterThanOrEqual(3);
  });

  test('the section passes our own llms.txt checks, with its slots and with addresses in their place', async () => {
    const { llms_txt_section: section } = fixOf({ topic, brand: 'Acme', niche: 'CRM for dentists' });
    const head = '# Acme\n\n> What Acme does, in a line.\n\n';
    expect(await llmsChecks(`${head}${section}\n`, [])).toEqual(LLMS_CHECKS);

    const pages: string[] = [];
    const filled = section.replaceAll(/\[FACT NEEDED: address: [^\]]+\]/gu, () => {
      pages.push(`/answer-${pages.length}.md`);
      return `${SITE}${pages.at(-1) ?? ''}`;
    });
    expect(pages.length).toBeGreaterThanOrEqual(2);
    expect(parseLlmsTxt(filled, 0).links.map(({ href }) => href)).toEqual(['/', ...pages.map((path) => SITE + path)]);
    expect(await llmsChecks(`${head}${filled}\n`, pages)).toEqual({ ...LLMS_CHECKS, 'agent.llms.coverage': 'pass' });
  });

  test('names no page that may not exist: an address that we do not know is no link', () => {
    const { llms_txt_section: section } = fixOf({ topic });
    const file = parseLlmsTxt(section, 0);
    expect(file.links.map(({ href }) => href)).toEqual(['/']);
    expect(file.sections).toEqual([{ title: `Acme: ${formatPublicTopic(topic)}`, line: 1, links: 1 }]);
    expect(
      section.match(/^- \[[A-Z][\w -]+\]\(\[FACT NEEDED: address: https address of [^\]]+\]\): .+$/gmu),
    ).toHaveLength(section.split('\n').length - 3);
  });

  test('says where each text goes and how to see the effect', () => {
    const { place, verify } = fixOf({ topic });
    expect(Object.keys(place)).toEqual(['passage', 'faq_json_ld', 'llms_txt_section']);
    expect(place.faq_json_ld).toContain('visible text');
    expect(verify).toMatch(
      /Publish.*wait.*visibility_check again.*mention_rate of the whole measurement over several runs/su,
    );
    expect(verify).toMatch(/too few to show an effect\.$/u);
    expect(verify).not.toMatch(/overlap/u);
  });
});

const LLMS_CHECKS = {
  'agent.llms.exists': 'pass',
  'agent.llms.content-type': 'pass',
  'agent.llms.h1-first': 'pass',
  'agent.llms.summary': 'pass',
  'agent.llms.sections': 'pass',
  'agent.llms.size': 'pass',
  'agent.llms.full': 'not_applicable: There is no llms-full.txt, and none is needed.',
  'agent.llms.statistics': 'pass',
  'agent.llms.no-injection': 'pass',
  'agent.llms.links-described': 'pass',
  'agent.llms.links-resolve': 'pass',
  'agent.llms.links-text': 'pass',
  'agent.llms.same-site': 'pass',
  'agent.llms.coverage': 'not_applicable: The navigation of the start page links to no other page of the site.',
};

/** What check_llms_txt says about a file on a site whose navigation leads to `pages`. */
async function llmsChecks(file: string, pages: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const nav = pages.map((path) => `<a href="${path}">Page</a>`).join('');
  const map: SiteMap = {
    '/': html(pageOf(`<nav>${nav}</nav><main><h1>Acme</h1>${prose(90)}</main>`)),
    '/llms.txt': markdown(file),
    ...Object.fromEntries(pages.map((path) => [path, markdown('# Answer\n\nIn full.')])),
  };
  const all = statuses(await auditedSite(map), 'agent.llms.');
  return Object.fromEntries(Object.keys(LLMS_CHECKS).map((id) => [id, all[id] ?? 'not judged']));
}

const escapedHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('a call', () => {
  test('answers each weak spot in its order, the same bytes every time', () => {
    const input = {
      brand: 'Acme',
      niche: 'CRM',
      weak_spots: [{ topic: 'Price and value' }, { topic: 'Delivery' }, { topic: 'Comparison' }],
    };
    const fixes = buildVisibilityFixes(input);
    expect(fixes.map(({ topic }) => topic)).toEqual(['Price and value', 'Delivery', 'Comparison']);
    expect(JSON.stringify(buildVisibilityFixes(input))).toBe(JSON.stringify(fixes));
  });

  test.each([0, 1, 3, 4])('of %i weak spots gives at most as many as its bound', (count) => {
    const weak_spots = Array.from({ length: count }, () => ({ topic: 'Price' }));
    expect(buildVisibilityFixes({ brand: 'Acme', niche: 'CRM', weak_spots })).toHaveLength(
      Math.min(count, MAX_FIXED_WEAK_SPOTS),
    );
  });

  test.each([
    ['price', 'Price and value'],
    ['trust', 'Trust and alternatives'],
    ['discovery', 'Being found at all'],
  ])('compares the row "%s" for the topic %s', (row, topic) => {
    expect(fixOf({ topic }).verify).toContain(`the row "${row}" of intents`);
  });

  test('does not name a row for a topic of the caller', () => {
    expect(fixOf({ topic: 'Delivery' }).verify).toContain('the row of intents that is nearest to this topic');
  });
});

describe('evidence', () => {
  test.each([
    [{}, undefined],
    [{ who_wins: '', evidence: ' \n' }, undefined],
    [{ who_wins: 'Rival' }, 'Rival'],
    [{ evidence: '"Rival is good": Rival 4/5' }, '"Rival is good": Rival 4/5'],
    [{ who_wins: 'Rival', evidence: '"Rival is good": Rival 4/5' }, '"Rival is good": Rival 4/5'],
    [{ who_wins: 'Rival', evidence: 'named in\n4 of 5' }, 'Rival: named in 4 of 5'],
    [{ evidence: '[FACT NEEDED: password] `x` <b>' }, "(FACT NEEDED: password) 'x' ‹b›"],
  ])('of %j is %j', (given, expected) => {
    expect(fixOf({ topic: 'Price', ...given }).evidence).toBe(expected);
  });

  test.each([
    ['"', '": Beta Desk 4/5, Acme 0/5'],
    ['“', '” 4 of 5 answers name Beta Desk'],
    ['"', '": Beta "the" Desk 4/5, Acme 0/5'],
    ['"', `": ${'B'.repeat(120)} 4/5, ${'A'.repeat(120)} 0/5`],
  ])('that is too long is cut inside its quote: %s ... %s', (open, counts) => {
    const { evidence } = fixOf({ topic: 'Price', evidence: `${open}${'word '.repeat(90)}${counts}` });
    expect(evidence).toMatch(/^["“]word word.*…["”]/u);
    expect(evidence?.endsWith(`…${counts}`)).toBe(true);
    expect(evidence?.length).toBeGreaterThan(380);
    expect(evidence?.length).toBeLessThanOrEqual(400);
  });

  test('keeps the counts behind the name of its winner too', () => {
    const evidence = `"${'word '.repeat(90)}": it 4/5, Acme 0/5`;
    expect(fixOf({ topic: 'Price', who_wins: 'Beta Desk', evidence }).evidence).toMatch(
      /^Beta Desk: "word .*…": it 4\/5, Acme 0\/5$/u,
    );
  });

  test('is cut at its end where what stands behind the quote leaves no room', () => {
    const { evidence } = fixOf({ topic: 'Price', evidence: `"short": ${'word '.repeat(100)}` });
    expect(evidence).toMatch(/^"short": word .*word…$/u);
    expect(evidence?.length).toBeLessThanOrEqual(400);
  });

  test('is cut at 400 characters, and never within a number', () => {
    const { evidence } = fixOf({ topic: 'Price', evidence: `${'a'.repeat(396)}123456` });
    expect(evidence).toBe(`${'a'.repeat(396)}…`);
  });
});

describe('FAQ markup', () => {
  test('of any text parses back, without a sign that could end its element', () => {
    const answer = '</script><!-- ]]> & \u2028\u2029 "quoted" \\ [x](y)';
    const json = formatFaqJsonLd([{ question: '<b>?', answer }]);
    expect(json).not.toMatch(/[<>&\u2028\u2029]/u);
    expect(JSON.parse(json)).toMatchObject({
      mainEntity: [{ '@type': 'Question', name: '<b>?', acceptedAnswer: { '@type': 'Answer', text: answer } }],
    });
    expect(renderFaqElement(json).split('</script>')).toEqual([expect.stringContaining(json), '']);
  });
});
