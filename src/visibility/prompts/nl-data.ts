import type { LanguageWordings } from './wordings.ts';

/** Prompt set v2 in Dutch. No "welk(e)" and no adjective before the niche, which may be a "de" or a "het" word. */
export const promptsNl: LanguageWordings = {
  discovery: [
    '{niche}: heb je een aanrader?',
    {
      local: '{niche}: welk adres zou je als eerste proberen?',
      other: '{niche}: welke optie zou je als eerste bekijken?',
    },
    {
      local: '{niche}: ik ken de omgeving helemaal niet. Welke adressen moet ik kennen?',
      other: '{niche}: ik heb er geen verstand van. Welke namen moet ik kennen?',
    },
    'Gezocht: {niche}. Kun je een paar namen noemen?',
    {
      local: '{niche}: voor welke adressen kiezen de meeste mensen?',
      other: '{niche}: waar kiezen de meeste mensen voor?',
    },
  ],
  recommendation: [
    {
      local: '{niche}: ik ben hier nieuw. Welk adres raad je me aan?',
      other: '{niche}: ik heb hier nog geen ervaring mee. Wat raad je me aan?',
    },
    '{niche}: ik stel hoge eisen. Wat past bij mij?',
    '{niche}: ik heb heel weinig tijd. Wat is voor mij een verstandige keuze?',
    '{niche}: wat raad je iemand aan die het graag eenvoudig houdt?',
    {
      local: '{niche}: wat raden mensen aan die de omgeving goed kennen?',
      other: '{niche}: wat kiezen kenners zelf?',
    },
  ],
  problem: [
    '{niche}: ik heb haast en kan niet dagenlang vergelijken. Waar moet ik voor kiezen?',
    {
      product: '{niche}: ik ben niet tevreden met wat ik nu heb. Wat kan ik beter proberen?',
      service: {
        local: '{niche}: ik ben niet tevreden over mijn huidige keuze. Welk adres kan ik beter proberen?',
        other: '{niche}: ik ben niet tevreden over mijn huidige aanbieder. Waar kan ik beter naar overstappen?',
      },
    },
    {
      product: '{niche}: ik heb slechte ervaringen gehad. Wat is echt betrouwbaar?',
      service: '{niche}: ik heb slechte ervaringen gehad. Wie kan ik echt vertrouwen?',
    },
    '{niche}: er is zo veel keuze dat ik er niet uit kom. Wat zou jij in mijn plaats kiezen?',
    '{niche}: waar moet ik op letten bij het kiezen, en wat zou jij kiezen?',
  ],
  comparison: [
    '{niche}: vergelijk de bekendste namen.',
    {
      local: '{niche}: wat zijn de belangrijkste verschillen tussen de populairste adressen?',
      other: '{niche}: wat zijn de belangrijkste verschillen tussen de populairste keuzes?',
    },
    '{niche}: wat zijn de voor- en nadelen van de namen die je het vaakst hoort?',
    '{niche}: ik maak een shortlist. Welke namen horen erop, en hoe verschillen ze?',
    '{niche}: wat kies je als het eenvoudig mag zijn, en wat als je hoge eisen stelt?',
  ],
  price: [
    '{niche}: ik kan niet veel uitgeven. Wat zou toch een goede keuze zijn?',
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
    '{niche}: over welke namen zijn mensen het best te spreken?',
    '{niche}: wat raad je aan naast de bekendste namen?',
    {
      product: '{niche}: waar stappen mensen op over, en waarom?',
      service: '{niche}: waar stappen mensen naar over, en waarom?',
    },
  ],
};
