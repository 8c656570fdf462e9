import type { CheckTitles } from '../check-titles.ts';

/** Titles of the checks for agent readiness: what holds where the check passes, and what to do where it does not. */
export const agentCheckTitles: CheckTitles = {
  'agent.llms.exists': ['llms.txt ist vorhanden und Text', 'llms.txt veröffentlichen'],
  'agent.llms.content-type': ['llms.txt hat einen Text-Medientyp', 'llms.txt als Text ausliefern'],
  'agent.llms.h1-first': ['Am Anfang steht genau eine H1', 'llms.txt mit einer H1 beginnen'],
  'agent.llms.summary': [
    'Auf die H1 folgt eine Zusammenfassung als Zitatblock',
    'Zusammenfassung unter der H1 von llms.txt ergänzen',
  ],
  'agent.llms.sections': ['H2-Abschnitte mit Linklisten', 'Abschnitte mit Links in llms.txt aufnehmen'],
  'agent.llms.size': ['llms.txt passt in einen Abruf', 'llms.txt auf einen Abruf kürzen'],
  'agent.llms.full': [
    'llms-full.txt hat, falls vorhanden, Inhalt',
    'llms-full.txt mit Text füllen',
  ],
  'agent.llms.statistics': ['Kennzahlen von llms.txt nennen', 'Kennzahlen von llms.txt durchsehen'],
  'agent.llms.no-injection': [
    'llms.txt enthält keine feindlichen Anweisungen',
    'Anweisungen an Agenten aus llms.txt entfernen',
  ],
  'agent.llms.links-described': ['Links haben Erläuterungen', 'Links in llms.txt beschreiben'],
  'agent.llms.links-resolve': ['Links führen ans Ziel', 'Defekte Links in llms.txt reparieren'],
  'agent.llms.links-text': [
    'Links führen zu Text, den ein Modell lesen kann',
    'llms.txt auf Seiten verlinken, die ein Modell lesen kann',
  ],
  'agent.llms.coverage': ['llms.txt nennt die wichtigen Seiten', 'Wichtige Seiten in llms.txt aufführen'],
  'agent.llms.same-site': [
    'Links bleiben auf der Website oder auf genannten Hosts',
    'Links in llms.txt auf Ihrer Website halten',
  ],
  'agent.md.negotiation': [
    'Accept: text/markdown liefert Markdown',
    'Accept: text/markdown mit Markdown beantworten',
  ],
  'agent.md.vary': [
    'Ausgehandelte Antworten tragen Vary: Accept',
    'Vary: Accept bei ausgehandelten Antworten senden',
  ],
  'agent.md.q-values': ['Die Aushandlung beachtet q-Werte', 'q-Werte beim Aushandeln von Markdown beachten'],
  'agent.md.suffix': ['Adresse + .md funktioniert', 'Markdown-Kopie unter Adresse plus .md anbieten'],
  'agent.md.alternate-link': ['rel=alternate mit type=text/markdown', 'Markdown-Kopie von der Seite aus verlinken'],
  'agent.md.canonical': ['Die Markdown-Kopie nennt ihre Originalseite', 'Originalseite in der Markdown-Kopie nennen'],
  'agent.md.size-win': ['Das Markdown ist kleiner', 'Markdown-Kopie kleiner machen als das HTML'],
  'agent.md.valid': [
    'Das Markdown ist sauber',
    'HTML-Reste und offene Codeblöcke aus der Markdown-Kopie entfernen',
  ],
  'agent.md.links-portable': [
    'Links im Markdown sind absolut oder auflösbar',
    'Links der Markdown-Kopie absolut machen',
  ],
  'agent.http.head': ['HEAD funktioniert', 'HEAD-Anfragen beantworten'],
  'agent.http.conditional': ['Bedingte Anfragen funktionieren', 'Bedingte Anfragen mit 304 beantworten'],
  'agent.http.cache': [
    'Discovery-Dateien sind cachebar und nicht veraltet',
    'Cache-Dauer für Discovery-Dateien setzen',
  ],
  'agent.http.cors': [
    'Öffentliche Discovery-Dateien erlauben CORS',
    'CORS für öffentliche Discovery-Dateien erlauben',
  ],
  'agent.http.link-headers': ['Ein Link-Header nennt die Dienste', 'Dienste in einem Link-Header nennen'],
  'agent.http.rate-limit': ['429 und 503 tragen Retry-After', 'Retry-After mit 429 und 503 senden'],
  'agent.prefs.content-signal': [
    'Verwendetes Content-Signal ist gültig',
    'Content-Signal-Zeile korrigieren',
  ],
  'agent.prefs.aipref': ['Verwendetes Content-Usage ist gültig', 'Content-Usage-Header korrigieren'],
  'agent.prefs.rsl': ['Angegebene RSL-Lizenz ist abrufbar', 'Angegebene RSL-Lizenz reparieren'],
  'agent.prefs.tdmrep': ['Verwendeter TDM-Vorbehalt ist gültig', 'TDM-Vorbehalt korrigieren'],
  'agent.prefs.coherent': ['Signale widersprechen sich nicht', 'Signale an Crawler in Einklang bringen'],
  'agent.prefs.web-bot-auth': [
    'Vorhandenes Verzeichnis für Web Bot Auth ist gültig',
    'Verzeichnis für Web Bot Auth korrigieren',
  ],
  'agent.api.openapi-found': [
    'Eine OpenAPI-Beschreibung ist auffindbar',
    'OpenAPI-Beschreibung dort veröffentlichen, wo Agenten sie finden',
  ],
  'agent.api.openapi-valid': ['Das Dokument ist formal gültig', 'API-Beschreibung korrigieren'],
  'agent.api.operation-ids': [
    'Operationen haben IDs und Kurzbeschreibungen',
    'Operationen IDs und Kurzbeschreibungen geben',
  ],
  'agent.api.described-params': [
    'Parameter, Bodys und Antworten sind beschrieben',
    'Parameter, Bodys und Antworten beschreiben',
  ],
  'agent.api.errors-examples': [
    'Fehlerantworten und Beispiele sind vorhanden',
    'Fehlerantworten und Beispiele ergänzen',
  ],
  'agent.api.security-declared': ['Die Anmeldung ist angegeben', 'Angeben, wie man sich an der API anmeldet'],
  'agent.api.servers': ['Die servers-URL ist erreichbar und https', 'servers-URL korrigieren'],
  'agent.api.change-policy': [
    'API-Änderungen werden angekündigt, und Aufrufe sind wiederholbar',
    'API-Änderungen ankündigen und Aufrufe wiederholbar machen',
  ],
  'agent.http.errors-machine': ['API-Fehler sind maschinenlesbar', 'API-Fehler maschinenlesbar machen'],
  'agent.api.catalog': ['Vorhandenes api-catalog-Linkset ist gültig', 'api-catalog korrigieren'],
  'agent.api.ai-plugin': ['ai-plugin.json wird erkannt', 'Prüfen, ob ai-plugin.json noch nötig ist'],
  'agent.api.agents-json': [
    'agents.json, ai.txt und ai/*.json werden erkannt',
    'Prüfen, ob agents.json und ai.txt nötig sind',
  ],
  'agent.pay.charged-fetchers': [
    'Abrufer im Auftrag einer Person müssen nicht zahlen',
    'Abrufern im Auftrag einer Person nichts berechnen',
  ],
  'agent.pay.x402': [
    'x402 wird richtig angeboten, wo es Zahlungen gibt',
    'x402 in einer Form anbieten, die Clients verstehen',
  ],
  'agent.pay.x402-discovery': ['x402-Ressourcen sind auffindbar', 'Bezahlte Ressourcen auffindbar machen'],
  'agent.pay.price-page': ['Preise sind ohne Anfrage lesbar', 'Preise ohne Anfrage zeigen'],
  'agent.pay.ucp-live': [
    'Der Endpunkt eines angegebenen UCP-Profils antwortet',
    'Endpunkt des UCP-Profils reparieren',
  ],
  'agent.pay.mpp': ['Eine Payment-Challenge ist vollständig', 'Payment-Challenge vervollständigen'],
  'agent.pay.bazaar-ready': [
    'Ein x402-Angebot nennt, was ein Katalog braucht',
    'Angaben für Kataloge im x402-Angebot ergänzen',
  ],
  'agent.pay.acp': ['Vorhandenes ACP-Discovery-Dokument ist gültig', 'ACP-Discovery-Dokument korrigieren'],
  'agent.pay.ap2': ['Verwendetes AP2 steht in der Agent Card', 'AP2 in der Agent Card angeben'],
  'agent.a2a.signed-card': [
    'Vorhandene Signaturen der Agent Card sind wohlgeformt',
    'Signaturen der Agent Card korrigieren',
  ],
  'agent.auth.auth-md': ['Vorhandenes auth.md ist brauchbar', 'auth.md korrigieren'],
  'agent.feed.products': [
    'Vorhandener Produktfeed ist vollständig und wahr',
    'Produktfeed vervollständigen und korrigieren',
  ],
  'agent.a2a.card': ['Vorhandene A2A-Agent-Card ist gültig', 'A2A-Agent-Card korrigieren'],
  'agent.a2a.legacy-path': [
    'Das alte /.well-known/agent.json ist auf gleichem Stand',
    '/.well-known/agent.json auf den Stand der Card bringen',
  ],
  'agent.a2a.interface-live': [
    'Die Schnittstelle der Card antwortet',
    'Schnittstelle reparieren, die die Card nennt',
  ],
  'agent.skills.index': [
    'Vorhandener Index für Agent Skills ist gültig',
    'Index der Agent Skills korrigieren',
  ],
  'agent.skills.skill-md': ['SKILL.md hält das Format ein', 'Format von SKILL.md korrigieren'],
  'agent.llms.advertised': ['Seiten verweisen auf llms.txt', 'Von Ihren Seiten auf llms.txt verweisen'],
  'agent.docs.agents-md': ['Öffentliches AGENTS.md ist nützlich', 'Öffentliches AGENTS.md vervollständigen'],
  'agent.docs.sitemap-md': ['sitemap.md wird genannt', 'Prüfen, ob sitemap.md Ihnen nützt'],
  'agent.nlweb.ask': ['Vorhandener NLWeb-Endpunkt ist gültig', 'NLWeb-Endpunkt reparieren'],
  'agent.pay.commerce': [
    'Vorhandenes UCP-, ACP-, AP2- oder MPP-Profil ist gültig',
    'Commerce-Profil korrigieren',
  ],
  'agent.sec.security-txt': ['Vorhandenes security.txt ist gültig', 'security.txt korrigieren'],
  'agent.sec.headers': ['Sicherheits-Header werden genannt', 'Fehlende Sicherheits-Header ergänzen'],
  'agent.tokens.page': [
    'Der Seitentext passt in einen Lesevorgang',
    'Seite so kürzen, dass ein Agent sie auf einmal lesen kann',
  ],
  'agent.tokens.preamble': ['Der Inhalt beginnt früh', 'Inhalt früher beginnen lassen'],
  'agent.tokens.inline-bloat': [
    'Keine großen Inline-Zustände oder Data-URIs',
    'Inline-Zustände und Data-URIs aus der Seite auslagern',
  ],
  'agent.docs.code-language': ['Codeblöcke nennen ihre Sprache', 'Sprache der Codeblöcke angeben'],
  'agent.docs.tabs': ['Inhalte von Tabs stehen im HTML', 'Inhalte von Tabs ins HTML schreiben'],
  'agent.docs.single-fetch': [
    'Eine Seite braucht für ihren Inhalt keinen zweiten Abruf',
    'Inhalt in die erste Antwort schreiben',
  ],
  'agent.sec.mixed': ['Keine gemischten Inhalte', 'Alle Teile der Seite über https laden'],
  'agent.ui.form-labels': ['Formularfelder haben Namen', 'Formularfelder benennen'],
  'agent.ui.control-names': [
    'Schaltflächen und Links haben zugängliche Namen',
    'Schaltflächen und Links benennen',
  ],
  'agent.ui.autocomplete': [
    'Persönliche Felder haben autocomplete-Werte',
    'autocomplete-Werte an persönlichen Feldern ergänzen',
  ],
  'agent.ui.native-controls': [
    'Bedienelemente sind native Elemente',
    'Schaltflächen und Links für klickbare Elemente verwenden',
  ],
  'agent.ui.forms-no-js': ['Formulare haben action und method', 'Formularen action und method geben'],
  'agent.ui.search-url': ['Die Suche hat eine Adresse', 'Der Suche der Website eine Adresse geben'],
  'agent.ui.captcha': [
    'Kein Captcha vor lesbaren Inhalten',
    'Captchas nur dort laden, wo etwas abgesendet wird',
  ],
  'agent.ui.dangerous-get': [
    'Kein GET-Link ändert einen Zustand',
    'POST für Links verwenden, die etwas ändern',
  ],
  'agent.ui.refresh': ['Kein zeitgesteuertes Neuladen', 'Zeitgesteuertes Neuladen entfernen'],
  'agent.ui.aria-valid': [
    'ARIA-Rollen, -Attribute und -IDs sind gültig',
    'ARIA-Rollen, -Attribute und -IDs korrigieren',
  ],
  'agent.webmcp.forms': ['Verwendetes deklaratives WebMCP ist gültig', 'Deklarierte WebMCP-Formulare korrigieren'],
  'agent.webmcp.script': [
    'Imperativer WebMCP-Aufruf wird erkannt',
    'Skript auf die aktuelle WebMCP-Schnittstelle umstellen',
  ],
  'agent.content.raw-vs-rendered': [
    'Das rohe HTML enthält, was die gerenderte Seite enthält',
    'Inhalte, die Skripte ergänzen, ins HTML schreiben',
  ],
  'agent.content.script-errors': ['Skripte der Seite laufen fehlerfrei', 'Fehlerhafte Skripte reparieren'],
  'agent.webmcp.registered': ['WebMCP-Tools melden sich wirklich an', 'WebMCP-Tools richtig anmelden'],
  'agent.ui.target-size': [
    'Klickziele sind mindestens 24 Pixel groß oder haben Abstand',
    'Klickziele vergrößern oder Abstand schaffen',
  ],
  'agent.ui.overlay': ['Nichts Unbenanntes liegt über der Seite', 'Überdeckendes Element benennen oder entfernen'],
  'agent.ui.rendered-names': [
    'Bedienelemente haben Namen im Accessibility-Baum',
    'Bedienelemente im Accessibility-Baum benennen',
  ],
};
