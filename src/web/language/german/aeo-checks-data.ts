import type { CheckTitles } from '../word-tables.ts';

/** Titles of the checks for the AEO score: what holds where the check passes, and what to do where it does not. */
export const aeoCheckTitles: CheckTitles = {
  'aeo.reach.http-200': ['Die Startadresse liefert HTML mit 200', 'Startadresse mit 200 und HTML ausliefern'],
  'aeo.reach.no-interstitial': [
    'Keine Bot-Prüfung, Cookie-Wand oder Anmeldung vor dem Inhalt',
    'Bot-Prüfung, Cookie-Wand oder Anmeldung vor dem Inhalt entfernen',
  ],
  'aeo.index.x-robots-tag': ['X-Robots-Tag erlaubt die Indexierung', 'Indexierung im X-Robots-Tag erlauben'],
  'aeo.reach.https': [
    'HTTPS funktioniert, und http:// leitet dorthin um',
    'Website über HTTPS ausliefern und http:// dorthin umleiten',
  ],
  'aeo.reach.soft-404': ['Unbekannte Pfade liefern 404 oder 410', 'Unbekannte Pfade mit 404 beantworten'],
  'aeo.reach.http-errors-in-sample': [
    'Interne Seiten der Stichprobe liefern 200',
    'Interne Seiten reparieren, die Fehler liefern',
  ],
  'aeo.reach.redirect-chain': [
    'Höchstens eine Weiterleitung bis zur endgültigen Adresse',
    'Kette der Weiterleitungen zur Seite verkürzen',
  ],
  'aeo.reach.ttfb': ['Der Server antwortet schnell', 'Server schneller antworten lassen'],
  'aeo.reach.html-size': ['Das HTML ist kleiner als 2 MiB', 'HTML verkleinern'],
  'aeo.reach.compression': ['Das HTML wird komprimiert übertragen', 'HTML komprimiert übertragen'],
  'aeo.reach.ua-parity': [
    'Abrufer der KI-Suche erhalten dieselbe Seite wie ein Browser',
    'KI-Abrufern dieselbe Seite senden wie einem Browser',
  ],
  'aeo.reach.edge-policy': [
    'CDN und Firewall lassen Such-Crawler, Nutzer-Abrufer und Mehrzweck-Crawler durch',
    'Crawler und Abrufer von KI-Systemen durch CDN und Firewall lassen',
  ],
  'aeo.reach.robots-vs-edge': [
    'CDN und Firewall lassen durch, wen robots.txt zulässt',
    'Agenten, die robots.txt zulässt, durch CDN und Firewall lassen',
  ],
  'aeo.robots.fetch': ['robots.txt ist abrufbar und ein Textdokument', 'robots.txt als Text ausliefern'],
  'aeo.robots.ai-search-bots': [
    'Crawler der KI-Suche dürfen die Startseite abrufen',
    'Crawler der KI-Suche in robots.txt zulassen',
  ],
  'aeo.robots.user-fetchers': [
    'Abrufer im Auftrag von Nutzern werden nicht abgewiesen',
    'Abrufer im Auftrag von Nutzern in robots.txt zulassen',
  ],
  'aeo.robots.blanket-block': [
    'Kein pauschales „Disallow: /“ für alle Crawler',
    'Regel aus robots.txt entfernen, die alle Crawler aussperrt',
  ],
  'aeo.robots.syntax': [
    'robots.txt enthält keine Zeilen, die Parser verwerfen',
    'Zeilen in robots.txt korrigieren, die Parser verwerfen',
  ],
  'aeo.robots.group-shadowing': [
    'Eine Gruppe für einen KI-Agenten hebt die Regeln für alle nicht auf',
    'Regeln für alle in der Gruppe des KI-Agenten wiederholen',
  ],
  'aeo.robots.crawl-delay': ['Crawl-delay ist angemessen', 'Crawl-delay verkürzen'],
  'aeo.robots.training-choice': [
    'Die Vorgabe für Trainings-Crawler ist ausdrücklich',
    'In robots.txt angeben, was Trainings-Crawler dürfen',
  ],
  'aeo.robots.blocks-render-assets': [
    'Skripte und Styles, die die Seite braucht, dürfen abgerufen werden',
    'Skripte und Styles der Seite in robots.txt zulassen',
  ],
  'aeo.robots.discovery-files-allowed': [
    'Dateien für Crawler sind ihnen nicht verboten',
    'Dateien für Crawler in robots.txt zulassen',
  ],
  'aeo.robots.managed-block': [
    'Der Block des Anbieters in robots.txt passt zu Ihrer eigenen Datei',
    'Block des Anbieters in robots.txt mit Ihren Regeln abstimmen',
  ],
  'aeo.robots.training-token': [
    'Ein Trainings-Token in robots.txt ist gültig und passt zum Rest',
    'Trainings-Token in robots.txt korrigieren',
  ],
  'aeo.robots.encoding': ['Regelpfade sind prozentkodiert', 'Regelpfade in robots.txt prozentkodieren'],
  'aeo.index.meta-robots': ['Die Startseite ist indexierbar', 'Indexierung der Seite erlauben'],
  'aeo.index.snippet-allowed': ['Snippets sind erlaubt', 'Snippets der Seite erlauben'],
  'aeo.index.snippet-eligible': [
    'Die Seite darf indexiert und mit Snippet gezeigt werden',
    'Indexierung und Anzeige mit Snippet erlauben',
  ],
  'aeo.index.canonical': ['Der Canonical-Link ist vorhanden und richtig', 'Canonical-Link korrigieren'],
  'aeo.index.noai-meta': [
    'noai und noimageai werden genannt, nicht bewertet',
    'KI-Angaben ersetzen, die kein Anbieter dokumentiert',
  ],
  'aeo.index.hreflang': ['Verwendete hreflang-Links sind gültig', 'hreflang-Links korrigieren'],
  'aeo.index.conflicts': [
    'Indexierungssignale widersprechen sich nicht',
    'Widersprüche zwischen Indexierungssignalen auflösen',
  ],
  'aeo.index.hreflang-return': ['Sprachversionen verlinken zurück', 'Von jeder Sprachversion zurückverlinken'],
  'aeo.index.canonical-agree': ['Canonical-Links der Seiten stimmen überein', 'Canonical-Links der Seiten angleichen'],
  'aeo.index.pagination': [
    'Seiten einer Liste haben eigene Adressen',
    'Jeder Seite einer Liste eine eigene Adresse geben',
  ],
  'aeo.sitemap.exists': ['Eine Sitemap wurde gefunden', 'Sitemap veröffentlichen'],
  'aeo.sitemap.valid': ['Die Sitemap ist wohlgeformt und hält die Grenzen ein', 'Sitemap korrigieren'],
  'aeo.sitemap.robots-ref': ['robots.txt nennt die Sitemap', 'Sitemap in robots.txt angeben'],
  'aeo.sitemap.lastmod': ['lastmod ist vorhanden und glaubwürdig', 'Richtige lastmod-Daten in die Sitemap aufnehmen'],
  'aeo.sitemap.lastmod-agrees': [
    'lastmod stimmt mit dem Datum der Seite überein',
    'lastmod mit dem Datum der Seite abgleichen',
  ],
  'aeo.fresh.recent': ['Der neueste Inhalt ist aktuell', 'Neue Inhalte veröffentlichen oder vorhandene aktualisieren'],
  'aeo.sitemap.contains-start': [
    'Die Sitemap enthält die Startseite und das Hauptmenü',
    'Startseite und Hauptmenü in die Sitemap aufnehmen',
  ],
  'aeo.render.ssr-text': ['Der Hauptinhalt steht im rohen HTML', 'Hauptinhalt ins rohe HTML schreiben'],
  'aeo.meta.title': ['Der Seitentitel ist vorhanden und aussagekräftig', 'Aussagekräftigen Seitentitel schreiben'],
  'aeo.meta.description': ['Die Meta-Beschreibung ist vorhanden', 'Meta-Beschreibung in passender Länge schreiben'],
  'aeo.render.head-tags-static': [
    'Titel und Beschreibung stehen im rohen Head',
    'Titel und Beschreibung in den rohen Head schreiben',
  ],
  'aeo.render.hidden-text': ['Der meiste Text ist sichtbar', 'Verborgenen Text anzeigen'],
  'aeo.render.noscript-wall': ['Keine Sperre „Bitte JavaScript aktivieren“', 'Inhalt ohne JavaScript anzeigen'],
  'aeo.meta.unique': [
    'Titel und Beschreibungen der Stichprobe sind eindeutig',
    'Jeder Seite eigenen Titel und eigene Beschreibung geben',
  ],
  'aeo.meta.open-graph': ['Open-Graph-Grunddaten sind vollständig', 'Open-Graph-Angaben vervollständigen'],
  'aeo.meta.site-name': ['Die Website nennt ihren Namen', 'Namen der Website angeben'],
  'aeo.meta.viewport': ['Mobiler Viewport ist gesetzt', 'Viewport-Meta-Tag einfügen'],
  'aeo.meta.lang': ['html lang ist vorhanden und richtig', 'Richtiges lang am html-Element setzen'],
  'aeo.meta.charset': [
    'UTF-8 ist angegeben, und der Text ist unbeschädigt',
    'UTF-8 angeben und beschädigte Zeichen reparieren',
  ],
  'aeo.structure.h1': ['Genau eine klare h1-Überschrift', 'Genau eine h1 verwenden'],
  'aeo.structure.heading-order': ['Überschriften überspringen keine Ebenen', 'Überschriftenebenen lückenlos verwenden'],
  'aeo.structure.landmarks': [
    'main, article, nav, header und footer werden verwendet',
    'main, article, nav, header und footer auszeichnen',
  ],
  'aeo.answer.capsule': [
    'Auf eine Frage als Überschrift folgt eine kurze, direkte Antwort',
    'Jede Frage direkt unter ihrer Überschrift beantworten',
  ],
  'aeo.answer.faq': ['FAQ-Inhalte, wo sie passen', 'Fragen beantworten, die Nutzer stellen'],
  'aeo.links.internal': [
    'Wichtige Seiten sind über einfache Links erreichbar',
    'Wichtige Seiten mit einfachen Links verlinken',
  ],
  'aeo.fresh.dates': ['Seiten zeigen Veröffentlichung oder Aktualisierung', 'Datum der Seite anzeigen'],
  'aeo.answer.question-headings': [
    'Einige Überschriften sind Fragen, die Nutzer stellen',
    'Fragen von Nutzern als Überschriften verwenden',
  ],
  'aeo.answer.lead-first': [
    'Der erste Absatz sagt, worum es auf der Seite geht',
    'Im ersten Absatz sagen, worum es auf der Seite geht',
  ],
  'aeo.answer.steps': ['Abläufe sind nummerierte Listen', 'Abläufe als nummerierte Listen schreiben'],
  'aeo.answer.comparison-table': ['Vergleiche sind echte Tabellen', 'Vergleiche als Tabellen anlegen'],
  'aeo.links.anchor-text': ['Linktexte sind aussagekräftig', 'Linktexte schreiben, die ihr Ziel nennen'],
  'aeo.links.nofollow-internal': ['Kein nofollow an internen Links', 'nofollow von internen Links entfernen'],
  'aeo.media.alt': ['Bilder haben Alternativtexte', 'Alternativtexte zu Bildern ergänzen'],
  'aeo.feed.exists': ['Ein Feed ist verlinkt und lesbar', 'Lesbaren Feed verlinken'],
  'aeo.feed.indexnow': ['IndexNow wird genannt, nicht bewertet', 'Prüfen, ob IndexNow Ihnen nützt'],
  'aeo.trust.about-contact': ['Über-uns- und Kontaktseite sind vorhanden', 'Über-uns-Seite und Kontaktseite anlegen'],
  'aeo.trust.policies': ['Datenschutz und AGB sind verlinkt', 'Datenschutz und AGB verlinken'],
  'aeo.url.readable': ['Adressen sind kurz und lesbar', 'Adressen kürzen und lesbar machen'],
  'aeo.archive.presence': ['Präsenz in Common Crawl wird nicht nachgeschlagen', 'Ihre Präsenz in Common Crawl prüfen'],
};
