import { describe, expect, test } from 'vitest';
import { compileName, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

/** What an answer says of Acme. */
function read(markdown: string): 'not named' | 'named' | 'recommended' | 'advised against' {
  const { mentioned, recommended, negative } = readPresence(parseStructure(markdown), compileName('Acme', []));
  if (!mentioned) return 'not named';
  if (recommended && negative) throw new RangeError('both at once');
  if (recommended) return 'recommended';
  return negative ? 'advised against' : 'named';
}

describe('Acme is recommended', () => {
  test.each([
    ['- **Acme** – ticketing for teams\n- **Beta** – shared inbox'],
    ['1. Acme\n2. Beta'],
    ['1. Acme: fast, but dear\n2. Beta: slow'],
    ['### 2. Acme\n\nFast, but dear.'],
    ['### Best overall: Acme\n\nFast.'],
    ['🏆 **Acme** – fast\n\n💸 **Beta** – cheap'],
    ['| Tool | Price |\n|---|---|\n| Acme | $5 |\n| Beta | $6 |'],
    ['- Free\n  - Acme\n  - Beta\n- Paid\n  - Gamma'],
    ["I'd recommend Acme."],
    ["I'd go with Acme, which has no fees."],
    ['My top pick is **Acme**.'],
    ['Winner: Acme'],
    ['Popular options include Beta, Acme and Gamma.'],
    ['The best alternatives to Beta are Acme and Gamma.'],
    ['Instead of Beta, use Acme.'],
    ['Unlike Beta, Acme has no fees, so I would pick Acme.'],
    ['Acme is a great option for small teams.'],
    ['Acme is worth a look.'],
    ['Acme shines when there are many tickets.'],
    ['Acme stands out.'],
    ['You cannot go wrong with Acme.'],
    ["I wouldn't hesitate to recommend Acme."],
    ['If you already use Beta, pick Acme.'],
    ['To avoid lock-in, choose Acme.'],
    ["I'd avoid Beta, but Acme is a solid choice."],
    ['Skip Beta and go with Acme.'],
    ['**Acme** – good reports. Drawback: the phone app is slow.'],
    ['## Common mistakes to avoid\n\nBuying too much.\n\n## Tools\n\n- **Acme**'],
    ['Top picks: 1. Acme - fast 2. Beta - cheap'],
    ['- Tight budget → Acme\n- Large team → Beta'],
    ['### When I would choose Acme\n\nYou have many tickets.'],
    ['# Tools: pros and cons\n\n| Tool | Pros | Cons |\n|---|---|---|\n| Acme | fast | dear |'],
    ['Ich würde Acme empfehlen.'],
    ['Acme ist die beste Wahl für kleine Teams.'],
    ['Je recommande Acme pour une petite équipe.'],
    ['Acme est un excellent choix.'],
    ['Recomiendo Acme para equipos pequeños.'],
    ['Acme es una excelente opción.'],
    ['预算有限的话，我推荐Acme。'],
    ['静かな場所ではAcmeをおすすめします。'],
    ["Don't skip Acme: it is a great choice."],
    ['Looking for value? We recommend Acme.'],
    ['Is Acme a good choice? Yes, I recommend Acme.'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('recommended');
  });
});

describe('Acme is advised against', () => {
  test.each([
    ['Avoid Acme: it bills a year in advance.'],
    ['I would not recommend Acme.'],
    ['I wouldn’t recommend Acme for your team.'],
    ["I can't recommend Acme to anybody."],
    ['Don’t use Acme.'],
    ['DO NOT BUY FROM ACME.'],
    ['Stay away from Acme.'],
    ['Steer clear of cheap clones such as Acme.'],
    ['Avoid Beta, Acme and Gamma.'],
    ['Skip Acme and go with Beta.'],
    ['Acme is best avoided.'],
    ['Acme is a poor choice for startups.'],
    ['Acme is a bad option.'],
    ['Acme is the worst choice.'],
    ['Je ne choisirais pas Acme.'],
    ['## Who should not use these\n\n- Acme\n- Beta'],
    ['Acme isn’t worth the money.'],
    ['Acme is cheap, but I would not recommend it.'],
    ['Acme is cheap. I would avoid it.'],
    ["Beta is a great choice, but I'd skip Acme."],
    ['- **Acme** – not recommended\n- **Beta** – fine'],
    ['- **Acme** – avoid it, support is gone'],
    ['### Acme\n\nI would not recommend it for teams.'],
    ['## Tools to avoid\n\n1. **Acme** – slow\n2. **Beta** – dear'],
    ['## Avoid these\n\n### Acme\n\nSlow.'],
    ['- Worth a trial:\n  - Beta\n- Avoid these:\n  - Acme'],
    ['Tools I would avoid:\n\n- Acme\n- Beta'],
    ['| Tool | Verdict |\n|---|---|\n| Acme | Avoid |\n| Beta | Good |'],
    ['Ich würde Acme nicht empfehlen.'],
    ['Von Acme solltest du die Finger lassen.'],
    ['Finger weg von Acme.'],
    ['Poor value: Acme, if that is all. The price makes little sense, so I would advise against it here.'],
    ["## Services I'd be careful with\n\n- Acme: slow"],
    ['Von Acme rate ich ab.'],
    ['Je ne recommande pas Acme.'],
    ['Évitez Acme.'],
    ['No recomiendo Acme.'],
    ['Evita Acme.'],
    ['我不推荐Acme，因为不能导出数据。'],
    ['Avoid Acme.'],
    ['Skip Acme.'],
    ["Don't buy Acme."],
    ['Do not choose Acme.'],
    ['I recommend skipping Acme.'],
    ['Avoid choosing Acme.'],
    ['I would think twice before recommending Acme.'],
    ["If you can't wait, skip Acme."],
    ['Teams that do not have the people should avoid Acme.'],
    ["I don't have time so skip Acme."],
    ["Don't hesitate to avoid Acme."],
    ["You won't regret skipping Acme."],
    ['Why not skip Acme and save.'],
    ['Not only should you avoid Acme, but Beta too.'],
    ["Don't skip Beta, but avoid Acme."],
    ['Acme is to be avoided.'],
    ['Is Acme any good? I would avoid it.'],
    ['Tired of fees? Avoid Acme.'],
    ['## Tools to skip\n\n- Acme'],
    ['Meiden Sie Acme, nicht Beta.'],
    ['Evite Acme.'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('advised against');
  });
});

describe('Acme is only named', () => {
  test.each([
    ['Acme was founded in 2010 in Oslo.'],
    ['The program **Acme** was written in 2019.'],
    ['Unlike Acme, Beta has no fees.'],
    ['Beta is cheaper than Acme.'],
    ['I would pick Beta over Acme.'],
    ['Instead of Acme, use Beta.'],
    ['Switching from Acme to Beta is easy.'],
    ['## Alternatives to Acme\n\n- Beta\n- Gamma'],
    ['## Acme vs. Beta\n\nBoth are fine.'],
    ['Compared with Acme, Beta is a great choice.'],
    ['Beta is a great choice because it integrates with Acme.'],
    ['- **Beta**\n  - syncs contacts with Acme'],
    ['### Cons\n\n- Acme costs extra'],
    ['### Integrations\n\n- Acme\n- Gamma'],
    ['| Feature | Acme | Beta |\n|---|---|---|\n| Price | 5 | 6 |'],
    ['| Tool | Notes |\n|---|---|\n| Beta | sends alerts to Acme |'],
    ['Acme helps you avoid late fees.'],
    ['With Acme you can skip the line.'],
    ['Avoid late fees with Acme.'],
    ['Acme offers a choice of plans.'],
    ['Acme is not the best choice for large teams.'],
    ["Acme isn't a bad choice."],
    ['Acme should be your last option.'],
    ['Acme wäre meine letzte Wahl.'],
    ['I used to recommend Acme, but not any more.'],
    ['Most choose Acme by default, which is a mistake.'],
    ['If you already use Acme, pick Beta.'],
    ['Nobody should avoid Acme because of its price.'],
    ['Acme recommends weekly backups.'],
    ['Acme is fine. Do not buy Beta; avoid it.'],
    ['Beta, part of Acme, is one to avoid.'],
    ['Im Gegensatz zu Acme ist Beta kostenlos.'],
    ['Contrairement à Acme, Beta est gratuit.'],
    ['A diferencia de Acme, Beta es gratis.'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('named');
  });
});

describe('a warning that is negated only names Acme', () => {
  test.each([
    ["Don't skip Acme."],
    ['Never avoid Acme.'],
    ['Never, ever skip Acme.'],
    ['You should not avoid Acme.'],
    ["I don't think you should avoid Acme."],
    ["You don't have to steer clear of Acme."],
    ["You can't afford to skip Acme."],
    ["I wouldn't rule out Acme."],
    ['Nobody needs to avoid Acme.'],
    ['There is no reason to avoid Acme.'],
    ['It would be a mistake to skip Acme.'],
    ["You'd regret skipping Acme."],
    ['I would think twice before skipping Acme.'],
    ['Think twice before dismissing Acme.'],
    ['Avoid skipping Acme.'],
    ['I would not recommend avoiding Acme.'],
    ['I would not advise against Acme.'],
    ['I would not recommend against Acme.'],
    ['Acme should not be avoided.'],
    ['Acme does not need to be avoided.'],
    ['Acme is not one to avoid.'],
    ["Acme: don't skip it."],
    ["Acme is dear, but don't skip it."],
    ['Acme is dear. I would not advise against it.'],
    ['## Tools you should not skip\n\nAcme is old.'],
    ['Meiden Sie Acme nicht.'],
    ['Du solltest Acme nicht vermeiden.'],
    ["N'évitez pas Acme."],
    ['Il ne faut pas éviter Acme.'],
    ["Acme n'est pas à éviter."],
    ['No evite Acme.'],
    ['No hay que evitar Acme.'],
    ['不要避开Acme。'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('named');
  });
});

describe('a question only names Acme', () => {
  test.each([
    ['Is Acme a good choice? No.'],
    ['Is Acme the best choice?'],
    ['Is Acme a good choice?!'],
    ['“Is Acme a good choice?”'],
    ['Why not try Acme?'],
    ['Should you avoid Acme?'],
    ['Is Acme best avoided?'],
    ['Would I avoid Acme? No, it is fine.'],
    ['Acme is dear. Why would anyone avoid it?'],
    ['Ist Acme eine gute Wahl?'],
    ['Faut-il éviter Acme ?'],
    ['¿Es Acme una buena opción?'],
    ['我推荐Acme吗？'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('named');
  });
});

test('one answer that offers it in words and warns of it elsewhere recommends it', () => {
  expect(read("For small teams, I'd recommend Acme.\n\nFor large teams, avoid Acme.")).toBe('recommended');
});

test('an entry that is warned of elsewhere is advised against', () => {
  expect(read('1. **Acme** – cheap\n2. **Beta** – dear\n\nI would not buy Acme today.')).toBe('advised against');
});
