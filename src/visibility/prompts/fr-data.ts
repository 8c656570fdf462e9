import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in French. No "de" before the niche, which would lose its vowel; no adjective that has to agree with it. */
export const promptsFr: LanguageWordings = {
  discovery: [
    '{niche} : avez-vous une recommandation ?',
    {
      local: '{niche} : par quelle adresse commenceriez-vous ?',
      other: '{niche} : par quel nom commenceriez-vous ?',
    },
    {
      local: '{niche} : je ne connais pas du tout le coin. Quelles adresses faut-il connaître ?',
      other: "{niche} : je n'y connais rien. Quels noms faut-il connaître ?",
    },
    'Recherche {niche}. Pouvez-vous me donner quelques noms ?',
    '{niche} : quel choix font la plupart des gens ?',
  ],
  recommendation: [
    {
      local: "{niche} : je viens d'arriver ici. Quelle adresse me conseillez-vous ?",
      other: "{niche} : c'est la première fois que j'en ai besoin. Que me conseillez-vous ?",
    },
    '{niche} : je suis difficile à satisfaire. Quel choix me conviendrait ?',
    "{niche} : j'ai très peu de temps. Quel serait le bon choix pour moi ?",
    "{niche} : que conseillez-vous à quelqu'un qui aime la simplicité ?",
    {
      local: '{niche} : quelles adresses recommandent ceux qui connaissent bien le coin ?',
      other: "{niche} : quel choix font ceux qui s'y connaissent ?",
    },
  ],
  problem: [
    '{niche} : le temps presse et je ne peux pas passer des jours à comparer. Que choisir ?',
    {
      product: "{niche} : ce que j'ai actuellement ne me convient pas. Que devrais-je essayer à la place ?",
      service: {
        local: '{niche} : mon choix actuel ne me convient plus. Quelle adresse essayer à la place ?',
        other: '{niche} : mon prestataire actuel ne me convient plus. Vers qui me tourner ?',
      },
    },
    {
      product: "{niche} : j'ai eu une mauvaise expérience. Qu'est-ce qui est vraiment fiable ?",
      service: "{niche} : j'ai eu une mauvaise expérience. À qui puis-je vraiment faire confiance ?",
    },
    "{niche} : il y a tellement de choix que je n'arrive pas à me décider. Que choisiriez-vous à ma place ?",
    '{niche} : à quoi faut-il faire attention pour bien choisir, et quel serait votre choix ?',
  ],
  comparison: [
    '{niche} : comparez les noms les plus connus.',
    {
      local: '{niche} : quelles sont les principales différences entre les adresses les plus appréciées ?',
      other: '{niche} : quelles sont les principales différences entre les choix les plus populaires ?',
    },
    '{niche} : quels sont les avantages et les inconvénients des noms qui reviennent le plus souvent ?',
    '{niche} : je fais une présélection. Quels noms faut-il y mettre, et en quoi sont-ils différents ?',
    '{niche} : que choisir pour un besoin simple, et que choisir quand on est exigeant ?',
  ],
  price: [
    '{niche} : mon budget est serré. Quel serait malgré tout un bon choix ?',
    {
      product: "{niche} : que puis-je essayer avant d'acheter, ou rendre si cela ne me convient pas ?",
      service: "{niche} : qui annonce clairement ses tarifs à l'avance ?",
    },
    '{niche} : où trouver le meilleur rapport qualité-prix ?',
    "{niche} : quels noms valent vraiment qu'on paie plus cher ?",
    "{niche} : à quel prix faut-il s'attendre, et qui pratique des tarifs corrects ?",
  ],
  trust: [
    '{niche} : quels noms passent pour les plus fiables ?',
    {
      product: "{niche} : qu'est-ce qui pose le moins de problèmes après l'achat ?",
      service: "{niche} : qui sera encore là pour m'aider si quelque chose se passe mal ?",
    },
    '{niche} : de quels noms dit-on le plus de bien ?',
    '{niche} : que recommandez-vous en dehors des noms les plus connus ?',
    {
      product: '{niche} : vers quoi se tournent ceux qui changent, et pourquoi ?',
      service: '{niche} : vers quels noms se tournent ceux qui changent, et pourquoi ?',
    },
  ],
};
