/** How to make a check pass, in plain words: the same rows as `plainFixes` has in English. */
export const germanPlainFixes: Readonly<Record<string, string>> = {
  'aeo.reach.http-200':
    'Die Startadresse muss eine normale Seite ohne Fehler öffnen. Bitten Sie Ihren Hoster oder Webentwickler, das zu beheben.',
  'aeo.reach.ua-parity':
    'Ihre Firewall, Ihr CDN oder ein Sicherheits-Plugin weist KI-Dienste ab. Bitten Sie Ihren Hoster, verifizierte Bots der KI-Suche durchzulassen.',
  'aeo.reach.edge-policy':
    'Ihre Firewall oder Ihr CDN (zum Beispiel Cloudflare) weist KI-Dienste ab. Lassen Sie sie in dessen Bot-Einstellungen zu oder bitten Sie Ihren Hoster darum.',
  'aeo.reach.robots-vs-edge':
    'Ihre Datei robots.txt lädt KI-Dienste ein, die Ihre Firewall dann abweist. Lassen Sie sie auch in den Einstellungen von Firewall oder CDN zu.',
  'aeo.robots.ai-search-bots':
    'Die Datei robots.txt Ihrer Website verbietet der KI-Suche das Lesen. Entfernen Sie diese Regeln im SEO-Plugin oder lassen Sie sie entfernen.',
  'aeo.robots.user-fetchers':
    'Die Datei robots.txt Ihrer Website sperrt Assistenten aus, die eine Seite für einen Menschen öffnen. Entfernen Sie diese Regeln im SEO-Plugin oder lassen Sie sie entfernen.',
  'aeo.robots.blanket-block':
    'Die Datei robots.txt Ihrer Website sperrt alle Dienste aus, die sie nicht nennt. Entfernen Sie die Zeile „Disallow: /“ unter „User-agent: *“.',
  'aeo.robots.fetch':
    'Die Datei robots.txt Ihrer Website öffnet sich nicht als einfacher Text. Bitten Sie Ihren Hoster oder Webentwickler, sie zu berichtigen oder zu entfernen.',
  'aeo.render.ssr-text':
    'Der Text der Seite erscheint erst durch Skripte, die KI-Dienste nicht ausführen. Lassen Sie den Text mit der Seite selbst ausliefern.',
  'agent.content.raw-vs-rendered':
    'Ein Teil des Inhalts erscheint erst durch Skripte, die KI-Dienste nicht ausführen. Lassen Sie ihn mit der Seite selbst ausliefern.',
  'aeo.index.meta-robots':
    'Eine Einstellung der Seite („noindex“) verbirgt sie vor der Suche. Schalten Sie sie im Website-System oder SEO-Plugin aus.',
  'aeo.index.x-robots-tag':
    'Ihr Server verbietet Suchmaschinen, die Seite aufzuführen. Bitten Sie Ihren Hoster oder Webentwickler, „noindex“ aus dem Header X-Robots-Tag zu entfernen.',
  'aeo.index.snippet-eligible':
    'Eine Einstellung der Seite verbietet Suchmaschinen, sie zu zitieren. Schalten Sie „noindex“ und „nosnippet“ im Website-System oder SEO-Plugin aus.',
  'aeo.index.snippet-allowed':
    'Eine Einstellung der Seite begrenzt, was Suchmaschinen zitieren dürfen. Schalten Sie „nosnippet“ im Website-System oder SEO-Plugin aus.',
  'aeo.index.canonical':
    'Die Seite sollte ihre eigene Adresse als Hauptadresse nennen („canonical“). Die meisten Website-Systeme und SEO-Plugins haben dafür eine Einstellung.',
  'aeo.reach.no-interstitial':
    'Eine Bot-Prüfung, Cookie-Wand oder Anmeldung verdeckt die Seite. Lassen Sie sie für öffentliche Seiten abschalten, zumindest für verifizierte Such-Bots.',
  'aeo.reach.soft-404':
    'Adressen, die es nicht gibt, sollten „nicht gefunden“ antworten und keine normale Seite zeigen. Bitten Sie Ihren Webentwickler, das zu ändern.',
  'aeo.reach.https':
    'Bitten Sie Ihren Hoster, HTTPS einzuschalten und Besucher der http://-Adresse dorthin weiterzuleiten.',
  'aeo.reach.http-errors-in-sample':
    'Einige Ihrer eigenen Links führen zu Seiten mit Fehlern. Reparieren Sie diese Seiten oder lassen Sie die Links ändern.',
  'aeo.sitemap.exists':
    'Eine Sitemap ist eine Datei, die Ihre Seiten auflistet. Die meisten Website-Systeme und SEO-Plugins erstellen sie auf Knopfdruck.',
  'aeo.sitemap.valid':
    'Die Sitemap, die Datei mit der Liste Ihrer Seiten, ist fehlerhaft. Lassen Sie sie vom Website-System oder SEO-Plugin neu erstellen.',
  'aeo.meta.title':
    'Geben Sie der Seite im Website-System einen Titel von 10 bis 70 Zeichen: worum es geht, dann Ihren Namen.',
  'aeo.meta.description':
    'Schreiben Sie in den SEO-Einstellungen der Seite eine Beschreibung von 50 bis 170 Zeichen: was Besucher dort finden.',
  'aeo.fresh.dates':
    'Zeigen Sie auf der Seite, wann sie veröffentlicht oder zuletzt geändert wurde; Ihr Webentwickler ergänzt das Datum auch für Maschinen.',
  'geo.evidence.statistics':
    'Ergänzen Sie die wichtigsten Aussagen um zwei oder drei eigene Zahlen, jede mit Einheit und Herkunft. Erfinden Sie keine.',
  'geo.evidence.quotations':
    'Zitieren Sie eine Person oder ein Dokument mit Fachwissen, mit dem Namen neben dem Zitat.',
  'geo.evidence.cited-sources': 'Verlinken Sie jede Zahl und jede fremde Aussage mit ihrer Quelle.',
  'geo.entity.organization':
    'Tragen Sie Name, Adresse, Logo und Kontakt als strukturierte Daten ein (eine Beschreibung für Maschinen). SEO-Plugins haben ein Formular dafür, oder Ihr Webentwickler ergänzt sie.',
  'geo.entity.sameas':
    'Verlinken Sie Ihre Profilseiten (etwa LinkedIn, Wikidata oder das Handelsregister) in den strukturierten Daten der Website, unter „sameAs“. Das ergänzt, wer Ihre Website betreut.',
  'geo.entity.author':
    'Nennen Sie den Autor auf der Seite. Wer Ihre Website betreut, ergänzt den Namen auch in den strukturierten Daten.',
  'geo.entity.name-consistent':
    'Schreiben Sie Ihren Markennamen überall gleich: in Titeln, Fußzeile und strukturierten Daten.',
  'geo.schema.jsonld-present':
    'Ergänzen Sie strukturierte Daten (eine Beschreibung der Seite für Maschinen). Die meisten SEO-Plugins tun das auf Knopfdruck.',
  'geo.schema.parses':
    'Die strukturierten Daten der Seite enthalten einen Schreibfehler, sodass Maschinen sie nicht lesen können. Das berichtigt, wer Ihre Website betreut.',
  'geo.schema.page-type':
    'Die strukturierten Daten sollten sagen, was für eine Seite das ist, etwa ein Artikel oder ein Produkt. Wählen Sie die Art im SEO-Plugin oder lassen Sie sie ergänzen.',
  'geo.schema.article':
    'Vervollständigen Sie die strukturierten Daten des Artikels: Überschrift, Autor, Datum und Bild. SEO-Plugins haben Felder dafür.',
  'geo.schema.product':
    'Vervollständigen Sie die strukturierten Daten des Produkts: Name, Bild, Preis, Währung und Verfügbarkeit. Shop-Systeme haben Felder dafür.',
  'geo.schema.price-parity':
    'Der sichtbare Preis und der Preis für Maschinen sind verschieden. Lassen Sie beide aus demselben Feld Ihres Shop-Systems kommen.',
  'geo.commerce.merchant':
    'Ergänzen Sie Artikelnummern (GTIN), Rückgabe und Versand in den strukturierten Daten Ihrer Produkte. Shop-Systeme haben Felder dafür.',
  'geo.safety.no-invisible-instructions':
    'Die Seite enthält versteckten Text mit Anweisungen an KI. Lassen Sie ihn entfernen; stammt er nicht von Ihnen, lassen Sie die Website auf einen Einbruch prüfen.',
  'agent.llms.exists':
    'llms.txt ist eine kurze Liste Ihrer wichtigsten Seiten für KI-Dienste. Legen Sie sie als Textdatei an und lassen Sie sie auf die oberste Ebene Ihrer Website stellen.',
  'agent.llms.links-resolve':
    'Einige Links in Ihrer Datei llms.txt führen ins Leere. Berichtigen oder entfernen Sie sie.',
  'agent.llms.h1-first': 'Die erste Zeile Ihrer Datei llms.txt muss „# “ und der Name Ihrer Website sein.',
  'agent.llms.sections': 'Ordnen Sie die Links in Ihrer Datei llms.txt unter Überschriften, die mit „## “ beginnen.',
  'agent.md.negotiation':
    'Bieten Sie Ihre Seiten Programmen, die danach fragen, als einfachen Text (Markdown) an. Manche Hoster und CDNs haben einen Schalter; sonst ergänzt es Ihr Webentwickler.',
  'agent.md.vary':
    'Ihr Server muss sagen, dass er Programmen und Browsern verschieden antwortet („Vary: Accept“). Das stellt Ihr Hoster oder Webentwickler ein.',
  'agent.api.openapi-found':
    'Hat Ihre Website eine Programmierschnittstelle, veröffentlichen Sie deren Beschreibung (OpenAPI) dort, wo Programme sie suchen. Das macht Ihr Webentwickler.',
  'agent.api.openapi-valid':
    'Die Beschreibung Ihrer Programmierschnittstelle (OpenAPI) ist fehlerhaft. Ihr Webentwickler berichtigt die gezeigten Stellen.',
  'agent.ui.form-labels':
    'Jedes Feld eines Formulars braucht einen Namen daneben. Die fehlenden ergänzt, wer Ihre Website betreut.',
  'agent.ui.control-names':
    'Jede Schaltfläche und jeder Link braucht einen Text, der sagt, was geschieht. Die fehlenden ergänzt, wer Ihre Website betreut.',
  'mcp.discovery.any':
    'Betreiben Sie einen MCP-Server (eine Schnittstelle für KI-Assistenten), muss Ihre Website sagen, wo er ist. Sein Entwickler veröffentlicht die Adresse.',
};
