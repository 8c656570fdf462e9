import type { PromptLanguage } from './prompt-set.ts';

const splitWords = (words: string): readonly string[] => words.trim().split(/\s+/);

/**
 * Words that questions are made of, in the languages of Latin script. A word that several languages have counts for each
 * of them, and for less. Names of what is bought are not among them: those travel.
 */
export const functionWords: Readonly<Record<Exclude<PromptLanguage, 'ja'>, readonly string[]>> = {
  en: splitWords(`
    the a an and or but if of to in on at for from with without by about than that this these those there here which what who
    whom whose where when why how is are was were be been being do does did have has had can could should would will may might
    must i me my we our you your he she it its they them their not no any some most more best good better which should get
    buy find know need want looking recommend choose between near please tell give`),
  de: splitWords(`
    der die das den dem des ein eine einen einem einer eines und oder aber wenn von zu zum zur im in am an auf für aus mit ohne
    bei über als dass dieser diese dieses hier dort welche welcher welches welchen was wer wen wem wo wohin wann warum wie ist
    sind war waren sein wird werden hat haben kann kannst können soll sollte würde würdest ich mir mich mein meine meinen wir uns
    unser du dir dein er sie es ihr nicht kein keine mehr beste besten bester bestes gut gute guten brauche suche empfiehlst
    empfehlen gibt kaufen finde zwischen nach auch sich man`),
  fr: splitWords(`
    le la les un une des du de et ou mais si à au aux dans sur pour avec sans chez par que qui quoi dont où quand pourquoi comment
    quel quelle quels quelles est sont était être avoir ai as a ont peut peux pouvez dois faut je me mon ma mes nous notre vous
    votre il elle ils elles on ne pas plus moins meilleur meilleure meilleurs meilleures bon bonne cherche conseillez
    recommandez trouver acheter choisir entre ce cette ces cet y en se son sa ses leur`),
  es: splitWords(`
    el la los las un una unos unas de del y o pero si a al en para por con sin sobre que qué quién quien dónde donde cuándo cuando
    cómo como cuál cuáles es son está están era ser tener tengo tiene hay puedo puede debo debería yo me mi mis nosotros nuestro
    tú te tu usted su sus él ella ellos no más menos mejor mejores bueno buena busco necesito recomiendas recomienda comprar
    encontrar elegir entre este esta estos estas eso lo le les se`),
  pt: splitWords(`
    o a os as um uma uns umas de do da dos das e ou mas se ao à em no na nos nas para por pelo pela com sem sobre que quê quem onde
    quando como qual quais é são está estão era ser ter tenho tem há posso pode devo deveria eu me meu minha meus nós nosso você
    seu sua ele ela eles não mais menos melhor melhores bom boa procuro preciso recomenda recomendam comprar encontrar
    escolher entre este esta isto isso lhe um`),
  it: splitWords(`
    il lo la i gli le un uno una di del dello della dei degli delle e o ma se a al allo alla ai in nel nella su sul per con senza
    che chi cosa dove quando perché come quale quali qual è sono era essere avere ho hai ha hanno può posso devo dovrei io mi mio
    mia noi nostro tu ti tuo voi lui lei loro non più meno migliore migliori buono buona cerco consigli consigliate comprare
    trovare scegliere tra fra questo questa questi si c'è da dal dalla`),
  nl: splitWords(`
    de het een en of maar als van te naar in op aan voor uit met zonder bij over dan dat dit deze die hier daar welke welk wat wie
    waar wanneer waarom hoe is zijn was waren wordt worden heeft hebben heb kan kun kunnen moet zou zal ik me mij mijn wij we ons
    onze jij je jouw u uw hij zij ze niet geen meer beste goede goed zoek raad raden kopen vinden kiezen tussen er om ook nog`),
};
