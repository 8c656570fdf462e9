import { describe, expect, test } from 'vitest';
import { compileName, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

/** What an answer says of Acme. */
function read(markdown: string): 'not named' | 'named' | 'recommended' | 'advised against' {
  const { mentioned, recommended, negative } = readPresence(parseStructure(markdown), compileName('Acme', [markdown]));
  if (!mentioned) return 'not named';
  if (recommended) return 'recommended';
  return negative ? 'advised against' : 'named';
}

describe('Acme is advised against by grammar', () => {
  test.each([
    ['The Consumer Council has warned about Acme twice this year.'],
    ["I wouldn't touch Acme with a bargepole."],
    ["Acme looks cheap, but I'd look elsewhere."],
    ['I regret buying from Acme.'],
    ["- Beta\n- Acme: please don't"],
    ["## What I'd leave out\n\n- **Acme**\n- Gamma"],
    ['Die Verbraucherzentrale warnt vor Acme.'],
    ['Bei Acme würde ich nichts mehr bestellen.'],
    ['## Davon lasse ich die Finger\n\n- **Acme**: teuer'],
    ['## Was ich nicht kaufen würde\n\n- **Acme**'],
    ['La OCU advierte sobre Acme.'],
    ['Yo a Acme no volvería.'],
    ['No me fiaría de Acme para esto.'],
    ['## Los que no compraría\n\n- **Acme**'],
    ["Je n'achèterais plus rien chez Acme."],
    ["Je me méfierais d'Acme."],
    ['## Ceux que je ne recommande pas\n\n- **Acme**'],
    ["Acme, je l'éviterais."],
    ['Non andrei da Acme.'],
    ['Acme lo lascerei perdere.'],
    ['Mai più Acme, dice mio cognato.'],
    ['## Da cui starei alla larga\n\n- **Acme**'],
    ['Não voltaria a comprar na Acme.'],
    ['A Acme eu não contrataria.'],
    ['## Fuja destes\n\n- **Acme**'],
    ['Nunca mais Acme.'],
    ['Bij Acme zou ik niets meer bestellen.'],
    ['De AFM waarschuwt voor Acme.'],
    ['## Deze zou ik overslaan\n\n- **Acme**'],
    ['Acme zou ik links laten liggen.'],
    ['Acmeはおすすめできません。'],
    ['Acmeはやめたほうがいいでしょう。'],
    ['## 選ばないほうがよい店\n\n- **Acme**：高い'],
    ['Acmeは評判が悪いので避けたほうが安心です。'],
    ['Acmeには解約の苦情が多く、契約はおすすめしません。'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('advised against');
  });
});

describe('Acme is recommended by grammar', () => {
  test.each([
    ["Acme does the job, and it's cheap."],
    ['If you want quiet, get Acme.'],
    ["I'd ring Acme first."],
    ["Have you looked at Acme? It's quick and honest."],
    ["You won't regret Acme."],
    ['Acme ist robust und leise.'],
    ['Mit Acme machst du nichts falsch.'],
    ['Für kleine Küchen würde ich Acme nehmen.'],
    ['Schau mal bei Acme vorbei, die haben eine große Auswahl.'],
    ['Acme kann ich nur empfehlen.'],
    ['Acme es rápido y barato.'],
    ['Yo tiraría por Acme.'],
    ['Para empezar, Acme te sobra y es fácil.'],
    ['Pásate por Acme, tienen buenos precios.'],
    ["Acme, c'est solide."],
    ['Moi je prendrais Acme.'],
    ['On ne regrette pas un achat chez Acme.'],
    ['Io prenderei Acme.'],
    ['Acme è comodo e costa poco.'],
    ['Eu ia de Acme.'],
    ['A Acme é boa e barata.'],
    ['Pode ir na Acme sem medo, é confiável.'],
    ['Ik zou Acme nemen.'],
    ['Acme is stevig en goedkoop.'],
    ['Ga eens langs bij Acme, daar helpen ze je goed.'],
    ['Acmeは軽くて使いやすいです。'],
    ['初めてならAcmeが安心です。'],
    ['Acmeを選べば間違いありません。'],
    ['安さならAcme。'],
    ['| | Acme | Beta |\n|---|---|---|\n| Good for | homes, simple | shops |'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('recommended');
  });
});

describe('Acme is only named by grammar', () => {
  test.each([
    ['Beta is better than Acme.'],
    ['Beta is cheaper and quieter than Acme.'],
    ['Unlike Acme, Beta is good.'],
    ['Beta ist besser als Acme.'],
    ['Beta works well with Acme.'],
    ['I used Acme formerly; today Beta is better.'],
    ['Beta es mejor que Acme.'],
    ['A diferencia de Acme, Beta es bueno.'],
    ["Beta est moins cher qu'Acme."],
    ['Beta è meglio di Acme.'],
    ['Beta è più veloce di Acme.'],
    ['Beta é melhor do que a Acme.'],
    ['Beta is beter dan Acme.'],
    ['BetaはAcmeより安いです。'],
    ['AcmeではなくBetaをおすすめします。'],
    ['Is Acme any good? Beta certainly is.'],
    ['Statt Acme lieber Beta nehmen.'],
    ['Beta was bought by Acme in 2019 and is still good.'],
    ['Take Beta, not Acme.'],
    ['Nimm Beta, nicht Acme.'],
    ["Prends Beta plutôt qu'Acme."],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('named');
  });
});

describe('places of a structure that offer Acme', () => {
  test.each([
    ['| Group | Model | Price |\n|---|---|---|\n| Basic | Acme One | 129 |\n| Basic | Beta Two | 139 |'],
    ['- **Small budget:** Acme, with a cheap plan\n- **Large team:** Beta'],
    ['- **On a small budget** – try the plan of Acme, which is cheap\n- **With a large team** – Beta is simple'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('recommended');
  });
});

describe('places of a structure that do not', () => {
  test.each([
    ['- **Beta**\n  - Payments: Acme, Gamma\n  - good reports'],
    ['| Tool | Payments |\n|---|---|\n| Beta, good | built in |\n| Gamma | Acme |'],
    ['- **Integrations:** Acme, Gamma\n- **Best for:** small teams'],
    ['The plant of Acme is in Ohio.'],
    ['Acme has the better lenses, Beta the better frames; I would take the second.'],
    ['Beta is good. Acme is slow and dated.'],
  ])('%j', (markdown) => {
    expect(read(markdown)).toBe('named');
  });
});
