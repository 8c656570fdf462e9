import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Portuguese, in words that Brazil and Portugal share. "Que" agrees with everything. */
export const promptsPt: LanguageWordings = {
  discovery: [
    'Que {niche} recomenda?',
    {
      local: '{niche}: aonde iria primeiro?',
      other: 'Que {niche} veria primeiro?',
    },
    {
      local: 'Não conheço nada da região. Que {niche} devo conhecer?',
      other: 'Não entendo muito do assunto. Que {niche} devo conhecer?',
    },
    'Procuro {niche}. Pode indicar alguns nomes?',
    {
      local: 'Que {niche} as pessoas da região costumam escolher?',
      other: 'Que {niche} a maioria das pessoas escolhe?',
    },
  ],
  recommendation: [
    {
      local: 'Acabei de me mudar para a região. Que {niche} me aconselha?',
      other: 'Não tenho nenhuma experiência no assunto. Que {niche} me aconselha?',
    },
    'Sou uma pessoa exigente. Que {niche} escolheria para mim?',
    'Tenho muito pouco tempo. Que {niche} me sugere?',
    'Que {niche} recomendaria a quem não quer complicações?',
    {
      local: 'Que {niche} recomenda quem conhece bem a região?',
      other: 'Que {niche} escolhe quem entende do assunto?',
    },
  ],
  problem: [
    'Tenho pressa e não posso perder dias com comparações. Que {niche} devo escolher?',
    {
      product: 'O que tenho agora não me convence. Que {niche} devo experimentar?',
      service: {
        local: 'O lugar aonde vou agora não me convence. Que {niche} devo experimentar?',
        other: 'O serviço que tenho agora não me convence. Que {niche} devo escolher em vez dele?',
      },
    },
    'Tive uma má experiência. Em que {niche} posso confiar?',
    'Há tanta escolha que não consigo decidir. Que {niche} escolheria no meu lugar?',
    'Que cuidados devo ter ao procurar {niche}, e o que escolheria?',
  ],
  comparison: [
    '{niche}: compare os nomes mais conhecidos.',
    {
      local: '{niche}: quais são as principais diferenças entre os lugares mais procurados?',
      other: '{niche}: quais são as principais diferenças entre as opções mais populares?',
    },
    '{niche}: que vantagens e desvantagens têm os nomes de que mais se fala?',
    'Quero ficar com poucas opções. Que {niche} devo considerar, e quais são as diferenças?',
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
    '{niche}: quanto costuma custar e quem tem preços justos?',
  ],
  trust: [
    '{niche}: que nomes inspiram mais confiança?',
    {
      product: 'Com que {niche} terei menos problemas depois da compra?',
      service: '{niche}: quem ajuda de verdade quando há um problema?',
    },
    'De que {niche} os clientes falam melhor?',
    'Além dos nomes mais conhecidos, que {niche} recomendaria?',
    'Que {niche} escolhe quem decide mudar, e por que motivo?',
  ],
};
