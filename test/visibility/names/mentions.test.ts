import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileName,
  hasName,
  type Presence,
  readPresence,
  isSameName,
} from '../../../src/visibility/names/mentions.ts';
import { type AnswerBlock, parseStructure } from '../../../src/visibility/structure/structure.ts';
import { naughty } from '../../support/audit/hostile-text.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const MAX_QUOTE_CHARS = 240;

const paragraph = (text: string): AnswerBlock => ({
  kind: 'paragraph',
  depth: 0,
  text,
  head: undefined,
  bold: [],
  parent: undefined,
});

const heading = (text: string): AnswerBlock => ({ ...paragraph(text), kind: 'heading', depth: 2, head: text });

const read = (
  name: string,
  text: string,
  longer: readonly string[] = [],
  corpus: readonly string[] = [text],
): Presence => readPresence({ blocks: [paragraph(text)] }, compileName(name, corpus, longer));

describe('spellings of a name that name it', () => {
  test.each([
    ['Help Scout', 'We moved to HelpScout last year.'],
    ['Help Scout', 'We moved to Help-Scout last year.'],
    ['Help Scout', 'help scout is a shared inbox.'],
    ['HelpScout', 'We moved to Help Scout last year.'],
    ['ClickUp', 'Our team uses clickup.'],
    ['Citroën', 'A Citroen is parked outside.'],
    ['Citroen', 'A Citroën is parked outside.'],
    ['Citroën', 'A Citroe\u0308n is parked outside.'],
    ['Jägermeister', 'Ein Jaegermeister nach dem Essen.'],
    ['Nescafé', 'There was only nescafe left.'],
    ['Zendesk', "Zendesk’s views and Zendesk's macros."],
    ["Levi's", 'A pair of Levis.'],
    ["Levi's", 'A pair of Levi’s.'],
    ['L’Oréal', "Made by L'Oreal in France."],
    ['AT&T', 'The lines of AT & T.'],
    ['AT&T', 'The lines of at&t.'],
    ['Marks & Spencer', 'A shirt of Marks and Spencer.'],
    ['Toys "R" Us', 'A shop of Toys “R” Us.'],
    ['Toys "R" Us', 'The old Toys R Us closed.'],
    ['Toys “R” Us', 'A shop of Toys"R"Us.'],
    ['Toys R Us', 'A shop of Toys “R” Us.'],
    ['1&1', 'Ein Vertrag bei 1und1.'],
    ['1&1', 'Ein Vertrag bei 1 & 1.'],
    ['1und1', 'Ein Vertrag bei 1&1.'],
    ['O2', 'Bei o2 ist das Netz gut.'],
    ['Yahoo!', 'An account with Yahoo is old.'],
    ['Yahoo!', 'Yahoo! Mail is old.'],
    ['C++', 'It is written in C++.'],
    ['C++', 'It needs C++17 at least.'],
    ['.NET', 'It runs on .NET 8.'],
    ['1Password', 'Put it into 1password.'],
    ['7-Eleven', 'The 7 Eleven around the corner.'],
    ['Disney', 'The series is on Disney+.'],
    ['Acme', 'The shop is acme.com.'],
    ['Acme', 'The shop is acme.co.uk now.'],
    ['Target', 'The list is on target.com.'],
    ['monday.com', 'A board in monday.com.'],
    ['monday.com', 'A team on monday CRM sells more.'],
    ['Booking.com', 'Rates of Booking and Expedia differ.'],
    ['Salesforce.com', 'Data in salesforce is old.'],
    ['Acme', 'The Acme™ anvil.'],
    ['Acme', 'The Acme¹ anvil.'],
    ['Acme', 'The Ａｃｍｅ anvil.'],
    ['Acme', 'The Ac\u00ADme anvil.'],
    ['Acme', 'The A\u200Bcme anvil.'],
    ['Acme', 'An Acme-based process with non-Beta parts.'],
    ['Acme', '⑴Acme, ⑵Beta'],
    ['Acme', 'Acme/Beta are alike.'],
    ['Acme, Inc.', 'The anvils of Acme.'],
    ['Acme KG', 'The anvils of Acme.'],
    ['Acme UG (haftungsbeschränkt)', 'The anvils of Acme.'],
    ['Acme S.r.l.', 'The anvils of Acme.'],
    ['Acme BV', 'The anvils of Acme.'],
    ['Acme SpA', 'The anvils of Acme.'],
    ['Acme S.L.', 'The anvils of Acme.'],
    ['Acme, S.L.U.', 'The anvils of Acme.'],
    ['Acme SARL', 'The anvils of Acme.'],
    ['Acme SAS', 'The anvils of Acme.'],
    ['Acme B.V.', 'The anvils of Acme.'],
    ['Acme Ltda.', 'The anvils of Acme.'],
    ['Acme S/A', 'The anvils of Acme.'],
    ['株式会社無印良品', '収納は無印良品の棚が便利です。'],
    ['無印良品株式会社', '収納は無印良品の棚が便利です。'],
    ['Vue', 'The docs of Vue.js.'],
    ['🍎', 'The 🍎 is on the lid.'],
    ['!!!', 'The band !!! plays.'],
    ['小米', '预算有限的话可以看看小米手机。'],
    ['华为', '其中华为的相机最好。'],
    ['無印良品', '収納は無印良品の棚が便利です。'],
    ['ソニー', '静かなイヤホンはソニーのものです。'],
    ['ソニー', 'ｿﾆｰのものです。'],
    ['네이버', '네이버에서 검색하세요.'],
    ['Notion', '很多团队用Notion写文档。'],
    ['Notion', '팀은 Notion을 씁니다.'],
  ])('%s in %j', (name, text) => {
    expect(read(name, text)).toMatchObject({ mentioned: true, block: 0 });
  });
});

test('a name behind two hundred uses of the word is found', () => {
  expect(read('Target', `${'target '.repeat(200)}. We recommend Target as the best shop.`)).toMatchObject({
    mentioned: true,
    places: 1,
  });
});

test.each(['- **Leaving Acme**: Beta imports your data.', '- **Statt Acme**: nimm Beta.', '### Replacing Acme'])(
  'a title that holds another against it recommends it not: %j',
  (text) => {
    const presence = readPresence(parseStructure(text), compileName('Acme', [text]));
    expect(presence).toMatchObject({ mentioned: true, recommended: false, negative: false });
  },
);

describe('letters that are not the name', () => {
  test.each([
    ['Asana', 'This was, as Ana said, quick.'],
    ['Asana', 'as ana'],
    ['Together', 'It took weeks to get her there.'],
    ['Ring', 'During the spring it is on.'],
    ['GE', 'THE PAGE IS GENERAL.'],
    ['Acme', 'Acmeology is a field.'],
    ['Acme', 'Асmе is spelt with other letters.'],
    ['Acme', 'Write to info@acme.com for help.'],
    ['Acme', 'It is on acme.example.org now.'],
    ['Target', 'It is on on-target.com now.'],
    ['C', 'It is written in C++.'],
    ['C', 'It is written in C# as well.'],
    ['M', 'The shop is H&M.'],
    ['C++', 'It is written in C.'],
    ['.NET', 'The net income rose.'],
    ['Disney+', 'The parks of Disney.'],
    ['1Password', 'You need 1 password for each.'],
    ['7-Eleven', 'Open from 7 to eleven.'],
    ['1&1', 'It takes 1 + 1 minutes.'],
    ['1&1', '1 and 1 makes 2.'],
    ['A.B', 'The lot AxB.'],
    ['Acme', ''],
    ['', 'anything'],
    [' \u200B ', 'any thing'],
    ['小米', '早餐可以喝小米粥。'],
    ['华为', '以中华为荣。'],
    ['ソニー', 'パソニーという町。'],
    ['アップル', 'アップルパイを焼く。'],
    ['네이버', '네이버후드 가게.'],
    ['カ', 'ガス'],
  ])('%j in %j', (name, text) => {
    expect(read(name, text)).toEqual({
      mentioned: false,
      recommended: false,
      negative: false,
      block: undefined,
      quote: undefined,
      places: 0,
      rejected: 0,
    });
  });
});

describe('a name that is a common word', () => {
  test.each([
    ['Target', 'Walmart and Target both sell it.'],
    ['Target', 'Target sells its own brand.'],
    ['Target', 'They sell it at TARGET too.'],
    ['target', 'They sell it at Target.'],
    ['Ring', 'Ring makes doorbells.'],
    ['Ring', 'Ring Video Doorbell films the street.'],
    ['Away', 'Away is a luggage brand.'],
    ['Purple', 'Purple is a mattress brand.'],
    ['Nothing', 'Nothing Phone (2) has lights.'],
    ['Max', 'Max, the streaming service, has it.'],
    ['Discover', 'Discover offers cards without a fee.'],
    ['Notion', 'Notion alternatives are many.'],
    ['Notion', '“Notion” is a wiki.'],
    ['Apple', 'An Apple-branded cable and non-Apple chargers.'],
    ['Made In', 'The pans of Made In are heavy.'],
    ['Best Buy', 'They sell it at Best Buy.'],
    ['QuickBooks', 'quickbooks has a phone app.'],
    ['Uber', 'We took an Uber home.'],
    ['Apple', 'Ein Apple-Gerät kostet mehr.'],
    ['Shark', 'The new Shark ION'],
    ['Monday', 'Monday has boards in colour.'],
    ['Monday.com', 'Asana, Monday and ClickUp'],
    ['Monday.com', 'I recommend Monday for teams.'],
    ['Monday.com', 'Trello or Monday?'],
    ['Apple', 'Apple laptops last the longest.'],
    ['Stripe', 'Stripe fees are 2.9 %.'],
    ['Basecamp', 'Basecamp lacks Gantt charts.'],
    ['Chase', 'Chase checking has a fee.'],
    ['Visa', 'Visa cards are everywhere.'],
    ['Ring', 'Ring doorbells are the easiest.'],
    ['Notion', 'Notion users like the editor.'],
    ['Target', 'Target dominates the market.'],
    ['Target', 'Target deserves a look.'],
    ['Target', 'Target überzeugt mit guten Preisen.'],
    ['Target', 'Target domine le marché.'],
    ['Away', 'Popular brands: Away, Monos, Béis'],
    ['Free', 'Operators: Free, Bouygues and SFR'],
    ['Next', 'Next, Monos and Béis are sold there.'],
    ['Visible', "Visible's plans are cheap."],
    ['Discover', 'Discover it Cash Back has no fee.'],
    ['Hotels.com', 'Compare Expedia, Hotels and Agoda.'],
    ['Best Buy', 'Best Buy sells screens.'],
  ])('%s is named in %j', (name, text) => {
    expect(read(name, text)).toMatchObject({ mentioned: true, rejected: 0 });
  });

  test.each([
    ['Target', 'Set a target first.'],
    ['Target', 'Target the right audience.'],
    ['Target', 'Target audience: freelancers'],
    ['target', 'Set a target first.'],
    ['Target', 'STEP 1: SET A TARGET FOR EACH WEEK'],
    ['Ring', 'A ring of keys.'],
    ['Ring', 'Ring-shaped lamps are nice.'],
    ['Away', 'Away from home, it helps.'],
    ['Nothing', 'Nothing is better than sleep.'],
    ['Max', 'Max 10 users are free.'],
    ['Ring', 'Ring your bank first.'],
    ['Discover', 'Discover great deals.'],
    ['Chase', 'Chase invoices automatically.'],
    ['Free', 'Free plan available.'],
    ['Apple', 'Apple juice is sweet.'],
    ['Next', 'Next, Asana has a plan.'],
    ['Monday.com', 'Monday is the cutoff day.'],
    ['Monday.com', 'Open Monday to Friday.'],
    ['Monday.com', 'Monday morning is busy.'],
    ['Monday.com', 'Monday, Asana had an outage.'],
    ['Hotels.com', 'Best Hotels in Rome'],
    ['Hotels.com', 'Hotels, hostels and rooms'],
    ['Hotels.com', 'Hotels are dear downtown.'],
    ['Best Buy', 'Best Buy: LG C3'],
    ['.NET', 'It runs on ASP.NET Core.'],
    ['O2', 'There is less o2 sensor noise.'],
    ['O2', 'Too much of the o2 is lost.'],
    ['HP', 'We bought hp printers.'],
    ['Discover', 'Discover hidden fees.'],
    ['Indeed', 'Indeed, most are free.'],
    ['Notion', 'There is a notion that wikis get messy.'],
    ['Monday', 'We meet on Monday and Friday.'],
    ['Booking.com', 'Booking a room early is cheap.'],
    ['monday.com', 'Send it by monday please.'],
    ['monday.com', 'A light monday lunch helps.'],
    ['Made In', 'They are made in Germany.'],
    ['Made In', 'Made in Germany, they last.'],
    ['Constant Contact', 'Stay in constant contact with them.'],
    ['Outlook', 'The outlook for tomorrow is good.'],
    ['QuickBooks', 'These are quick books to read.'],
    ['Uber', 'Wir haben über 30 Anbieter verglichen.'],
    ['Uber', 'Über 30 Anbieter sind dabei.'],
    ['HP', 'The engine has 150 hp.'],
    ['HP', 'The engine has 150 HP.'],
    ['Purple', 'Purple is a calm colour.'],
    ['.NET', 'See example.net for it.'],
    ['O2', 'The O2 sensor is broken.'],
    ['X', 'The iPhone X had no button.'],
    ['3M', 'The firm raised $3M.'],
    ['3M', 'It has more than 3M users.'],
  ])('%s is not named in %j, and that is counted', (name, text) => {
    expect(read(name, text)).toMatchObject({ mentioned: false, rejected: 1 });
  });

  test.each(['Target', 'Max', 'Notion', 'HP', 'Made In', 'target', 'Hotels.com', 'monday.com'])(
    '%s is read by its capitals',
    (name) => {
      expect(compileName(name, []).caseSensitive).toBe(true);
    },
  );

  test.each(['Zendesk', 'HubSpot', 'C++', 'AT&T', 'acme.com', '小米', 'Help Scout', '', '!!!'])(
    '%s is read in any capitals',
    (name) => {
      expect(compileName(name, []).caseSensitive).toBe(false);
    },
  );

  test.each(['Notion', 'Target', 'Signal', 'Next', 'Current', 'Root', 'Public', 'Max', 'Express', 'Match', 'Visible'])(
    '%s is named where it is all of a bold front, a list item, a heading or a first cell',
    (name) => {
      for (const markdown of [
        `1. **${name}**: All-in-one workspace`,
        `- **${name}**: docs and wikis`,
        `**${name}:** docs and wikis`,
        `- ${name}: docs\n- Zendesk: tickets`,
        `### ${name}\n\nDocs.`,
        `| Tool | Use |\n|---|---|\n| ${name} | docs |`,
      ]) {
        const { mentioned, recommended } = readPresence(parseStructure(markdown), compileName(name, []));
        expect({ markdown, mentioned, recommended }).toEqual({ markdown, mentioned: true, recommended: true });
      }
    },
  );

  test.each([
    ['Best Buy', '**Best Buy:** LG C3', false],
    ['Best Buy', '### Best Buy\n\nThe LG C3 has the best picture.', false],
    ['Best Buy', '1. Best Buy\n2. Walmart', true],
    ['Best Buy', '- **Best Buy**: wide selection', true],
    ['Monday.com', '- **Monday**: chicken\n- **Tuesday**: fish', false],
    ['Monday.com', '1. **Monday** – boards\n2. **Asana** – tasks', true],
    ['Hotels.com', '- **Hotels**: from 90 dollars', false],
    ['HP', '- **hp** – printers', true],
    ['Target', '**Target audience**: freelancers', false],
  ])('%s in the Markdown %j: %s', (name, markdown, mentioned) => {
    expect(readPresence(parseStructure(markdown), compileName(name, [])).mentioned).toBe(mentioned);
  });

  test('a noun behind an opening verb is the brand only when the run surely names it', () => {
    const text = 'Chase accounts for students.';
    expect(read('Chase', text).mentioned).toBe(false);
    expect(read('Chase', text, [], ['We moved to Chase.', text]).mentioned).toBe(true);
    expect(read('Chase', 'Chase the late ones.', [], ['We moved to Chase.']).mentioned).toBe(false);
    expect(read('Chase', text, [], ['STEP 1: CHASE', 'Chase down debts.', 'Cut to the Chase.']).mentioned).toBe(false);
  });

  test('a word is common when two answers of the run use it as one', () => {
    const lower = ['They skim a frobnitz daily.', 'Any frobnitz will do.'];
    expect(compileName('Frobnitz', lower).caseSensitive).toBe(true);
    expect(compileName('Frobnitz', lower.slice(0, 1)).caseSensitive).toBe(false);
    expect(compileName('Frobnitz', ['frobnitz is a shop.', 'Frobnitz has one.']).caseSensitive).toBe(false);
  });

  test('a name that is written small by its owner stays a name when answers write it so', () => {
    const lower = ['We sell with frobnitz.', 'They moved to frobnitz.', 'Frobnitz is new.'];
    expect(compileName('frobnitz', lower).caseSensitive).toBe(false);
  });

  test('two slips among many capitals do not make a name common', () => {
    const names = Array.from({ length: 9 }, () => 'We use Frobnitz daily.');
    expect(compileName('Frobnitz', [...names, 'we use frobnitz.', 'they use frobnitz.']).caseSensitive).toBe(false);
  });

  test('the label at the head of a column is no name, and the same word elsewhere is', () => {
    const row = { ...paragraph('Metric | Target'), kind: 'row' as const };
    const answer = { blocks: [row, { ...paragraph('Target | 5 dollars'), kind: 'row' as const, head: 'Target' }] };
    expect(readPresence(answer, compileName('Target', []))).toMatchObject({ block: 1, rejected: 1 });
  });

  test.each([
    ['Ring', 'Choose the Right Ring', false],
    ['Ring', 'Ring Video Doorbell', true],
    ['Target', 'Target Market', false],
    ['Target', 'Target vs. Walmart', true],
    ['Linear', 'Linear Algebra in Short', false],
    ['Linear', 'Linear', true],
  ])('%s in the heading %j: %s', (name, title, mentioned) => {
    expect(readPresence({ blocks: [heading(title)] }, compileName(name, [])).mentioned).toBe(mentioned);
  });
});

describe('longer names', () => {
  test.each([
    ['Notion', 'Notion Calendar shows two accounts.', [], true],
    ['Notion', 'Notion Mail sorts messages.', ['Notion Mail'], false],
    ['Notion', 'Notion-Mail sorts what Notion has.', ['Notion Mail'], true],
    ['Notion', 'Notion is a wiki.', ['Notion Mail'], true],
    ['Notion', 'Notion is a wiki.', ['NOTION', 'notion'], true],
    ['Delta', 'Delta Dental pays for it.', [], false],
    ['Express', 'American Express has a fee.', [], false],
    ['小米', '小米汽车很快。', ['小米汽车'], false],
    ['小米', '小米汽车和小米手机。', ['小米汽车'], true],
  ])('%s in %j, looked for with %j: %s', (name, text, longer, mentioned) => {
    expect(read(name, text, longer).mentioned).toBe(mentioned);
  });
});

describe('the block and the quote', () => {
  test('are the first block that names it and its sentence, as it is written', () => {
    const blocks = [paragraph('Nobody is here.'), paragraph('First, a word. The Ａｃｍｅ™ anvil costs $5! Then more.')];
    expect(readPresence({ blocks }, compileName('Acme', []))).toMatchObject({
      block: 1,
      quote: 'The Ａｃｍｅ™ anvil costs $5!',
    });
  });

  test.each([
    ['Yahoo!', 'It is old. Yahoo! Mail is one. So is that.', 'Yahoo! Mail is one.'],
    ['Acme', 'Dr. Smith likes it, e.g. Acme. So do I.', 'Dr. Smith likes it, e.g. Acme.'],
    ['Dr. Martens', 'Boots. Dr. Martens are heavy. So what.', 'Dr. Martens are heavy.'],
    ['Acme', 'Version 2.5 of Acme is out? Yes.', 'Version 2.5 of Acme is out?'],
    ['小米', '你好。我推荐小米！再见。', '我推荐小米！'],
    ['Acme', '  Acme  ', 'Acme'],
  ])('of %s in %j is %j', (name, text, quote) => {
    expect(read(name, text).quote).toBe(quote);
  });

  test.each([
    ['at its start', `Acme ${'is long and '.repeat(40)}ends.`],
    ['in its middle', `${'It is long and '.repeat(30)}Acme ${'is long and '.repeat(30)}ends.`],
    ['at its end', `${'It is long and '.repeat(40)}ends with Acme.`],
    ['among letters without spaces', `${'好'.repeat(400)}Acme${'好'.repeat(400)}`],
    ['among pictures', `${'🚀'.repeat(300)}Acme${'🚀'.repeat(300)}`],
  ])('of a long sentence are cut around the name %s', (_where, text) => {
    const quote = read('Acme', text).quote ?? '';
    expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE_CHARS);
    expect(quote.length).toBeGreaterThan(MAX_QUOTE_CHARS / 2);
    expect(quote).toContain('Acme');
    expect(quote.isWellFormed()).toBe(true);
    const literal = quote.replaceAll(/^…|…$/gu, '');
    expect(literal).not.toBe(quote);
    expect(text).toContain(literal);
  });
});

test('a long quote is cut at the ends of words', () => {
  const words = 'It is a long and winding road to see '.repeat(20);
  const quote = read('Acme', `${words}Acme ${words}`).quote ?? '';
  expect(`${words}Acme ${words}`.split(' ')).toEqual(expect.arrayContaining(quote.replaceAll('…', '').split(' ')));
});

describe('containsName', () => {
  test.each([
    ['CRM for Salesforce users', 'Salesforce'],
    ['crm for salesforce users', 'Salesforce'],
    ['hubspot agencies', 'HubSpot'],
    ['suppliers of Target', 'Target'],
    ['Target', 'Target'],
    ['Target alternatives', 'Target'],
    ['Target marketing tools', 'Target'],
    ['Ring Video Doorbell', 'Ring'],
    ['Google Nest Hub', 'Nest'],
    ['printers for HP users', 'HP'],
    ['c++ editors', 'C++'],
    ['monday.com consultants', 'monday.com'],
    ['小米手机壳', '小米'],
    ['Notion templates', 'Notion'],
    ['templates for notion', 'Notion'],
    ['Slack bots', 'Slack'],
    ['slack bots', 'Slack'],
    ['Stripe plugins for WooCommerce', 'Stripe'],
    ['Target gift cards', 'Target'],
    ['Best Buy gift cards', 'Best Buy'],
    ['best buy gift cards', 'Best Buy'],
    ['Chase credit cards', 'Chase'],
    ['Wise money transfer', 'Wise'],
    ['linear alternatives', 'Linear'],
    ['.net hosting', '.NET'],
    ['bmw parts', 'BMW'],
    ['hp printers', 'HP'],
    ['o2 Vertrag', 'O2'],
    ['att phone plans', 'AT&T'],
  ])('%j names %s', (text, name) => {
    expect(hasName(text, name)).toBe(true);
  });

  test.each([
    ['target marketing tools', 'Target'],
    ['ring binders', 'Ring'],
    ['ring light', 'Ring'],
    ['visible light sensors', 'Visible'],
    ['apple juice', 'Apple'],
    ['engines of 150 hp', 'HP'],
    ['am radio', 'A&M'],
    ['attic rooms', 'AT&T'],
    ['project management', 'Asana'],
    ['monday meal kits', 'monday.com'],
    ['C++ editors', 'C'],
    ['', 'Acme'],
    ['anything', ''],
  ])('%j does not name %s', (text, name) => {
    expect(hasName(text, name)).toBe(false);
  });
});

describe('sameName', () => {
  test.each([
    ['HelpScout', 'help-scout'],
    ['AT&T', 'AT & T'],
    ['Marks & Spencer', 'Marks and Spencer'],
    ['Citroën', 'CITROEN'],
    ['Yahoo!', 'Yahoo'],
    ['Levi’s', 'Levis'],
    ['Acme', 'acme.com'],
    ['Acme', ' Acme Inc. '],
    ['Acme', 'Acme AG'],
    ['Acme', 'Acme S.A.'],
    ['Acme', 'Acme Corporation'],
    ['Acme', 'Acme GmbH & Co. KG'],
    ['Acme', 'www.acme.com'],
    ['Acme', 'https://acme.com'],
    ['Acme', 'acme.co.uk'],
    ['Müller', 'Mueller'],
    ['Müller', 'Muller'],
    ['1&1', '1und1'],
    ['Toys “R” Us', 'Toys"R"Us'],
    ['Ａｃｍｅ', 'Acme'],
    ['Ac\u00ADme', 'Acme'],
    ['Toys "R" Us', 'Toys R Us'],
    ['🍎', ' 🍎'],
  ])('%j is %j', (a, b) => {
    expect([isSameName(a, b), isSameName(b, a)]).toEqual([true, true]);
  });

  test.each([
    ['C++', 'C'],
    ['C++', 'C#'],
    ['.NET', 'Net'],
    ['Disney+', 'Disney'],
    ['Acme', 'Acme Pro'],
    ['Acme', 'Acme Spa'],
    ['Acme', 'Acme SE'],
    ['Müller', 'Miller'],
    ['1&1', '1&2'],
    ['Acme', 'Acme.Pro'],
    ['Acme', 'Асmе'],
    ['!', '?'],
    ['1Password', '2Password'],
    ['', 'Acme'],
  ])('%j is not %j', (a, b) => {
    expect([isSameName(a, b), isSameName(b, a)]).toEqual([false, false]);
  });
});

describe('hostile text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(...naughty),
    fc.string({
      unit: fc.constantFrom(...Array.from('aA cC+#.&!-\'"’ß小ソー네\u0301\u200B\uD800İ\n:|🚀')),
      maxLength: 80,
    }),
  );

  test('a quote is literal and as long as allowed, and the same comes again', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, name) => {
        const presence = read(name, text);
        expect(read(name, text)).toEqual(presence);
        expect(presence.recommended && presence.negative).toBe(false);
        expect(presence.mentioned).toBe(presence.quote !== undefined);
        const quote = presence.quote ?? '';
        expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE_CHARS);
        expect(text.includes(quote) || /^…|…$/u.test(quote)).toBe(true);
      }),
      { numRuns: budgetFor(400, 2_000) },
    );
  });

  test('every name with a letter or digit is found where it stands alone between quotes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][a-z]{3,12}[A-Z0-9][a-z]{3,8}$/u), (name) => {
        expect(read(name, `It is called "${name}" there.`).mentioned).toBe(true);
        expect(isSameName(name, name.toUpperCase())).toBe(true);
      }),
      { numRuns: budgetFor(100, 500) },
    );
  });

  test.each([
    ['A', 'A.'.repeat(16_000), true],
    ['aaaa', 'a'.repeat(32_000), false],
    ['a-'.repeat(60), 'a-'.repeat(16_000), false],
    ['Acme', '\u0301'.repeat(32_000), false],
    ['Acme', 'ﷺ'.repeat(16_000), false],
    ['İ'.repeat(120), 'İ'.repeat(32_000), false],
    ['Acme', `${'not '.repeat(8000)}Acme`, true],
    ['Target', 'Target! '.repeat(4000), true],
    ['x'.repeat(100_000), 'x'.repeat(100_000), false],
  ])('a name and a text of any length are read (%#)', (name, text, mentioned) => {
    const presence = read(name, text);
    expect(presence.mentioned).toBe(mentioned);
    expect(presence.quote?.includes(name)).toBe(mentioned ? true : undefined);
    if (mentioned) expect(presence.quote?.length).toBeLessThanOrEqual(MAX_QUOTE_CHARS);
  });
});
