import type { Candidate } from './candidates.ts';
import { isCommonWord } from '../names/common-words.ts';
import type { Corpus } from './corpus.ts';
import { isLower, type Piece } from './pieces.ts';
import { germanNounEnds, properWords, stopFirstWords, stopHeads } from './words-data.ts';

/** A word of so many answers may be a name: a noun that is not in our lists hardly returns so often without an adjective. */
const MIN_ANSWERS = 3;
const MIN_NAME_CHARS = 3;

/**
 * Single names in German prose, where capitals tell nothing: "Die Postbank", "bei der DKB", "und die ING". They are
 * right behind a definite article or a preposition in three answers or more, never behind "eine" or an adjective, and
 * are no noun that answers often use. Names of several words are left to the structure. Nothing when the answers are
 * not German.
 */
export function findGermanNames(texts: readonly (readonly string[])[], corpus: Corpus): readonly Candidate[] {
  if (!corpus.isGerman) return [];
  const places = new Map<string, Place[]>();
  const nouns = new Set<string>();
  for (const [answer, blocks] of corpus.blocks.entries())
    for (const [block, { pieces }] of blocks.entries())
      for (const [index, piece] of pieces.entries()) {
        const before = pieces[index - 1];
        if (before === undefined || isLower(piece.text) || before.end + 1 !== piece.start) continue;
        if (texts[answer]?.[block]?.charAt(before.end) !== ' ') continue;
        if (isNounSign(before)) nouns.add(piece.key);
        if (!definiteWords.has(before.key) || !isPossibleGermanName(piece, corpus)) continue;
        const known = places.get(piece.key) ?? [];
        places.set(piece.key, known);
        known.push({ name: piece.text, answer, block });
      }
  return [...places]
    .filter(([key, found]) => !nouns.has(key) && new Set(found.map(({ answer }) => answer)).size >= MIN_ANSWERS)
    .flatMap(([, found]) =>
      found.map((one) => ({
        ...one,
        place: 'passing' as const,
        isDoubtful: false,
        isWarning: false,
        under: undefined,
      })),
    );
}

type Place = Pick<Candidate, 'name' | 'answer' | 'block'>;

const isNounSign = ({ key, text }: Piece): boolean =>
  indefiniteWords.has(key) || (isLower(text) && key.length > 4 && adjectiveEnds.some((end) => key.endsWith(end)));

function isPossibleGermanName({ key, text }: Piece, { lower }: Corpus): boolean {
  if (text.length < MIN_NAME_CHARS || /^\p{N}/u.test(text)) return false;
  if (stopHeads.has(key) || properWords.has(key) || stopFirstWords.has(key) || commonNouns.has(key)) return false;
  if (/^\p{Lu}{2,6}$/u.test(text)) return true;
  if (lower.has(key) || isCommonWord(key)) return false;
  // "Postbank" and "Commerzbank" are names, a "Datenbank" is none.
  return !germanNounEnds.some((end) => key.endsWith(end) && (end !== 'bank' || key === 'datenbank'));
}

const createWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Words of German prose right before a name or a noun, in lower case. */
export const definiteWords = createWords('der die das den dem des bei von beim vom zur zum mit für auch');

/** Words that only precede nouns: who says "eine Karte" means no brand. In lower case. */
export const indefiniteWords = createWords(`
ein eine einen einem einer eines kein keine keinen keinem keiner keines mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer eure euren
jede jeder jedes jeden jedem diese dieser dieses diesen diesem welche welcher welches welchen alle allen aller viele vielen vieler mehrere mehreren wenige wenigen einige einigen manche manchen mehr weniger ohne gute guter gutes guten gutem große großer großes großen kleine kleiner kleines kleinen neue neuer neues neuen hohe hoher hohes hohen niedrige beste bester bestes besten erste erster erstes ersten eigene eigenen gleiche gleichen
`);

/** Ends of German adjectives before a noun ("monatliche Kosten"). */
export const adjectiveEnds: readonly string[] = [
  'lich',
  'ig',
  'los',
  'isch',
  'bar',
  'sam',
  'haft',
  'frei',
  'reich',
].flatMap((stem) => ['e', 'en', 'er', 'es', 'em'].map((end) => stem + end));

/** Nouns of answers that recommend something, in lower case: what people write behind "die" and is no brand. */
export const commonNouns = createWords(`
abend abo abos abrechnung adresse akku alltag alternative alternativen altersvorsorge anfang anfänger angebot anlage anleger ansatz anschluss anspruch antwort anwalt anwendung anzahl anzeige apotheke arbeit arbeiter arbeitgeber arbeitsplatz art artikel arzt aspekt aufgabe aufgaben aufwand auge ausgabe ausgaben ausland auswahl auto autos bahn bank banken bargeld bau baum bedarf bedarfs bedingung bedingungen beginn beispiel beitrag beiträge beratung bereich bereiche beruf bett betrag betrieb bezahlung bild bildschirm blick boden branche brille browser budget büro
chance check club computer dach dame datei dauer daumen deckung depot deutsche deutschen dinge dispo drucker durchschnitt ebene ecke effekt eigentümer einkauf einkommen einsatz einsteiger eltern ende energie entscheidung entwickler erfahrung erfahrungen ergebnis ergebnisse erste fahrer fahrt fahrzeug fall fälle familie familien farbe fehler fenster fern fernseher feuer filiale filialen film filter finanzen firma firmen fisch flasche flug fond fonds form fotos frage fragen frau freund freunde fuß garten gast gebäude gebühr gebühren gefahr gegend gehalt geld gerät geräte geschäft geschäfte geschmack geschwindigkeit gesellschaft gespräch gesundheit gewicht gewinn glas größe grund gründe gruppe gutschein guthaben haar hand handel handwerk handwerker handy handys haus haushalt haut herr hersteller hilfe hinweis hintergrund hotel hotels hund idee inhalt interesse internet jahr jahre jahren job junge jungs karte karten kartenzahlung kasse kassen kategorie kauf käufer keller kenntnis kind kinder kirche klasse kleidung klima knopf koffer kollege kollegen kombination komfort konkurrenz konten konto konzept kopf körper kosten kraft kredit kreditkarte kreditkarten krone küche kühlschrank kunde kunden kurs kurse laden läden lage lager land länder laptop laptops last lauf leben lebensmittel leder lehrer leistung leute licht liebe lieferung liga linie link liste liter luft lust macht mail mangel mann mark marken markt material matratze mehrheit meinung mensch menschen menü messe meter miete mieter minute minuten mitarbeiter mitglied mitglieder mittel modell modelle modus monat monate monaten morgen motor möbel musik mutter nachbar nachfrage nachricht nacht nachteil nachteile nähe name namen natur netz niveau not note nummer nutzer oberfläche öffnungszeiten option optionen ordnung ort orte paar paket pakete papier partner pause person personen pfand pfanne pflege pflicht plan plastik platz plätze politik position post postfach prämie praxis preis preise problem probleme produkt produkte profi profis prozent prozess punkt punkte qualität quelle rabatt rad rahmen rand rat rechner rechnung recht regel regeln region reifen reihe reihenfolge reinigung reise reisen rente restaurant restaurants rest risiko risiken rolle rücken ruf ruhe runde sache sachen saison schaden schäden schalter schlaf schlüssel schmerz schritt schritte schuh schuhe schule schüler schutz schwelle schwerpunkt seite seiten sekunde selbstständige selbstständigen seniorinnen senioren sicht sicherheit sinn situation sitz sohn sommer sorge spiel sport sprache stadt städte standard stärke stärken start stelle steuer steuerberater steuern stoff strafe straße strecke strom stück student studenten studierende stufe stunde stunden suche summe support system systeme tag tage tagesgeld tarif tarife tasche team teams technik teil teile telefon termin termine test tester tests text thema themen tier tipp tipps tisch titel tochter ton tür übersicht uhr uhren umfang umsatz umwelt unfall unterlagen unternehmen unterricht unterschied unterschiede urlaub ursache vater verbrauch verbraucher verein vergleich verkauf verkäufer verlust vermieter verkehr vermögen versicherer versicherte versicherung verkäufe versand vertrag verträge vertrieb vorteil vorteile wahl ware waren wäsche wasser weg wege wein welt werk werkstatt werkzeug wert werte wetter wichtigste winter wirtschaft woche wochen wohnung wort worte wunsch zahl zahlen zahlung zahlungen zeit zeiten ziel ziele zimmer zins zinsen zubehör zucker zug zukunft zusatz zustand zweck
anbieter girokonto girokonten bankkonto debitkarte sparkonto festgeld geldautomat geldautomaten geldeingang mindesteingang schufa einlagensicherung konditionen kontoführung filialnetz neukunden direktbank direktbanken großbank großbanken hausbank hauptbank filialbank filialbanken neobank neobanken onlinebank smartphone smartphones app apps software tool tools cloud website webseite homepage shop shops online service
`);
