import { describe, expect, test } from 'vitest';
import { compileName, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

function isNamed(name: string, text: string): boolean {
  const answer = parseStructure(text);
  const corpus = [answer.blocks.map((block) => block.text).join('\n')];
  return readPresence(answer, compileName(name, corpus)).mentioned;
}

describe('a name that could be the brand is the brand', () => {
  test.each([
    ['Orange', 'Orange, en revanche, couvre mieux les villages.'],
    ['Orange', 'Free casse les prix. Orange en revanche soigne son réseau.'],
    ['Zara', 'Zara los vende más baratos.'],
    ['au', '- **au**：安い'],
    ['1&1', '1&1 ist nicht teuer, nur langsam am Telefon.'],
    ['Claro', 'Mi consejo: Claro. Tiene la mejor cobertura.'],
    ['Claro', 'Claro. Movistar. Entel. Las tres tienen 5G.'],
    ['Robert Bosch', 'Robert Bosch baut gute Schlagbohrer.'],
    ['Dr. Martens', 'Die Stiefel von Dr. Martens halten ewig.'],
    ['Dr Martens', 'Dr. Martens are durable boots.'],
    ['Eric Kayser', 'Pour le pain, Eric Kayser reste une valeur sûre.'],
    ['Anne Klein', 'Anne Klein offers affordable watches.'],
    ['o2', 'o2 ist im Mobilfunk günstiger als die Telekom.'],
    ['Die Zeit', 'Die Zeit ist eine gute Wochenzeitung.'],
    ['Renner', 'A Renner, loja de roupas, tem bons preços.'],
    ['楽天', '楽天銀行は振込手数料が安いです。'],
  ])('%s in "%s"', (name, text) => {
    expect(isNamed(name, text)).toBe(true);
  });
});

describe('a name is found', () => {
  test.each([
    ['written apart', 'Mediamarkt', 'In de Media Markt om de hoek ligt hij op voorraad.'],
    ['written apart with its article', 'Lerepaire', 'Le Repaire reste ma boutique préférée.'],
    ['with a number that is apart', '4Kitchen', 'Bei 4 Kitchen gibt es das Messer auch einzeln.'],
    ['in quotes behind its article', 'Der Spiegel', '- der „Spiegel“, mit dickem Archiv'],
    ['with small letters all of a row', 'KPN', '| Provider | Prijs |\n|---|---|\n| Kpn | 30 |\n| Ziggo | 40 |'],
    ['before Japanese letters', 'au', '山なら→auが安心です。'],
    ['in full width before Japanese letters', 'ASUS', 'ゲームなら、ＡＳＵＳのノートがおすすめです。'],
    ['before what Dutch adds to it', 'Exact', 'Met de Exact-koppeling gaat het vanzelf.'],
    ['with the genitive of Dutch', 'Vattenfall', 'Ik vergelijk ze elk jaar. Vattenfalls vaste tarief is hoger.'],
  ])('%s: %s', (_, name, text) => {
    expect(isNamed(name, text)).toBe(true);
  });

  test('letters that other words end and begin with are no name', () => {
    expect(isNamed('Mediamarkt', 'The media market is small.')).toBe(false);
    expect(isNamed('Coolblue', 'Wear a cool blue shirt.')).toBe(false);
  });
});

describe('what is something else beside its words is no name', () => {
  test.each([
    ['an association', 'Allianz', 'Die Allianz Deutscher Imkerinnen e. V. berät kostenlos.'],
    ['another company', '三井', '住宅ローンは三井住友信託銀行が早いです。'],
    ['a count', '31', 'アイスは31個あります。'],
    ['a gas', 'O2', 'Le capteur mesure la saturation en O2 du sang.'],
    ['a cell of a table', 'C8', 'Escribe la suma en la celda C8 y cópiala.'],
    ['a river', 'Amazon', 'Boats on the Amazon river are slow.'],
    ['a town of long ago', 'Mediolanum', 'La Mediolanum romana si vede ancora.'],
    ['where someone arrives', 'Porto', 'Chegando ao Porto de autocarro, saia na segunda paragem.'],
    ['a cook', 'Otto', 'Der Koch Otto Lehmann nimmt die kleine Pfanne.'],
    ['who has an office', 'Renner', 'O Marcos Renner, diretor da escola, usa um caderno.'],
    ['a verb with its object', 'Lego', 'Lego i rami con uno spago di canapa.'],
    ['a verb with a gerund', 'Vivo', 'Vivo repetindo isso aos alunos.'],
    ['the time', 'Exact', 'Exact om tien uur begint de verkoop.'],
    ['a noun with its article', 'Die Zeit', 'Die Zeit reicht nur für einen Kuchen.'],
    ['a greeting', 'Claro', 'Claro que sí, hay opciones.'],
  ])('%s: %s', (_, name, text) => {
    expect(isNamed(name, text)).toBe(false);
  });
});
