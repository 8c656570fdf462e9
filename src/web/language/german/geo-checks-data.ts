import type { CheckTitles } from '../word-tables.ts';

/** Titles of the checks for the GEO score: what holds where the check passes, and what to do where it does not. */
export const geoCheckTitles: CheckTitles = {
  'geo.evidence.statistics': ['Aussagen nennen Zahlen mit Einheiten', 'Aussagen mit Zahlen und Einheiten belegen'],
  'geo.evidence.quotations': ['Zitate mit Namen sind vorhanden', 'Personen mit Namen zitieren'],
  'geo.evidence.cited-sources': ['Externe Quellen werden im Text genannt', 'Externe Quellen im Text nennen'],
  'geo.evidence.no-keyword-stuffing': ['Kein Keyword-Stuffing', 'Wiederholte Keywords entfernen'],
  'geo.evidence.number-source-adjacent': ['Zahlen stehen neben ihrer Quelle', 'Quelle neben jede Zahl setzen'],
  'geo.evidence.authoritative-domains': [
    'Unter den genannten Quellen ist eine Primärquelle',
    'Eine Primärquelle nennen',
  ],
  'geo.evidence.links-resolve': ['Genannte Quellen sind erreichbar', 'Defekte Links zu genannten Quellen reparieren'],
  'geo.evidence.technical-terms': [
    'Abkürzungen werden beim ersten Mal ausgeschrieben',
    'Abkürzungen beim ersten Mal ausschreiben',
  ],
  'geo.evidence.first-hand-data': ['Eigene Daten werden beschrieben', 'Eigene Daten beschreiben'],
  'geo.text.definitions': ['Schlüsselbegriffe sind definiert', 'Schlüsselbegriffe definieren'],
  'geo.text.no-self-superlatives': ['Kaum unbelegte Superlative', 'Superlative belegen oder weglassen'],
  'geo.text.fluency': ['Sätze haben eine lesbare Länge', 'Sätze in lesbarer Länge schreiben'],
  'geo.text.depth': ['Genug Inhalt, um zitiert zu werden', 'Genug Inhalt schreiben, um zitiert zu werden'],
  'geo.text.main-extractable': [
    'Ein Extraktor für Hauptinhalte findet den Artikel',
    'Artikel so auszeichnen, dass Extraktoren ihn finden',
  ],
  'geo.text.easy': ['Der Text ist verständlich', 'Text leichter lesbar machen'],
  'geo.text.no-placeholder': ['Kein Platzhaltertext', 'Platzhaltertext ersetzen'],
  'geo.text.summary': [
    'Zusammenfassung oder kurzer Vorspann vorhanden',
    'Zusammenfassung oder kurzen Vorspann ergänzen',
  ],
  'geo.text.ratio': ['Der Text geht nicht im Markup unter', 'Markup um den Text verringern'],
  'geo.text.paragraph-size': ['Absätze sind so kurz wie ein Zitat', 'Lange Absätze teilen'],
  'geo.text.section-size': ['Abschnitte sind 80 bis 350 Wörter lang', 'Abschnitte auf 80 bis 350 Wörter bringen'],
  'geo.text.self-contained': [
    'Abschnitte beginnen nicht mit einem Pronomen ohne Bezug',
    'Thema am Anfang jedes Abschnitts nennen',
  ],
  'geo.text.lists': ['Aufzählungen sind Listen', 'Aufzählungen als Listen anlegen'],
  'geo.text.unique-passages': [
    'Absätze wiederholen sich in der Stichprobe nicht',
    'Absätze entfernen, die auf anderen Seiten stehen',
  ],
  'geo.parity.topic-coherence': [
    'Das gemeinsame Thema der Stichprobe wird genannt',
    'Gemeinsames Thema der Seiten prüfen',
  ],
  'geo.entity.organization': [
    'Organization ist als strukturierte Daten vorhanden',
    'Organization in strukturierten Daten vervollständigen',
  ],
  'geo.entity.sameas': ['sameAs verweist auf bekannte Profile', 'sameAs auf bekannte Profile verweisen lassen'],
  'geo.entity.name-consistent': ['Der Markenname ist überall gleich', 'Überall denselben Markennamen verwenden'],
  'geo.entity.website-node': ['WebSite-Knoten vorhanden', 'Vollständigen WebSite-Knoten ergänzen'],
  'geo.entity.author': ['Autor ist genannt und ausgezeichnet', 'Autor nennen und auszeichnen'],
  'geo.entity.author-page': ['Der Autorenlink führt zu einer Biografie', 'Autor mit einer Biografie verlinken'],
  'geo.entity.publisher': [
    'publisher verbindet den Artikel mit der Organization',
    'Artikel mit seinem Herausgeber verbinden',
  ],
  'geo.entity.contact-verifiable': ['Kontaktdaten sind maschinenlesbar', 'Kontaktdaten maschinenlesbar machen'],
  'geo.entity.first-person-about': [
    'Die Über-uns-Seite nennt wer, seit wann und wo',
    'Auf der Über-uns-Seite sagen, wer Sie sind, seit wann und wo',
  ],
  'geo.entity.contact-agrees': [
    'Angegebene Kontaktdaten sind die der Seiten',
    'Kontaktdaten mit den Seiten in Einklang bringen',
  ],
  'geo.entity.hours-agree': [
    'Angegebene Öffnungszeiten sind die der Seiten',
    'Öffnungszeiten mit den Seiten in Einklang bringen',
  ],
  'geo.trust.editorial': [
    'Regeln für Redaktion oder Korrekturen sind genannt',
    'Regeln für Redaktion oder Korrekturen nennen',
  ],
  'geo.trust.reviews': ['Hinweise auf unabhängige Bewertungen', 'Unabhängige Bewertungen verlinken'],
  'geo.trust.license': [
    'Die angegebene Lizenz zur Nachnutzung stimmt',
    'Angegebene Lizenz zur Nachnutzung korrigieren',
  ],
  'geo.schema.jsonld-present': ['JSON-LD ist vorhanden', 'JSON-LD ergänzen'],
  'geo.schema.parses': [
    'Alle JSON-LD-Blöcke sind streng gültiges JSON',
    'JSON-LD-Blöcke reparieren, die nicht lesbar sind',
  ],
  'geo.schema.context': ['@context ist auf schema.org gesetzt', '@context auf schema.org setzen'],
  'geo.schema.known-types': [
    'Typen und Eigenschaften gibt es in schema.org',
    'Nur Typen und Eigenschaften verwenden, die schema.org kennt',
  ],
  'geo.schema.page-type': [
    'Die Seite hat einen Knoten des richtigen Typs',
    'Strukturierte Daten des passenden Typs ergänzen',
  ],
  'geo.schema.article': ['Article-Felder sind vollständig', 'Article-Felder vervollständigen'],
  'geo.schema.product': ['Product- und Offer-Felder sind vollständig', 'Product- und Offer-Felder vervollständigen'],
  'geo.schema.price-parity': [
    'Strukturierter Preis gleicht dem sichtbaren',
    'Strukturierten Preis an den sichtbaren angleichen',
  ],
  'geo.schema.breadcrumb': ['BreadcrumbList auf tiefen Seiten', 'BreadcrumbList auf tiefen Seiten ergänzen'],
  'geo.schema.local-business': ['LocalBusiness ist vollständig', 'LocalBusiness vervollständigen'],
  'geo.schema.review-honest': ['Bewertungen sind belegt', 'Bewertungen mit sichtbaren Rezensionen belegen'],
  'geo.schema.speakable': ['speakable wird genannt', 'Prüfen, ob speakable Ihnen nützt'],
  'geo.schema.howto': ['HowTo wird genannt', 'Prüfen, ob HowTo Ihnen nützt'],
  'geo.commerce.merchant': [
    'Verkaufte Produkte nennen GTIN, Rückgabe und Versand',
    'GTIN, Rückgabe und Versand der Produkte angeben',
  ],
  'geo.schema.ids-linked': ['Knoten sind über @id verknüpft', 'Verweise über @id reparieren'],
  'geo.schema.dates-valid': [
    'Schema-Daten folgen ISO 8601 und sind stimmig',
    'Datumsangaben in strukturierten Daten korrigieren',
  ],
  'geo.schema.no-duplicates': [
    'Keine doppelten Knoten, die sich widersprechen',
    'Doppelte Knoten zusammenführen, die sich widersprechen',
  ],
  'geo.schema.faq-parity': ['FAQ-Markup gleicht dem sichtbaren Text', 'FAQ-Markup an den sichtbaren Text angleichen'],
  'geo.schema.faq': ['Der Aufbau der FAQPage ist gültig', 'FAQPage korrigieren'],
  'geo.text.only-in-files': [
    'Speisekarten, Preise und Fahrpläne sind Text einer Seite',
    'Speisekarten, Preise und Fahrpläne als Text auf eine Seite setzen',
  ],
  'geo.schema.paywall': ['Eine Paywall ist ausgezeichnet', 'Paywall auszeichnen'],
  'geo.safety.no-invisible-instructions': [
    'Keine verborgenen Anweisungen an KI',
    'Verborgene Anweisungen an KI entfernen',
  ],
  'geo.safety.no-cloaking-text': [
    'KI-User-Agents erhalten keine anderen Aussagen',
    'KI-User-Agents dieselben Aussagen zeigen wie Menschen',
  ],
  'geo.parity.markdown-content': [
    'Die Markdown-Kopie sagt dasselbe wie das HTML',
    'Markdown-Kopie dasselbe sagen lassen wie die Seite',
  ],
  'geo.safety.unicode-covert': ['Kein verdecktes Unicode', 'Unsichtbare Zeichen entfernen'],
  'geo.parity.title-h1': ['Titel und h1 stimmen überein', 'Titel und h1 angleichen'],
  'geo.cite.addressable': ['Abschnitte sind verlinkbar', 'Abschnitten eine id als Linkziel geben'],
  'geo.cite.text-fragment-safe': [
    'Textfragmente können treffen',
    'Header entfernen, der Links auf zitierten Text verhindert',
  ],
  'geo.cite.figure-captions': ['Abbildungen und Tabellen sind beschriftet', 'Abbildungen und Tabellen beschriften'],
  'geo.media.video-transcript': [
    'Das Video hat ein Transkript oder VideoObject',
    'Transkript oder VideoObject zum Video ergänzen',
  ],
};
