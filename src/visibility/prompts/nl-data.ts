import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Dutch. No "welk(e)" and no adjective before the niche, which may be a "de" or a "het" word. */
export const promptsNl: LanguageWordings = {
  discovery: [
    '{niche}: heb je een aanrader?',
    {
      local: '{niche}: waar zou je als eerste heen gaan?',
      other: '{niche}: waar zou je als eerste naar kijken?',
    },
    {
      local: 'Ik ken de buurt helemaal niet. {niche}: welke adressen moet ik kennen?',
      other: 'Ik heb er geen verstand van. {niche}: welke namen moet ik kennen?',
    },
    'Gezocht: {niche}. Kun je een paar namen noemen?',
    {
      local: '{niche}: waar gaan de mensen uit de buurt meestal heen?',
      other: '{niche}: waar kiezen de meeste mensen voor?',
    },
  ],
  recommendation: [
    {
      local: 'Ik woon hier nog maar net. {niche}: waar kan ik het best heen?',
      other: 'Ik heb hier nog geen ervaring mee. {niche}: wat raad je me aan?',
    },
    'Ik stel hoge eisen. {niche}: wat past bij mij?',
    'Ik heb heel weinig tijd. {niche}: wat is voor mij een verstandige keuze?',
    '{niche}: wat raad je iemand aan die het graag eenvoudig houdt?',
    {
      local: '{niche}: wat raden mensen aan die de buurt goed kennen?',
      other: '{niche}: wat kiezen kenners zelf?',
    },
  ],
  problem: [
    'Ik heb haast en kan niet dagenlang vergelijken. {niche}: waar moet ik voor kiezen?',
    {
      product: 'Ik ben niet tevreden met wat ik nu heb. {niche}: wat kan ik beter proberen?',
      service: {
        local: 'Waar ik nu heen ga, ben ik niet tevreden. {niche}: waar kan ik beter heen?',
        other: 'Ik ben niet tevreden over mijn huidige aanbieder. {niche}: waar kan ik beter naar overstappen?',
      },
    },
    {
      product: 'Ik heb slechte ervaringen gehad. {niche}: wat is echt betrouwbaar?',
      service: 'Ik heb slechte ervaringen gehad. {niche}: wie kan ik echt vertrouwen?',
    },
    'Er is zo veel keuze dat ik er niet uit kom. {niche}: wat zou jij in mijn plaats kiezen?',
    '{niche}: waar moet ik op letten bij het kiezen, en waar kom je dan op uit?',
  ],
  comparison: [
    '{niche}: vergelijk de bekendste namen.',
    {
      local: '{niche}: wat zijn de belangrijkste verschillen tussen de populairste adressen?',
      other: '{niche}: wat zijn de belangrijkste verschillen tussen de populairste keuzes?',
    },
    '{niche}: wat zijn de voor- en nadelen van de namen die je het vaakst hoort?',
    'Ik maak een shortlist. {niche}: welke namen horen erop, en hoe verschillen ze?',
    '{niche}: wat kies je als het eenvoudig mag zijn, en wat als je hoge eisen stelt?',
  ],
  price: [
    'Ik kan niet veel uitgeven. {niche}: wat is goedkoop en toch goed?',
    {
      product: '{niche}: wat kan ik eerst uitproberen, of terugsturen als het niet bevalt?',
      service: '{niche}: wie is vooraf duidelijk over de prijs?',
    },
    '{niche}: waar krijg je het meeste voor je geld?',
    '{niche}: welke namen zijn een hogere prijs waard?',
    '{niche}: op welke kosten moet ik rekenen, en wie heeft eerlijke prijzen?',
  ],
  trust: [
    '{niche}: welke namen staan bekend als het betrouwbaarst?',
    {
      product: '{niche}: waar heb ik na aankoop de minste problemen mee?',
      service: '{niche}: wie helpt me ook als er iets misgaat?',
    },
    '{niche}: over welke namen zijn klanten het meest te spreken?',
    '{niche}: wat raad je aan naast de bekendste namen?',
    {
      product: '{niche}: waar stappen mensen op over, en waarom?',
      service: '{niche}: waar stappen ontevreden klanten naar over, en waarom?',
    },
  ],
};
