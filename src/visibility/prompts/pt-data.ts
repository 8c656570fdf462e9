import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Portuguese, in words that Brazil and Portugal share. "Que" agrees with everything. */
export const promptsPt: LanguageWordings = {
  discovery: [
    'Que {niche} recomenda?',
    {
      local: 'Que {niche} experimentaria primeiro?',
      other: 'Que {niche} consideraria em primeiro lugar?',
    },
    {
      local: 'Não conheço nada da região. Que {niche} devo conhecer?',
      other: 'Não entendo muito do assunto. Que {niche} devo conhecer?',
    },
    'Procuro {niche}. Pode indicar alguns nomes?',
    'Que {niche} a maioria das pessoas escolhe?',
  ],
  recommendation: [
    {
      local: 'Acabei de chegar à região. Que {niche} me aconselha a escolher?',
      other: 'Não tenho nenhuma experiência no assunto. Que {niche} me aconselha a escolher?',
    },
    'Sou uma pessoa exigente. Que {niche} escolheria para mim?',
    'Tenho muito pouco tempo. Que {niche} sugere?',
    'Que {niche} recomendaria a quem não quer complicações?',
    {
      local: 'Segundo quem conhece bem a região, que {niche} vale a pena escolher?',
      other: 'Quem entende do assunto escolhe que {niche}?',
    },
  ],
  problem: [
    'Tenho pressa e não posso perder dias com comparações. Que {niche} devo escolher?',
    {
      product: 'O que tenho agora não me convence. Que {niche} devo experimentar?',
      service: {
        local: 'A opção que tenho agora não me convence. Que {niche} devo experimentar?',
        other: 'O serviço que tenho agora não me convence. Que {niche} devo escolher em vez dele?',
      },
    },
    'Tive uma má experiência. Em que {niche} posso confiar?',
    'Há tantas opções que não consigo decidir. Que {niche} escolheria no meu lugar?',
    '{niche}: a que devo prestar atenção ao escolher, e qual seria a sua escolha?',
  ],
  comparison: [
    '{niche}: compare os nomes mais conhecidos.',
    '{niche}: quais são as principais diferenças entre as opções mais populares?',
    '{niche}: que vantagens e desvantagens têm os nomes de que mais se fala?',
    '{niche}: quero ficar com poucas opções. Que nomes devo considerar, e quais são as diferenças?',
    'Que {niche} escolheria para algo simples, e que outra opção para algo mais exigente?',
  ],
  price: [
    'Não posso gastar muito. Que {niche} escolheria sem abrir mão da qualidade?',
    {
      product: 'Que {niche} posso experimentar antes, ou devolver depois sem problemas?',
      service: '{niche}: quem deixa os preços claros com antecedência?',
    },
    '{niche}: onde está a melhor relação entre qualidade e preço?',
    '{niche}: que nomes merecem um preço mais alto?',
    '{niche}: quanto se costuma pagar e quem tem preços justos?',
  ],
  trust: [
    '{niche}: que nomes inspiram mais confiança?',
    {
      product: 'Com que {niche} terei menos problemas depois da compra?',
      service: '{niche}: quem ajuda de verdade quando há um problema?',
    },
    'Que {niche} as pessoas mais elogiam?',
    'Além dos nomes mais conhecidos, que {niche} recomendaria?',
    'Quem decide mudar escolhe que {niche}, e por que motivo?',
  ],
};
