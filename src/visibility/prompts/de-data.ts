import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in German. The niche is only in the nominative without an article, so that no ending has to fit it. */
export const promptsDe: LanguageWordings = {
  discovery: [
    '{niche} gesucht: Hast du eine Empfehlung?',
    {
      local: '{niche}: Welche Adresse würdest du als Erstes ausprobieren?',
      other: {
        product: '{niche}: Welches Produkt würdest du dir als Erstes ansehen?',
        service: '{niche}: Welchen Anbieter würdest du dir als Erstes ansehen?',
      },
    },
    {
      local: '{niche}: Ich kenne mich in der Gegend nicht aus. Welche Adressen sollte ich kennen?',
      other: 'Beim Thema {niche} kenne ich mich nicht aus. Welche Namen sollte ich kennen?',
    },
    'Gesucht: {niche}. Kannst du mir ein paar Namen nennen?',
    {
      local: '{niche}: Für welche Adressen entscheiden sich die meisten?',
      other: {
        product: '{niche}: Was nehmen die meisten?',
        service: '{niche}: Für welche Anbieter entscheiden sich die meisten?',
      },
    },
  ],
  recommendation: [
    {
      local: '{niche}: Ich bin neu hier. Welche Adresse empfiehlst du mir?',
      other: '{niche}: Ich habe damit noch keine Erfahrung. Was rätst du mir?',
    },
    '{niche}: Ich habe hohe Ansprüche. Welche Empfehlung hast du für mich?',
    '{niche}: Ich habe sehr wenig Zeit. Wozu rätst du mir?',
    '{niche}: Was empfiehlst du jemandem, der es gern unkompliziert hat?',
    {
      local: '{niche}: Welche Adressen empfehlen Leute, die sich in der Gegend gut auskennen?',
      other: {
        product: '{niche}: Was wählen Leute, die sich auskennen, für sich selbst?',
        service: '{niche}: Welche Anbieter wählen Leute, die sich auskennen?',
      },
    },
  ],
  problem: [
    '{niche}: Ich habe es eilig und kann nicht tagelang vergleichen. Wofür soll ich mich entscheiden?',
    {
      product: '{niche}: Mit dem, was ich jetzt habe, bin ich unzufrieden. Was sollte ich stattdessen probieren?',
      service: {
        local:
          '{niche}: Mit meiner bisherigen Wahl bin ich unzufrieden. Welche Adresse sollte ich stattdessen ausprobieren?',
        other: '{niche}: Mit meinem jetzigen Anbieter bin ich unzufrieden. Wohin sollte ich wechseln?',
      },
    },
    {
      product: '{niche}: Ich habe schlechte Erfahrungen gemacht. Was ist wirklich zuverlässig?',
      service: '{niche}: Ich habe schlechte Erfahrungen gemacht. Auf wen kann ich mich wirklich verlassen?',
    },
    '{niche}: Die Auswahl ist so groß, dass ich mich nicht entscheiden kann. Welche Wahl würdest du an meiner Stelle treffen?',
    '{niche}: Worauf muss ich bei der Auswahl achten, und was würdest du am Ende wählen?',
  ],
  comparison: [
    '{niche}: Vergleiche die bekanntesten Namen.',
    {
      local: '{niche}: Worin unterscheiden sich die beliebtesten Adressen?',
      other: {
        product: '{niche}: Worin unterscheiden sich die beliebtesten Produkte?',
        service: '{niche}: Worin unterscheiden sich die beliebtesten Anbieter?',
      },
    },
    '{niche}: Welche Vor- und Nachteile haben die Namen, die man am häufigsten hört?',
    '{niche}: Ich möchte eine engere Auswahl treffen. Welche Namen gehören hinein, und wie unterscheiden sie sich?',
    '{niche}: Was würdest du bei einfachen Ansprüchen wählen, und was bei hohen?',
  ],
  price: [
    '{niche}: Ich kann nicht viel ausgeben. Was wäre trotzdem eine gute Wahl?',
    {
      product: '{niche}: Was kann ich vorher ausprobieren oder bei Nichtgefallen zurückgeben?',
      service: '{niche}: Wo sind die Preise von Anfang an klar?',
    },
    '{niche}: Wo ist das Preis-Leistungs-Verhältnis am besten?',
    '{niche}: Welche Namen sind einen höheren Preis wert?',
    '{niche}: Mit welchen Kosten muss ich rechnen, und wer hat faire Preise?',
  ],
  trust: [
    '{niche}: Welche Namen gelten als besonders zuverlässig?',
    {
      product: '{niche}: Womit habe ich nach dem Kauf am wenigsten Ärger?',
      service: '{niche}: Wer hilft mir auch dann, wenn etwas schiefgeht?',
    },
    '{niche}: Welche Namen werden am meisten gelobt?',
    '{niche}: Was empfiehlst du außer den bekanntesten Namen?',
    {
      product: '{niche}: Worauf steigen die Leute um, und warum?',
      service: '{niche}: Wohin wechseln die Leute, und warum?',
    },
  ],
};
