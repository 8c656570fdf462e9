import type { PhraseTable } from './phrase-table.ts';

/** Dutch, without accents. */
export const dutchPhrases: PhraseTable = {
  refuses: `
    kan ik|ik kan|kunnen wij|kunnen we|wij kunnen|we kunnen|mag ik|ik mag|wil ik|ik wil|ga ik|ik ga|zal ik|ik zal|hoor ik|moet ik|ik ben|ben ik|kan en mag ik& niet|geen|niets & aanbevel*|aanbeveling*|aanraden|aan te raden|help*|antwoord*|beantwoord*|advies|advis*|adviseren|uitspraak|uitspraken|uitlaten|noemen|vergelijk*|beoordel*|informatie|standpunt|stelling|mening|suggest*|ondersteun*|verstrekken|geven|zeggen|in staat|bevoegd|van dienst|kiezen|voorkeur|ingaan|bespreken|mee|meewerken|promoten|doen|hiermee|daarmee
    ik blijf|blijf ik|ik onthoud|onthoud ik|ik weiger|ik laat|laat ik|ik houd|ik hou|hou ik|ik ga|ik wil|ik moet|liever & neutraal|onthoud*|liever niet|liever geen|weiger*|afwijzen|in het midden|afzijdig|buiten
    het is mij|het is me|is het mij|is mij|het is niet aan|is niet aan & niet toegestaan|niet mogelijk|onmogelijk|verboten|mij|me
    mijn richtlijnen|de richtlijnen|richtlijnen|mijn beleid|gebruiksbeleid|gebruiksvoorwaarden|inhoudsbeleid|mijn programmering|mijn regels|ik ben ontworpen|ik ben geprogrammeerd|mijn instructies & niet|geen|verbied*|toestaan|staan|strijd|schend*|vermijd*|tegen
    dit verzoek|je verzoek|uw verzoek|deze vraag|je vraag|uw vraag|dit onderwerp|dit soort vragen|dit soort verzoeken|dit soort onderwerpen|deze inhoud|daarover|hierover|hierop & niet|geen|strijd|buiten|geblokkeerd|schend*|afgewezen|liever
    ik geef|geef ik|ik doe|doe ik|ik noem|noem ik|ik kies|ik vergelijk|ik heb|heb ik|ik beveel|ik neem|neem ik|ik spreek & geen|niet & advies|adviezen|aanbeveling*|partij|mening|voorkeur*|standpunt*|uitspraken|merken|aan|vergelijking*|persoonlijke
    ik|mijn|mij|me & neutraliteit|onpartijdig
    neutraal blijven|partij kiezen|geen kant|geen partij|niet mijn taak|niet aan mij|onthoud ik mij|onthoud ik me|hou ik me buiten
    sorry|het spijt|helaas|excuses|mijn excuses & kan ik niet|kan ik je niet|kan ik u niet|kan ik geen|niet mogelijk|kan niet|mag ik niet|kan hier niet|kan daar niet|kan je daar niet|kan je hier niet
    `,
  limits: `
    geen|zonder|niet & toegang|internettoegang|realtime|real time|actuele informatie|actuele gegevens|recente informatie|internet|live gegevens|voldoende informatie|betrouwbare informatie|informatie over
    kan niet|kan ik niet|ik kan|kan ik|niet in staat|kan geen & niet|geen & internet*|opzoeken|raadplegen|browsen|zoeken op|doorzoeken|controleren|realtime|ophalen|inzien|online
    mijn kennis|mijn gegevens|mijn informatie|mijn trainingsdata|mijn laatste update & niet|tot|beperkt|verouderd|loopt
    `,
  caution: `
    risico* gevaar* gevaarlijk* schade* schadelijk* versla* afhankelijk* illegaal* verboden wet* wettelijk* juridisch* regel* veiligheid bijwerking* voorschrift* recept* arts* huisarts* apotheker* medisch* therap* advoca* deskundig* professional* professionele expert* specialist* adviseur* hulp* hulplijn crisis welzijn gezondheid* verantwoord* aansprakelijk* individue* persoonlijk* omstandighed* verschil* hangt verouderd* verander* controleer* officiele gokken gokversla* verlies* voorzichtig* raadpleeg* minderjarig* gevoelig* neutraal* vergunning* dodelijk* omgeving wapen*
    `,
  offers: `
    graag|wel graag|in plaats daarvan|als je wilt|als u wilt|desgewenst|ik kan je wel|ik kan u wel|kan ik wel|ik denk|ik help|laat het me weten|laat maar weten & help*|uitleg*|vertel*|algemeen|algemene|ander*|meedenken|mee|inform*|praten|in plaats daarvan|vraag*
    kan ik je ergens anders|kan ik u ergens anders|iets anders|ander onderwerp|andere vraag|andere vragen|nog iets|verder helpen|ergens anders mee
    raadpleeg|neem contact|praat met|bespreek|vraag het|vraag je|ga naar|wend je|wendt u|zoek hulp|ik raad je aan|ik adviseer|informeer bij|kijk op & arts*|huisarts*|apotheker*|advoca*|deskundig*|professional*|professionele|specialist*|adviseur*|officiele|expert*|google|zoekmachine|reviews|beoordelingen|website*
    `,
  courtesy: `
    goede vraag|mooie vraag|leuke vraag|uitstekende vraag|bedankt|dank je|dank u|dankjewel|ik begrijp|begrijpelijk|ik snap|gefeliciteerd|hallo|hoi|hey|hi|goedemorgen|goedemiddag|goedendag|welkom|natuurlijk|uiteraard|zeker|graag|met plezier|tuurlijk|prima|sorry|het spijt me|het spijt mij|excuses|mijn excuses|helaas|geen probleem|hopelijk helpt|fijne dag|succes|vervelend|wat leuk|wat fijn|oeps
    ik ben je|ik ben uw|ik ben de|ik ben het|ik ben een|hoe kan ik|waarmee kan ik|waar kan ik|wat kan ik|ik ben er om|ik sta voor je|ik sta klaar|digitale assistent|virtuele assistent|mijn naam is|ik heet|stel gerust|stel je vraag|stel uw vraag|waar kan ik je mee
    als ai|als taalmodel|als ai model|als ai assistent|ik ben geen arts|ik ben geen advocaat|ik ben geen financieel|voor zover ik weet
    `,
  announces: `
    hier is|hier zijn|hier vind|hier volgt|hier volgen|hieronder|dit zijn|onderstaande|de volgende|laten we|ik zet|bekijk|ontdek|we bekijken|daar help ik|ik heb & overzicht|lijst|beste|opties|tips|aanbeveling*|suggesties|keuzes|enkele|een paar|op een rij|rij|kijken|selectie|mogelijkheden|bij|gids|aanraders
    een moment|moment geduld|even geduld|een ogenblik|ik zoek|ik ben aan het zoeken|bezig met zoeken|zoeken op internet|ik kijk even|wordt geladen|laden|bezig met|even kijken|ik denk na
    `,
  fills: `
    veel mensen|steeds meer mensen|die vraag stellen|vragen zich af|vraag je je af|enorm aanbod|groot aanbod|aanbod is groot|ruime keuze|grote keuze|keuze is groot|keuze is reuze|talloze|tal van|allerlei|niet eenvoudig|niet altijd makkelijk|niet makkelijk|lastig|door de bomen|juiste keuze|goede keuze maken|belangrijke keuze|belangrijke beslissing|in dit artikel|in deze gids|in deze blog|alles wat je moet weten|alles over|lees verder|lees je|ontdek je|hangt af van|afhankelijk van je|jouw wensen|je wensen|uw wensen|behoeften|ieder mens|iedereen is anders|elk huishouden|kwestie van smaak|smaak|voor en nadelen|sterke punten|aan het juiste adres|op de juiste plek|tegenwoordig|in deze tijd|meer dan ooit|bekende namen|tevreden klanten|populairder dan ooit
    `,
  fails: `
    er is iets misgegaan|iets misgegaan|er ging iets mis|ging iets mis|er is een fout|een fout|fout opgetreden|interne fout|interne serverfout|serverfout|onverwachte fout|niet beschikbaar|tijdelijk niet|pagina niet gevonden|bestaat niet|niet gevonden|pagina die je|te veel verzoeken|te veel aanvragen|limiet|quotum|probeer het|probeer opnieuw|later opnieuw|opnieuw proberen|herlaad|ververs|laad de pagina|sessie is verlopen|sessie verlopen|log in|inloggen|meld je aan|javascript|toegang geweigerd|geen toegang tot deze|niet geautoriseerd|time out|verlopen|geen antwoord|kon niet worden|kan niet worden|overbelast|onderhoud|upgrade|overstappen op|klantenservice voor hulp|terug naar|naar de homepage|geen resultaten|geen robot|netwerkfout|verbinding verbroken
    gegenereerd door|door ai|met ai|kunstmatige intelligentie|ai gegenereerd|kan fouten|kunnen fouten|fouten bevatten|fouten maken|controleer belangrijke|geen rechten|informatieve doeleinden|ter informatie|uitsluitend informatief|algemene informatie|geen vervanging|vervangt geen|geen aansprakelijkheid|niet aansprakelijk|zonder garantie|alle rechten voorbehouden|onder voorbehoud|geen juridisch advies|geen medisch advies|geen financieel advies
    je bent een|jij bent een|u bent een|je bent de|instructies|antwoord in|antwoord altijd|beantwoord vragen|noem geen|vermeld geen|onthul|verklap|systeemprompt|prompt|regels
    invullen|invoegen|hier komt|placeholder|lorem ipsum|titel van|voorbeeldtekst|binnenkort beschikbaar|link naar|nog in te vullen|volgt nog
    `,
  asks: `
    kun je me|kan je me|kunt u me|kun je mij|kunt u mij|zou je me|zou u me|kun je aangeven|kunt u aangeven|vertel me|vertel eens|laat me weten|laat weten|geef aan|ik heb wat meer|heb ik wat|heb ik nog|ik zou graag|meer informatie|meer weten|wat meer|een paar vragen|enkele vragen|een paar gegevens|wat is je|wat is uw|wat zijn je|welk budget|wat voor|hoeveel|hoe groot|hoe oud|hoe lang|waar woon|waar zoek|in welke|heb je|heeft u|zoek je|zoekt u|ben je|bent u|wil je|wilt u|gaat het om|voor wie|wanneer
    `,
};
