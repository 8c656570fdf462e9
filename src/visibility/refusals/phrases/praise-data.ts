import type { PromptLanguage } from '../../prompts/prompt-set.ts';

/**
 * Negations that praise: "I can't recommend it enough" is no refusal. Without accents, as the phrases are; written by hand.
 */
const PRAISE: Readonly<Record<PromptLanguage, RegExp>> = {
  en: /\b(?:(?:can t|cannot|can not|couldn t) (?:help but|but|stop|go wrong|complain|fault|say anything bad|say a bad|speak highly|be happier)|not only|(?:can t|cannot|can not|couldn t) (?=.{1,60}\b(?:enough|more highly|too highly)\b))/gu,
  de: /\b(?:kann (?:mich )?(?:hier |da )?nicht (?:klagen|meckern|beklagen)|nicht nur|nicht (?:oft |hoch |genug )*genug|nicht anders als|nicht umhin|nichts (?:anderes|besseres) als|nur gutes)\b/gu,
  fr: /\b(?:ne (?:peux|puis|saurais|pouvons) (?:pas )?(?:que|qu|assez|trop)|ne (?:peux|puis) m empecher de|ne (?:peux|puis) (?:pas )?(?:me plaindre|dire du mal|pas ne pas)|pas seulement|pas que du mal)\b/gu,
  es: /\bno (?:puedo|podria|podemos) (?:mas que|dejar de|sino|evitar|no|menos que|por menos|hablar mejor|hablar mal|decir nada malo|quejarme)\b|\bno (?:solo|solamente)\b/gu,
  pt: /\bnao (?:posso|consigo|podemos|poderia) (?:deixar de|senao|evitar|parar de|nao|reclamar|me queixar|falar mal)\b|\bnao (?:so|apenas|somente)\b/gu,
  it: /\bnon (?:posso|possiamo|potrei) (?:che|non|fare a meno|far altro|fare altro|lamentarmi|parlarne male|dirne male)\b|\bnon (?:solo|soltanto)\b/gu,
  nl: /\b(?:kan (?:er )?niet (?:klagen|mopperen)|niet (?:alleen|anders dan|genoeg|vaak genoeg)|niets anders dan)\b/gu,
  ja: /せずにはいられ(?:ません|ない)|だけでは?なく|しないわけにはいきません/gu,
};

/** A normalised text without them. */
export const removePraise = (text: string, language: PromptLanguage): string => text.replace(PRAISE[language], ' ');
