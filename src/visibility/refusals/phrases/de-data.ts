import type { PhraseTable } from './phrase-table.ts';

/** German, without accents: `ß` is `ss`. */
export const germanPhrases: PhraseTable = {
  refuses: `
    kann ich|ich kann|konnen wir|wir konnen|konnte ich|darf ich|ich darf|mochte ich|ich mochte|werde ich|ich werde|sollte ich|ich sollte|darf und sollte ich|kann und darf ich|kann hier|kann dazu|ich bin|bin ich & nicht|kein*|leider nicht|ausserstande|nichts & empfehl*|empfehlung*|helf*|weiterhelf*|behilflich|auskunft|auskunfte|ausserung*|aussern|antwort*|beantwort*|sagen|nennen|vergleich*|beraten|beratung|rat|ratschlag*|unterstutz*|bewert*|beurteil*|stellung|partei|meinung|angaben|mitteil*|weitergeben|bereitstellen|dienen|vorschlag*|tipps|eingehen|besprechen|in der lage|befugt|berechtigt|bewerben|entscheiden|festlegen|damit|bei diesem|bei dieser
    ich mochte|mochte ich|ich werde|werde ich|ich muss|muss ich|ich will|ich wurde & enthalten|ablehnen|verzichten|zuruckhalt*|neutral|absehen|davon absehen|lieber nicht|lieber kein*
    es ist mir|ist mir|mir ist|mir ist es|war mir|mir leider|bin ich & nicht moglich|nicht gestattet|nicht erlaubt|untersagt|unmoglich|nicht befugt|nicht in der lage|nicht imstande|verboten
    meine richtlinien|meinen richtlinien|meine vorgaben|meinen vorgaben|nutzungsrichtlinie*|inhaltsrichtlinie*|richtlinien|vorgaben|programmiert|sicherheitsrichtlinie*|grundsatze & nicht|kein*|verbieten|untersagen|erlauben|verstoss*|widersprich*|gegen|lassen|vermeiden
    diese anfrage|deine anfrage|ihre anfrage|diese frage|dieses thema|zu diesem thema|zu dieser frage|diesen inhalt & nicht|kein*|verstoss*|abgelehnt|ausserhalb|blockiert|gesperrt|widersprich*|lieber
    ich gebe|gebe ich|ich spreche|spreche ich|ich nenne|nenne ich|ich empfehle|empfehle ich|ich beziehe|beziehe ich|ich ausser*|ich treffe|ich vergleiche|ich bewerte|ich bevorzuge|ich habe|habe ich & kein*|nicht & empfehlung*|auskunft*|ratschlag*|partei|anbieter|stellung|meinung|prafer*|position|wertung*|produkt*|beratung|vorlieb*|favorit*|konkret*
    dazu|hierzu & keine auskunft*|keine angaben|keine aussage*|keine empfehlung*|kein kommentar|nichts sagen|lieber nicht|lieber nichts|nicht aussern|nicht weiterhelfen|nicht antworten
    ich|mir|mich|mein*|wir & neutralitat|unparteiisch
    neutral bleiben|keine stellung|keine partei|steht mir nicht zu|nicht meine aufgabe|nicht an mir|enthalte ich mich|halte mich heraus|lehne ich ab|ich lehne|verzichte ich|ich verzichte|nicht zustandig|da muss ich passen|muss ich passen
    `,
  limits: `
    kein*|nicht|ohne & zugriff|zugang|internetzugang|echtzeit*|im internet|im web|aktuellen daten|aktuellen informationen|aktuelle informationen|aktuelle daten|aktuelle preise|live daten|durchsuchen|abrufen|nachschlagen|recherchieren|online suchen|internetsuche
    mir liegen|liegen mir|ich habe|habe ich|fehlen mir|mir fehlen & kein*|fehl* & informationen|daten|angaben|kenntnis*|auskunfte
    mein wissensstand|mein wissen|meine trainingsdaten|wissensstand|mein kenntnisstand & nicht|kein*|endet|reicht|veraltet|begrenzt
    `,
  caution: `
    risik* gefahr* schad* schadlich* sucht* abhangig* illegal* verboten* gesetz* rechtlich* strafbar* jugendschutz richtlinie* sicherheit nebenwirkung* verschreibung* rezept* arzt* arzt arztin* arztlich* hausarzt* hausarztin* apotheke* apotheker* therap* anwalt* anwaltin fachleut* fachmann fachperson* fachpersonal fachkundig* experte* expertin* beratungsstelle* hilfe* notruf* krise* seelsorge wohlbefinden gesundheit* medizin* haftung* verantwort* gewahr* individuell* personlich* umstand* abhang* unterschiedlich* hangt veraltet* andern* schwank* prufe* prufen offiziell* spielsucht glucksspiel* verlust* vorsicht* sorgfalt* belastend* neutral* ratsam
    `,
  offers: `
    gerne|gern|stattdessen|wenn du magst|wenn sie mogen|wenn du mochtest|wenn sie mochten|falls du|falls sie|ich kann dir|ich kann ihnen|kann ich dir|kann ich ihnen|erzahle ich|ich helfe & stattdessen|helf*|erklar*|erzahl*|allgemein*|unterstutz*|zeig*|anderen|andere|sprechen|beantwort*|informationen|tipps|uberblick
    kann ich dir sonst|kann ich ihnen sonst|sonst noch|bei etwas anderem|ein anderes thema|anderen thema|weitere fragen|lass es mich wissen|lassen sie es mich wissen|melde dich|stell mir|frag mich
    wende dich|wenden sie sich|sprich mit|sprechen sie mit|frag deinen|frage deinen|konsultier*|lass dich|lassen sie sich|such dir|suche dir|suchen sie|informiere dich|informieren sie sich|kontaktier* & arzt*|arztin*|hausarzt*|hausarztin*|apothek*|anwalt*|fach*|experte*|beratungsstelle*|beraten|offiziell*|professionell*|profi*|anbieter*|verbraucherzentrale|bewertungsportal*|suchmaschine|google|vor ort
    `,
  courtesy: `
    gute frage|tolle frage|spannende frage|interessante frage|danke fur|vielen dank|herzlichen dank|ich verstehe|verstehe|ich kann verstehen|ich kann nachvollziehen|gluckwunsch|herzlichen gluckwunsch|hallo|hi|hey|guten tag|guten morgen|moin|servus|gruss gott|willkommen|schon dass|naturlich|selbstverstandlich|klar|gerne|gern|sehr gerne|aber gerne|sicher|tut mir leid|es tut mir leid|tut mir sehr leid|entschuldigung|entschuldige|verzeihung|leider|ich bedaure|kein problem|ich hoffe das hilft|viel erfolg|alles gute|freut mich|ich freue mich
    ich bin dein|ich bin ihr|ich bin der|ich bin die|ich bin ein|ich bin eine|wie kann ich|womit kann ich|wobei kann ich|was kann ich fur|ich bin hier um|bin fur dich da|bin fur sie da|hier um dir|stell mir deine|stellen sie mir|digitaler assistent|digitale assistent*|virtueller assistent|virtuelle assistent*|mein name ist|ich heisse
    als ki|als sprachmodell|als ki modell|als ki assistent*|ich bin kein arzt|ich bin kein anwalt|keine anlageberatung|keine rechtsberatung|kein anlageberater|meines wissens|alles ohne gewahr
    `,
  announces: `
    hier ist|hier sind|hier findest|hier finden|hier kommt|hier kommen|hier eine|hier ein|im folgenden|nachfolgend|folgende|folgenden|anbei|ich zeige|ich stelle|zeige ich|schauen wir|sehen wir|lass uns|lassen sie uns|das sind & ubersicht|liste|uberblick|beste*|top|empfehl*|tipps|optionen|moglichkeiten|anbieter|auswahl|vorschlage|einige|ein paar|zusammen|vor|an|genauer
    einen moment|moment bitte|bitte warten|einen augenblick|ich suche|ich durchsuche|ich recherchiere|ich schaue nach|suche lauft|wird geladen|wird gesucht|wird erstellt|ich denke nach
    `,
  fills: `
    diese frage stellen sich|stellen sich viele|kein wunder|das angebot ist gross|auswahl ist gross|auswahl ist riesig|riesige auswahl|grosse auswahl|unzahlige|zahlreiche|eine vielzahl|viele menschen|immer mehr menschen|richtige wahl|richtige entscheidung|wichtige entscheidung|gar nicht so einfach|nicht leicht|nicht immer einfach|die qual der wahl|in diesem beitrag|in diesem artikel|in diesem ratgeber|in diesem text|alles was sie wissen|alles was du wissen|worauf es ankommt erfahren|erfahren sie|erfahrst du|von vielen faktoren|verschiedenen faktoren|kommt ganz darauf an|hangt von|individuellen bedurfnissen|deinen bedurfnissen|ihren bedurfnissen|bedurfnisse|jeder mensch|anders|umso wichtiger|richtig bist du|genau richtig|beliebter denn je|in der heutigen|vor und nachteile|geschmackssache|zufriedene kunden|starken und schwachen|bekannte unternehmen|bleiben sie dran|viele wege|spannendes thema|wichtiges thema
    `,
  fails: `
    sitzung ist abgelaufen|sitzung abgelaufen|melden sie sich erneut|melde dich erneut|bitte anmelden|nachrichtenlimit|limit erreicht
    etwas ist schiefgelaufen|etwas schiefgelaufen|ein fehler|fehler aufgetreten|ist ein fehler|fehler bei|interner serverfehler|nicht verfugbar|vorubergehend nicht|seite nicht gefunden|seite existiert nicht|existiert nicht|nicht gefunden|seite wurde nicht|zu viele anfragen|anfragelimit|limit erreicht|limit fur|kontingent|spater erneut|spater noch einmal|erneut versuchen|versuche es erneut|versuchen sie es|versuche es spater|lade die seite|laden sie die seite|seite neu|sitzung ist abgelaufen|sitzung abgelaufen|melde dich an|melden sie sich an|bitte anmelden|einloggen|javascript|zugriff verweigert|keine berechtigung|zeituberschreitung|keine antwort|konnte nicht|konnte leider nicht generiert|uberlastet|ausgelastet|wartungsarbeiten|wartung|upgrade|support|zur startseite|keine ergebnisse|kein mensch|verbindung unterbrochen|netzwerkfehler
    von einer ki|von ki|mit ki|kunstlicher intelligenz|ki generiert|kann fehler|konnen fehler|fehler enthalten|fehler machen|ohne gewahr|keine gewahr|keine haftung|haftungsausschluss|keine rechtsberatung|keine anlageberatung|ersetzt keine|ersetzen keine|ersetzt nicht|dient nur|dienen nur|dienen ausschliesslich|dient ausschliesslich|allgemeinen information|alle rechte vorbehalten|uberprufe wichtige|prufe wichtige
    du bist ein|du bist der|du bist die|du bist eine|sie sind ein|systemprompt|antworte immer|antworte in|antworte freundlich|erwahne kein*|nenne kein*|verrate|gib diesen text|anweisungen|folgende regeln|regeln
    platzhalter|hier einfugen|text einfugen|lorem ipsum|antwort folgt|folgt in kurze|noch auszufullen|titel des abschnitts|beispieltext|blindtext|todo
    `,
  asks: `
    kannst du|konntest du|konnen sie|konnten sie|magst du|wurdest du|verrat* mir|sag mir|sagen sie mir|erzahl mir|erzahlen sie|teile mir|teilen sie mir|nenne mir|nennen sie mir|schreib mir|brauche ich|benotige ich|ich brauchte|ich brauche|ich benotige|mehr uber|mehr informationen|weitere informationen|weitere angaben|ein paar angaben|ein paar fragen|noch ein paar|genauer|wie viel*|wie gross|wie alt|wie hoch|wie lange|welches budget|wo wohnst|wo suchst|in welcher|in welchem|wofur|fur welchen|hast du|haben sie|suchst du|suchen sie|mochtest du|mochten sie|willst du|wann soll|was ist dir|was ist ihnen|geht es um|handelt es sich
    `,
};
