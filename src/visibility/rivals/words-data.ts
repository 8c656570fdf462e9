/** Tables for finding names without a model, all in lower case: English, German, French, Spanish. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));
const lines = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .flatMap((line) => line.split(','))
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

/** German articles, possessives and demonstratives: the capitalised word behind one is a noun more often than a name. */
export const germanArticles = words(
  `der die das den dem des ein eine einen einem einer eines kein keine keinen keiner ihr ihre ihren ihrem ihrer unser unsere unseren mein meine dein deine deinen diese dieser dieses diesen diesem jede jeder jedes jeden alle viele mehr mehrere wenige einige beim zum zur im am vom gute guter gutes guten ohne`,
);

/** Articles between a word that announces a name and the name ("such as the Roomba"). */
export const articles = words('the a an le la les der die das den el los las');

/** Ends of German nouns that name features and kinds of things. */
export const germanNounEnds: readonly string[] =
  `ung ungen heit heiten keit keiten schaft tät täten tion tionen ismus wesen zeit steuer nummer buch nutzer vergleich urteil abgleich konto konten kosten preis preise programm software vertrag frist daten leistung dienst gerät größe dauer rate beleg belege belegen rechnungen export import schnittstelle portal tarif tarife modul funktion lösung laufzeit strich routine angebote angebot speicher verfahren format formate recht pflicht hilfe service support system systeme gebühr gebühren zugang zugriff anbindung übersicht auswertung auswertungen berater büro amt bank liste plan planung markt anteil rhythmus kunden kunde nutzung app apps`.split(
    ' ',
  );

/** Words that hold the parts of a name together and may be lower-case inside one. */
export const nameConnectors = words(
  'of the and de del della di da du do dos das dei am im zum zur aan des la le les van von der den y e et und & for in on to a by',
);

/** Whole heads that name no brand. */
export const stopHeads = lines(`
comparison, comparisons, quick comparison, verdict, final verdict, pricing, price, prices, cost, costs, pros, cons, pro, con, pros and cons
best for, key features, features, feature, usb-c, smart, ease of use, ease-of-use, usability, summary, conclusion, overview, bottom line, tl;dr, tldr, tip, tips, pro tip, note, notes, important, warning, disclaimer, caveat, caveats
support, customer support, customer service, integrations, integration, security, privacy, compliance, scalability, reliability, performance, speed, quality, value, durability, design, battery life, battery, sound quality, noise cancellation, comfort, build quality, warranty, size, weight, capacity, material, materials, storage, range, power, compatibility, connectivity, bluetooth, wi-fi, wifi, hdmi, usb, usb-a, oled, led, lcd, qled, 4k, 5g, nfc, gps, anc, app, apps, web, desktop, mobile, mobile app, mobile apps, cloud, on-premise, on-premises, self-hosted, saas, open source, open-source, api, apis, rest api, webhooks, sdk, cli, gui, ui, ux, ui/ux, sso, saml, scim, mfa, 2fa, rbac, gdpr, hipaa, soc 2, soc2, iso 27001, pci dss, ccpa, dsgvo, rgpd, eu, uk, us, usa, ai, ai features, ml, crm, erp, sms, email, e-mail, chat, live chat, chatbot, chatbots, phone, voice, voip, video, social media, reporting, analytics, automation, workflows, dashboards, collaboration, customization, customisation, flexibility, onboarding, training, documentation, community, ecosystem, deployment, hosting, backup, backups, monitoring, logging, alerts, notifications, templates, mobile-friendly, free, free plan, free tier, free trial, freemium, paid, premium, pro plan, enterprise, business, starter, basic, standard, plus, team, teams, individuals, small business, small businesses, startups, freelancers, agencies, beginners, students, families, professionals, large teams, remote teams
strengths, strength, weaknesses, weakness, limitations, limitation, drawbacks, drawback, advantages, disadvantages, downsides, downside, benefits, benefit, highlights, highlight, use case, use cases, ideal for, great for, good for, perfect for, suited for, not ideal for, who it's for, who it is for, why, why it stands out, why it's great, why choose it, why i like it, what it does, what to look for, what stands out, standout feature, standout features, how it works, how to choose, how to decide, key takeaways, takeaway, takeaways, key points, key considerations, considerations, key differences, differences, things to consider, factors, factors to consider, next steps, recommendation, recommendations, my recommendation, final thoughts, in short, short answer, quick answer, quick summary, at a glance, faq, faqs, sources, references, further reading, methodology, criteria, rating, ratings, score, reviews, review, user reviews
option, options, other options, other notable options, other notable mentions, notable mentions, honorable mentions, honourable mentions, also worth considering, worth considering, alternatives, alternative, top picks, top pick, best overall, best value, best budget, runner-up, runner up, winner, budget, budget pick, premium pick, overall, mid-range, high-end, entry-level, luxury, tool, tools, platform, platforms, software, solution, solutions, service, services, provider, providers, product, products, brand, brands, company, companies, vendor, model, type, types, category, name, aspect, criterion, yes, no, maybe, partial, limited, unlimited, n/a, none, varies, good, excellent, great, fair, poor, high, medium, low, moderate, strong, weak, easy, hard, fast, slow, cheap, expensive, affordable, monthly, annual, annually, yearly, contract, contracts, setup, installation, implementation, migration, learning curve, data ownership, vendor lock-in, total cost, hidden fees, fees, shipping, returns, delivery, availability, location, locations, hours, coverage, transparency, trust, reputation, experience, insurance, licensing, license, licence, open, closed, native, hybrid, simple, powerful, modern, popular, reliable, lightweight, compact, portable, waterproof, wireless, wired
dds, dmd, phd, cpa, mba, google reviews, google maps, medicaid, medicare, cash back, cashback, miles, points, rewards, reward points, travel rewards, loyalty program, loyalty programme, permissions, workflow automation, role-based access, pizza, sushi, burgers, tacos, ramen, coffee, brunch
csv, pdf, xml, json, yaml, html, css, sql, nosql, tls, ssl, vpn, ssd, hdd, ram, cpu, gpu, hdr, sdr, dns, ftp, sftp, ssh, http, https, ip, it, hr, seo, sem, roi, kpi, kpis, sla, slas, vat, iva, tva, mwst, iban, sepa, pin, sim, esim, lte, llm, llms, gpt, ocr, crm/erp, iot, vr, ar, 3d, 2d, ac, dc, uv, spf, ipx4, ipx7, ip67, ip68, aac, aptx, ldac, mp3, mp4, usb 3.0, thunderbolt, oauth, oidc, ldap, jwt, graphql, rest, grpc, ci/cd, ci, cd, devops, k8s, xrechnung, zugferd, peppol, factur-x, opentelemetry, gdpr-ready, hipaa-ready, fedramp, elster, gobd, datev-schnittstelle, eür, bwa, ust, urssaf, rib, sepa-lastschrift, shortlist, my shortlist, short list, our shortlist,
q&a, r&d, b2b, b2c, remember, hope this helps, keep in mind, good to know, quick tip, quick tips, red flags, must-have, must-haves, nice-to-have, avoid, skip, last updated, prices, price range, starting price, price per month, user rating, g2 rating, target audience, company size, team size, industry, mac, windows, linux, ios, android, macos, iphone, ipad, chrome, english, german, french, spanish, europe, germany, france, spain, united states, america, canada, london, paris, berlin, monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, may, june, july, august, september, october, november, december
vergleich, fazit, preis, preise, kosten, vorteile, nachteile, vorteil, nachteil, stärken, schwächen, funktionen, funktion, benutzerfreundlichkeit, bedienung, bedienbarkeit, datenschutz, sicherheit, support, kundenservice, kundendienst, integrationen, schnittstellen, zusammenfassung, überblick, übersicht, empfehlung, empfehlungen, meine empfehlung, tipp, tipps, hinweis, wichtig, ideal für, geeignet für, gut für, am besten für, besonderheiten, besonderheit, alternativen, alternative, kriterium, kriterien, merkmal, anbieter, produkt, hersteller, marke, modell, qualität, leistung, akku, akkulaufzeit, gewicht, größe, garantie, verfügbarkeit, zielgruppe, kurz gesagt, preis-leistung, preis-leistungs-verhältnis, testsieger, preistipp, kostenlos, monatlich, jährlich, ja, nein, gut, sehr gut, mittel, hoch, niedrig, buchhaltung, rechnungen, steuern, cloud-lösung, deutschland, österreich, schweiz, was ist wichtig, worauf achten, checkliste
comparatif, comparaison, prix, tarif, tarifs, coût, coûts, avantages, inconvénients, avantage, inconvénient, points forts, points faibles, fonctionnalités, fonctionnalité, facilité d'utilisation, prise en main, ergonomie, sécurité, confidentialité, intégrations, résumé, conclusion, en résumé, en bref, recommandation, recommandations, mon conseil, conseil, conseils, remarque, important, idéal pour, adapté à, convient à, pour qui, critère, critères, outil, outils, logiciel, logiciels, solution, marque, modèle, fournisseur, qualité, performance, autonomie, poids, taille, garantie, disponibilité, service client, gratuit, payant, oui, non, bon, très bon, moyen, élevé, faible, comptabilité, facturation, france, belgique, suisse, comment choisir, à retenir, à noter, points clés, à éviter, mon avis, rapport qualité-prix
comparación, comparativa, precio, precios, coste, costes, ventajas, desventajas, pros y contras, características, funciones, facilidad de uso, seguridad, privacidad, integraciones, resumen, conclusión, recomendación, recomendaciones, consejo, consejos, nota, importante, ideal para, mejor para, criterio, criterios, herramienta, herramientas, marca, modelo, proveedor, calidad, rendimiento, batería, peso, tamaño, garantía, disponibilidad, soporte, atención al cliente, gratis, de pago, sí, bueno, alto, bajo, medio, facturación, contabilidad, españa, méxico, alternativas, opciones
confronto, prezzo, prezzi, costo, costi, vantaggi, svantaggi, vantaggio, svantaggio, pro e contro, punti di forza, punti deboli, caratteristiche, funzioni, funzionalità, facilità d'uso, sicurezza, privacy, assistenza, assistenza clienti, supporto, integrazioni, riepilogo, in sintesi, in breve, conclusione, conclusioni, verdetto, consiglio, consigli, il mio consiglio, consiglio finale, nota, note, importante, attenzione, ideale per, adatto a, criterio, criteri, strumento, strumenti, marca, modello, fornitore, qualità, prestazioni, autonomia, batteria, peso, dimensioni, garanzia, disponibilità, consegna, spedizione, resi, gratuito, a pagamento, sì, alto, basso, medio, contabilità, fatturazione, alternative, opzioni, domande frequenti, cosa considerare, a chi serve
vergelijking, prijs, prijzen, kosten, voordelen, nadelen, voordeel, nadeel, plus- en minpunten, sterke punten, zwakke punten, eigenschappen, functies, gebruiksgemak, veiligheid, beveiliging, privacy, klantenservice, ondersteuning, koppelingen, integraties, samenvatting, kortom, in het kort, conclusie, oordeel, advies, mijn advies, mijn keuze, tip, tips, let op, belangrijk, ideaal voor, geschikt voor, criterium, criteria, merk, model, aanbieder, aanbieders, kwaliteit, prestaties, accu, accuduur, gewicht, afmetingen, garantie, beschikbaarheid, levering, levertijd, verzending, retourneren, gratis, betaald, ja, nee, goed, hoog, laag, gemiddeld, boekhouding, facturatie, alternatieven, opties, veelgestelde vragen
comparação, comparativo, preço, preços, custo, custos, vantagens, desvantagens, vantagem, desvantagem, prós e contras, pontos fortes, pontos fracos, características, funções, funcionalidades, recursos, facilidade de uso, segurança, privacidade, suporte, atendimento, integrações, resumo, em resumo, conclusão, veredito, recomendação, recomendações, dica, dicas, nota, observação, importante, atenção, ideal para, indicado para, critério, critérios, ferramenta, ferramentas, marca, modelo, fornecedor, qualidade, desempenho, bateria, peso, tamanho, garantia, disponibilidade, entrega, prazo, frete, envio, devolução, grátis, gratuito, pago, sim, não, alto, baixo, médio, contabilidade, faturamento, faturação, cartão, alternativas, opções, perguntas frequentes
价格, 优点, 缺点, 特点, 适合, 总结, 推荐, 功能, 价格范围, 対象, 価格, 特徴, メリット, デメリット, まとめ, おすすめ, 가격, 장점, 단점, 특징, 추천, 요약
`);

/** First words of heads, questions and sentences that are no names. */
export const stopFirstWords = words(`
how what why when where which who whose is are can do does did should would could will if for with without from to in on at by as of
and or but so because since while although though however also then than there here this that these those it its they them their we our you your i my me he she his her
best top most more less least key main major common popular other others another some many several few any all both each every no not never always
compare comparing choose choosing consider considering look looking check checking pick picking start starting use using try trying avoid avoiding make making get getting think ask asking read reading see
good great better excellent strong weak ideal perfect suitable recommended overall final quick short important additional extra notable honorable honourable alternative alternatives
pros cons price pricing cost costs free cheap cheapest affordable budget premium mid-range midrange high low high-end entry-level
easy easier easiest simple fast faster fastest large small medium big
ease type types number level set lack range supports support includes include including offers offer provides provide features requires works integrates integrated built built-in based first second third last next
once let let's whichever whoever whatever wherever whenever anyone everyone someone nobody intro introductory remember keep note please sorry unfortunately absolutely sure certainly based depending given despite instead unlike like such even still just only very really quite both either neither whether after before during about between among within across over under up down out off
pro tip tips step option options section table
wie was warum wann wo welche welcher welches wer ist sind kann können soll sollte wenn für mit ohne von zu in auf an bei als und oder aber weil auch dann hier es sie er wir ihr man ich mein meine beste bester bestes besten top viele einige weitere andere alle kein keine gut gute guter gutes sehr achten achte prüfen prüfe vergleichen vergleiche nutzen testen wählen falls je nach im am beim zum zur vom dazu daher deshalb außerdem zudem allerdings leider gerne wichtig wichtige einfache einfach günstige günstig kostenlose kostenlos preis vorteile nachteile laut durch über unter zwischen seit während damit dafür
comment quoi pourquoi quand où quel quelle quels quelles qui est sont peut si pour avec sans de du des à au aux dans sur par comme et ou mais car aussi ici il elle ils elles on nous vous je mon ma mes votre vos notre nos un une meilleur meilleure meilleurs meilleures plus moins autres autre tous toutes chaque aucun bon bonne très choisir comparer vérifier vérifiez tester testez évitez éviter prix tarif avantages inconvénients facile simple idéal idéale gratuit selon en ce cette ces voici parmi côté
cómo qué por cuándo dónde cuál cuáles quién es son puede si para con sin de del en y o pero también aquí un una mejor mejores más menos otros otras todo todos cada ningún bueno buena muy elegir comparar probar evitar precio ventajas desventajas fácil ideal según
`);

/** Words of `stopFirstWords` that brands begin with as well. */
export const softFirstWords = words(
  'less better good great simple easy fast first one two three big small make start get use look check all just only open free last next second up down out on my our',
);

/** Last words of heads that are kinds of things, not names. */
export const stopLastWords = words(`
features feature support pricing price prices cost costs plan plans integration integrations options option tools tool overview summary picks pick considerations consideration tips tip comparison table matrix guide questions question factors factor steps step criteria takeaways recommendations recommendation alternatives alternative choices choice quality life time speed size range level levels limits limit management control controls access security privacy compliance reporting analytics automation automations workflow workflows templates template tracking scheduling billing invoicing payments payment processing service services experience interface curve usability use users user team teams business businesses companies company beginners professionals families students enterprises enterprise startups needs value budget budgets money setup installation deployment hosting storage backup backups monitoring testing reviews review rating ratings trial tier version mode design performance reliability scalability flexibility customization capabilities functionality connectivity compatibility battery warranty policy policies returns shipping delivery cancellation cancelling fit only first included available required needed matters mentions verdict thoughts notes note word words answer answers worth
funktionen vergleich preise kosten nutzung bedienung verwaltung unterstützung empfehlung empfehlungen anbieter tarife kriterien
fonctionnalités prix utilisation gestion intégrations critères
`);

/** Headers of the column of a table that holds the options. */
export const optionHeaders =
  words(`tool tools product products name names brand brands app apps platform platforms service services provider providers option options model models software company companies vendor vendors solution solutions crm library framework pick recommendation choice alternative device bank card airline hotel shop store retailer editor database host
anbieter produkt hersteller marke modell lösung name dienst programm tool empfehlung system
outil outils logiciel marque modèle fournisseur solution nom produit service application
herramienta producto marca modelo proveedor nombre aplicación opción`);

/** Words before a single name ("such as Acme", "I recommend Acme"). */
export const nameTriggers =
  words(`as like including include includes recommend recommended suggest consider considering try unlike versus vs than namely alternatives
wie beispielsweise empfehle empfehlen gegenüber namentlich
comme recommande conseille notamment essayez
recomiendo prueba`);

/** Words before a list of two names ("between Acme and Beta"). */
export const listTriggers =
  words(`choose pick use using with are is between from at by to over of and or for e.g example
etwa sind ist mit von nutze nutzen nimm wähle probiere zwischen bei oder und
est avec chez choisissez entre et ou propose de
incluyen son es con elige entre y o de como`);

/** Pieces that tell models of a product apart and are no part of a brand's name. */
export const modelWords = words(
  `pro max plus ultra mini lite air se gen generation series edition premium basic standard business enterprise starter free cloud online desktop mobile home personal team teams suite one go ii iii iv v2 v3 xl xxl crm cms erp app software platform`,
);

/** Verbs after a name at the front of a text ("Acme is", "Acme offers"); a feature has a colon or dash there. */
export const nameVerbs =
  words(`is has was offers provides gives lets makes stands remains works focuses shines comes combines includes wins does can will would isn doesn
ist hat bietet eignet punktet überzeugt richtet kann macht
est a propose offre permet convient reste se séduit
es ofrece tiene permite destaca`);

/** Legal forms at the end of a name. */
export const legalForms = words('inc ltd llc gmbh ag se sa sas sarl corp co plc bv oy ab');

/** First words that different brands share ("American Express" and "American Airlines" are no "American"). */
export const sharedFirstWords = words(
  `american national united royal new north south west east northern southern western eastern first global general international digital smart open blue green red black white golden gold silver saint st san santa los las le la les el il lo de di da van von der die das al mr mrs dr big little great good home my the pro super power true pure natural simple quick fast easy clear bright light deutsche deutscher banque crédit société compagnie banco caja casa maison haus air hotel restaurant café cafe pizza pizzeria trattoria ristorante osteria bistro brasserie taverna pub bar bakery boulangerie sushi studio dental clinic dr. european french german spanish british english city central world free live one two three all my inter micro data cloud web net`,
);

/** What kind of business a name is of, and its article: answers leave both out. */
export const kindWords = words(
  `le la les l el los las il lo o os a as de het der die das the maison boulangerie pâtisserie restaurant brasserie bistro garage pharmacie cabinet clinique hôtel librairie fromagerie panadería restaurante farmacia clínica hotel taller librería academia ristorante trattoria pizzeria osteria panificio farmacia officina clinica studio padaria clínica oficina pousada bakkerij apotheek praktijk garage praxis zahnarztpraxis arztpraxis kanzlei apotheke bäckerei metzgerei gasthaus gasthof restaurant werkstatt autohaus fahrschule bakery cafe café clinic`,
);

/** A title or lead-in that says criteria, not options, follow; and what makes it one of options all the same. */
export const criteriaTitles = lines(
  `what matters, what to look for, look for, things to consider, factors, criteria, key features, must-have features, checklist, keep in mind, questions to ask, ask about, before you choose, how to choose, worauf, kriterien, darauf achten, checkliste, critères, à vérifier, à prendre en compte, criterios, ten en cuenta`,
);
export const optionTitles = words(
  `option options tools picks pick choices alternatives recommend recommended recommendations recommendation providers brands products optionen anbieter tools empfehle empfehlungen recommandations outils opciones herramientas`,
);

/** Words of advice against what follows or surrounds them. */
export const adviceAgainst = lines(
  `avoid, avoid these, not recommend, not recommended, wouldn't recommend, steer clear, stay away, skip these, not worth, vermeiden, abraten, finger weg, nicht empfehlen, nicht empfehlenswert, à éviter, éviter, évitez, déconseillé, évita, evitar, no recomiendo, no recomendado`,
);

/** Capitalised words of running text that name no brand: places, peoples, days, technologies that are no product on offer. */
export const properWords =
  words(`africa african america american americas americans argentina asia asian atlantic australia australian austria austrian bavaria belgian belgium berlin black brazil britain british brussels california canada canadian chicago china chinese christmas colombia czech denmark dubai dutch easter eastern england english europe european europeans finland finnish france frankfurt french friday german germany germans greek halloween hamburg hollywood hong hungary iceland india indian indonesia ireland irish israel italian italy japan japanese kong korea korean latin london lyon madrid marseille mediterranean mexican mexico midwest milan munich netherlands northeast norway norwegian pacific paris poland polish portugal portuguese prime romania rome russia russian scandinavian scotland scottish silicon singapore south spain spanish sweden swedish swiss switzerland sydney taiwan texas thai thailand thanksgiving tokyo toronto turkey turkish uk ukraine us usa valley vienna vietnam wales washington western york zealand zip zurich zürich day
january february march april may june july august september october november december monday tuesday wednesday thursday saturday sunday
javascript typescript java python php ruby rails django react angular vue svelte golang rust kotlin swift scala elixir perl node.js nodejs html css sql graphql json kubernetes linux unix ansi bluetooth wi-fi wifi ethernet hdmi zigbee z-wave matter thread lidar codeowners markdown unicode ascii internet web gdpr hipaa soc iso pci sdk sdks api apis crms erps cms llm llms ai ceo cto cfo hr faq pdf csv deutschland österreich schweiz`);
