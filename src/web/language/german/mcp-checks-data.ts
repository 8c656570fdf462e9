import type { CheckTitles } from '../check-titles.ts';

/** Titles of the checks for MCP readiness: what holds where the check passes, and what to do where it does not. */
export const mcpCheckTitles: CheckTitles = {
  'mcp.discovery.any': ['Eine MCP-Schnittstelle ist auffindbar', 'MCP-Schnittstelle auffindbar machen'],
  'mcp.discovery.ai-catalog': ['Der AI Catalog führt den Server auf', 'Server im AI Catalog aufführen'],
  'mcp.discovery.ai-catalog-valid': ['Der Katalog ist gültig', 'AI Catalog korrigieren'],
  'mcp.discovery.catalog-urls': ['Adressen im Katalog sind erreichbar', 'Defekte Adressen im Katalog reparieren'],
  'mcp.discovery.legacy-mcp-json': [
    '/.well-known/mcp.json wird erkannt',
    '/.well-known/mcp.json korrigieren',
  ],
  'mcp.discovery.agent-json': [
    'agent.json oder agent-card.json wird erkannt',
    'Agent Card für MCP-Clients korrigieren',
  ],
  'mcp.discovery.catalog-advertised': ['Auf den Katalog wird verwiesen', 'Auf den Katalog verweisen'],
  'mcp.discovery.registry': [
    'Der Nachweis für die offizielle Registry ist wohlgeformt',
    'Nachweis für die offizielle Registry korrigieren',
  ],
  'mcp.discovery.dns-aid': ['DNS-AID-Eintrag wird genannt', 'Prüfen, ob ein DNS-AID-Eintrag Ihnen nützt'],
  'mcp.discovery.docs-page': [
    'Eine Seite für Menschen sagt, wie man sich verbindet',
    'Seite schreiben, die sagt, wie man sich verbindet',
  ],
  'mcp.card.found': ['Eine Server Card ist vorhanden', 'Server Card veröffentlichen'],
  'mcp.card.schema': ['Die Card entspricht dem v1-Schema', 'Card nach ihrem Schema korrigieren'],
  'mcp.card.media-type': [
    'Content-Type ist application/mcp-server-card+json',
    'Card als application/mcp-server-card+json ausliefern',
  ],
  'mcp.card.cors': ['Die Card erlaubt GET per CORS', 'Anderen Websites erlauben, die Card zu lesen'],
  'mcp.card.no-secrets': [
    'Kein Geheimnis in der Card oder in mcp.json',
    'Geheimnis aus der Card oder aus mcp.json entfernen',
  ],
  'mcp.card.remote-https': [
    'Remote-URLs sind absolut und https',
    'Absolute https-Adressen für Remotes verwenden',
  ],
  'mcp.card.versions-true': [
    'supportedProtocolVersions ist wahr',
    'MCP-Revisionen des Servers in der Card aufführen',
  ],
  'mcp.card.single-truth': [
    'Alle Discovery-Dokumente stimmen überein',
    'Discovery-Dokumente in Einklang bringen',
  ],
  'mcp.card.caching': ['Die Card hat Cache-Control und ETag', 'Card mit Cache-Control und ETag senden'],
  'mcp.card.remote-same-site': [
    'Der Remote-Host gehört zum Herausgeber',
    'Remote beim Herausgeber hosten',
  ],
  'mcp.card.identity-true': [
    'Name und Version der Card sind die des Servers',
    'Name und Version des Servers in der Card angeben',
  ],
  'mcp.card.icons': [
    'Icons sind https- oder Data-URLs von Bildern',
    'https- oder Data-Bilder als Icons der Card verwenden',
  ],
  'mcp.endpoint.reachable': ['Der Endpunkt spricht MCP', 'Endpunkt MCP sprechen lassen'],
  'mcp.endpoint.modern': ['Die aktuelle Revision wird unterstützt', 'Aktuelle Revision von MCP unterstützen'],
  'mcp.endpoint.origin': ['Ein fremder Origin wird abgewiesen', 'Fremden Origin abweisen'],
  'mcp.endpoint.https': ['Der Endpunkt ist https', 'Endpunkt über https ausliefern'],
  'mcp.endpoint.legacy': ['Ältere Clients werden noch bedient', 'Auch ältere Clients bedienen'],
  'mcp.endpoint.version-error': [
    'Eine nicht unterstützte Version erhält den richtigen Fehler',
    'Nicht unterstützte Version mit dem richtigen Fehler beantworten',
  ],
  'mcp.endpoint.header-mismatch': [
    'Widerspruch von Header und Body wird abgewiesen',
    'Header abweisen, die dem Body widersprechen',
  ],
  'mcp.endpoint.unknown-method': [
    'Eine unbekannte Methode erhält -32601',
    'Unbekannte Methode mit -32601 beantworten',
  ],
  'mcp.endpoint.bad-json': [
    'Fehlerhaftes JSON wird behandelt',
    'Fehlerhaftes JSON mit einem Parse-Fehler beantworten',
  ],
  'mcp.endpoint.get-behaviour': ['GET verhält sich wie spezifiziert', 'GET nach der Spezifikation beantworten'],
  'mcp.endpoint.accept': ['Der Antworttyp folgt Accept', 'Antworttyp nach Accept wählen'],
  'mcp.endpoint.stateless': [
    'Moderne Anfragen brauchen keine Sitzung',
    'Anfragen ohne Sitzung beantworten',
  ],
  'mcp.endpoint.latency': ['Discover antwortet rechtzeitig', 'Endpunkt schneller antworten lassen'],
  'mcp.endpoint.cors': [
    'Browser-Clients können nötige Header lesen',
    'Header freigeben, die Browser-Clients brauchen',
  ],
  'mcp.tools.list': ['tools/list funktioniert', 'tools/list reparieren'],
  'mcp.tools.names': ['Tool-Namen sind gültig und eindeutig', 'Tools gültige, eindeutige Namen geben'],
  'mcp.tools.input-schema': [
    'inputSchema ist ein gültiges Objektschema',
    'Jedes inputSchema zu einem gültigen Objektschema machen',
  ],
  'mcp.tools.descriptions': ['Tools sind beschrieben', 'Tools beschreiben'],
  'mcp.tools.param-descriptions': ['Parameter sind beschrieben', 'Parameter der Tools beschreiben'],
  'mcp.tools.annotations': [
    'Verhaltenshinweise sind vorhanden und plausibel',
    'Verhaltenshinweise ergänzen, die zu den Tools passen',
  ],
  'mcp.tools.injection': [
    'Tool-Texte enthalten keine verborgenen Anweisungen',
    'Verborgene Anweisungen aus Tool-Texten entfernen',
  ],
  'mcp.tools.x-mcp-header': [
    'x-mcp-header-Annotationen sind zulässig',
    'x-mcp-header-Annotationen korrigieren',
  ],
  'mcp.tools.output-schema': ['Vorhandenes outputSchema ist gültig', 'outputSchema korrigieren'],
  'mcp.tools.deterministic': [
    'Die Reihenfolge in tools/list ist stabil',
    'Reihenfolge in tools/list stabil halten',
  ],
  'mcp.tools.cache-hints': ['Cache-Hinweise sind vorhanden', 'Cache-Hinweise zu Ergebnissen ergänzen'],
  'mcp.tools.count': ['Die Zahl der Tools ist handhabbar', 'Weniger Tools anbieten'],
  'mcp.tools.tokens': ['tools/list passt in den Kontext', 'tools/list auf einen Kontext kürzen'],
  'mcp.tools.unknown-tool': [
    'Aufruf eines unbekannten Tools ist ein Fehler',
    'Aufruf eines unbekannten Tools mit Fehler beantworten',
  ],
  'mcp.resources.list': [
    'Angegebene Ressourcen und Prompts sind auflistbar',
    'Clients angegebene Ressourcen und Prompts auflisten lassen',
  ],
  'mcp.instructions': ['Anweisungen des Servers sind vorhanden', 'Anweisungen für den Server angeben'],
  'mcp.legacy.sse': ['Der Transport HTTP+SSE ist abgeschaltet', 'Veralteten Transport HTTP+SSE abschalten'],
  'mcp.pay.x402': ['Bezahltes MCP nennt den Preis', 'Preis bezahlter Tools angeben'],
  'mcp.auth.challenge': ['401 enthält eine brauchbare Challenge', 'Brauchbare Challenge mit der 401 senden'],
  'mcp.auth.prm': [
    'Protected Resource Metadata sind gültig',
    'Protected Resource Metadata korrigieren',
  ],
  'mcp.auth.as-metadata': [
    'AS-Metadaten sind abrufbar',
    'Metadaten des Autorisierungsservers reparieren',
  ],
  'mcp.auth.pkce': ['PKCE mit S256 ist angegeben', 'PKCE mit S256 angeben'],
  'mcp.auth.registration': ['Clients können sich registrieren', 'Clients einen Weg zur Registrierung geben'],
  'mcp.auth.endpoints-https': ['OAuth-Endpunkte sind https', 'OAuth-Endpunkte über https ausliefern'],
  'mcp.auth.bad-token': ['Ein erfundenes Token wird abgewiesen', 'Erfundenes Token mit 401 abweisen'],
  'mcp.auth.query-token': [
    'Token im Query-String wird weder angenommen noch angeboten',
    'Keine Token im Query-String mehr annehmen',
  ],
  'mcp.auth.scopes': ['Scopes sind veröffentlicht', 'Scopes veröffentlichen'],
  'mcp.auth.resource-param': [
    'Der AS unterstützt Resource Indicators',
    'Unterstützung von Resource Indicators prüfen',
  ],
  'mcp.auth.iss': ['Der AS liefert iss', 'iss in den Metadaten ankündigen'],
  'mcp.auth.public-discovery': [
    'Discovery-Dokumente brauchen kein Token',
    'Discovery-Dokumente ohne Token ausliefern',
  ],
};
