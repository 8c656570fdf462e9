import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Spanish, for Spain and Latin America. "Qué" agrees with everything; no verb has the niche as subject. */
export const promptsEs: LanguageWordings = {
  discovery: [
    '¿Qué {niche} me recomiendas?',
    {
      local: '¿Qué {niche} probarías primero?',
      other: '¿Qué {niche} mirarías primero?',
    },
    {
      local: 'No conozco la zona en absoluto. ¿Qué {niche} debería conocer?',
      other: 'No entiendo mucho del tema. ¿Qué {niche} debería conocer?',
    },
    'Busco {niche}. ¿Me das algunos nombres?',
    '¿Qué {niche} elige la mayoría de la gente?',
  ],
  recommendation: [
    {
      local: 'Acabo de llegar a la zona. ¿Qué {niche} me aconsejas?',
      other: 'No tengo experiencia en esto. ¿Qué {niche} me aconsejas?',
    },
    'Soy muy exigente. ¿Qué {niche} elegirías para mí?',
    'Tengo muy poco tiempo. ¿Qué {niche} me sugieres?',
    '¿Qué {niche} le recomendarías a alguien que no quiere complicaciones?',
    {
      local: '¿Qué {niche} recomienda la gente que conoce bien la zona?',
      other: '¿Qué {niche} eligen los que entienden del tema?',
    },
  ],
  problem: [
    'Tengo prisa y no puedo pasar días comparando. ¿Qué {niche} elijo?',
    {
      product: 'No me convence lo que tengo ahora. ¿Qué {niche} debería probar?',
      service: {
        local: 'No me convence la opción que tengo ahora. ¿Qué {niche} debería probar?',
        other: 'No me convence el servicio que tengo ahora. ¿A qué {niche} me cambio?',
      },
    },
    'Tuve una mala experiencia. ¿En qué {niche} puedo confiar?',
    'Hay tanto donde elegir que no me decido. ¿Con qué {niche} te quedarías tú?',
    '{niche}: ¿en qué debo fijarme para elegir bien, y qué opción escogerías tú?',
  ],
  comparison: [
    '{niche}: compara los nombres más conocidos.',
    '{niche}: ¿en qué se diferencian las opciones más populares?',
    '{niche}: ¿qué ventajas y desventajas tienen los nombres que más se oyen?',
    '{niche}: estoy haciendo una preselección. ¿Qué nombres incluirías, y en qué se diferencian?',
    '¿Qué {niche} elegirías para algo sencillo, y qué otra opción para algo más exigente?',
  ],
  price: [
    'No puedo gastar mucho. ¿Qué {niche} elegirías sin renunciar a la calidad?',
    {
      product: '¿Qué {niche} puedo probar antes, o devolver después sin problemas?',
      service: '{niche}: ¿quién deja claros los precios de antemano?',
    },
    '{niche}: ¿dónde está la mejor relación entre calidad y precio?',
    '{niche}: ¿qué nombres merecen un precio más alto?',
    '{niche}: ¿cuánto se suele pagar y quién tiene precios justos?',
  ],
  trust: [
    '{niche}: ¿qué nombres inspiran más confianza?',
    {
      product: '¿Con qué {niche} tendré menos problemas después de la compra?',
      service: '{niche}: ¿quién responde de verdad cuando algo sale mal?',
    },
    '¿De qué {niche} habla mejor la gente?',
    'Aparte de los nombres más conocidos, ¿qué {niche} recomendarías?',
    '¿A qué {niche} se cambia la gente, y por qué?',
  ],
};
