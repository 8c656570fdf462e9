import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Italian. "Che" agrees with everything; no verb has the niche as its subject. */
export const promptsIt: LanguageWordings = {
  discovery: [
    'Che {niche} mi consigli?',
    {
      local: 'Che {niche} proveresti per prima cosa?',
      other: 'Che {niche} guarderesti per prima cosa?',
    },
    {
      local: 'Non conosco per niente la zona. Che {niche} dovrei conoscere?',
      other: 'Non me ne intendo. Che {niche} dovrei conoscere?',
    },
    'Cerco {niche}. Mi fai qualche nome?',
    'Che {niche} sceglie la maggior parte delle persone?',
  ],
  recommendation: [
    {
      local: 'Sono qui da poco. Che {niche} mi suggerisci?',
      other: 'Non ho nessuna esperienza in materia. Che {niche} mi suggerisci?',
    },
    'Sono una persona esigente. Che {niche} sceglieresti per me?',
    'Ho pochissimo tempo. Che {niche} mi conviene scegliere?',
    'Che {niche} consiglieresti a chi non vuole complicazioni?',
    {
      local: 'Secondo chi conosce bene la zona, che {niche} conviene scegliere?',
      other: 'Chi se ne intende che {niche} sceglie?',
    },
  ],
  problem: [
    'Ho fretta e non posso passare giorni a confrontare. Che {niche} scelgo?',
    {
      product: 'Quello che ho adesso non mi soddisfa. Che {niche} dovrei provare?',
      service: {
        local: 'La mia scelta attuale non mi soddisfa. Che {niche} dovrei provare?',
        other: 'Il servizio che ho adesso non mi soddisfa. Che {niche} dovrei scegliere al suo posto?',
      },
    },
    'Ho avuto una brutta esperienza. Di che {niche} posso fidarmi?',
    "C'è così tanta scelta che non so decidermi. Che {niche} sceglieresti al posto mio?",
    '{niche}: a cosa devo fare attenzione nella scelta, e tu cosa sceglieresti?',
  ],
  comparison: [
    '{niche}: confronta i nomi più conosciuti.',
    {
      local: '{niche}: che differenze ci sono tra i nomi più apprezzati?',
      other: '{niche}: che differenze ci sono tra le scelte più diffuse?',
    },
    '{niche}: quali sono i pregi e i difetti dei nomi che si sentono più spesso?',
    '{niche}: sto restringendo la scelta. Quali nomi terresti in considerazione, e in cosa si differenziano?',
    'Che {niche} sceglieresti per esigenze semplici, e quale alternativa per esigenze più elevate?',
  ],
  price: [
    'Non posso spendere molto. Che {niche} sceglieresti senza rinunciare alla qualità?',
    {
      product: 'Che {niche} posso provare prima, o restituire poi senza problemi?',
      service: "{niche}: chi è chiaro sui prezzi fin dall'inizio?",
    },
    '{niche}: dove si trova il miglior rapporto qualità-prezzo?',
    '{niche}: per quali nomi vale la pena spendere di più?',
    '{niche}: quanto si spende di solito, e chi ha prezzi onesti?',
  ],
  trust: [
    '{niche}: quali nomi sono considerati i più affidabili?',
    {
      product: "Con che {niche} avrei meno problemi dopo l'acquisto?",
      service: '{niche}: chi mi aiuta davvero se qualcosa va storto?',
    },
    'Di che {niche} si parla meglio?',
    'A parte i nomi più famosi, che {niche} consiglieresti?',
    'Chi decide di cambiare che {niche} sceglie, e perché?',
  ],
};
