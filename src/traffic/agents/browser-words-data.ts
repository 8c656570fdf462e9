const listNames = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Beginnings of User-Agents of browsers, lower case. Most begin as Mozilla; the rest are of phones, consoles, televisions
 * and terminals.
 */
export const browserBeginnings = listNames(`
  mozilla/, opera/, docomo/, kddi-, up.browser, softbank/, vodafone/, j-phone/, mot-, nokia, sonyericsson, samsung-, sec-, lg-, lg/, lge-
  blackberry, huawei, zte-, alcatel, sie-, panasonic, philips, sagem, sharp, toshiba, palm, portalmmm/, htc, ucweb, juc, maui, teleca, openwave
  emobile/, pdxgw/, ddipocket/, willcom, astel/, l-mode/, lenovo-, benq, dopod, kyocera, sanyo, tianyu-, amoi-, hisense-, coolpad, gionee
  micromax, karbonn, psp, nintendo, playstation, hbbtv/, netfront, obigo, dolfin, iemobile
`);

/** Browsers whose name alone begins the string and says that they are one. */
export const namedBrowsers = listNames(`
  lynx/, links (, links/, elinks, w3m/, dillo/, netsurf/, ncsa_mosaic/, ncsa mosaic, amaya/, icab/, omniweb/, ibrowse/, amigavoyager/, konqueror/
  bunjalloo/, edbrowse/, contiki/, ladybird/, uzbl, qutebrowser/, hotjava/, retawq/, cyberdog/, browsex/, arachne/, opera/
`);

/** Engines and browsers, lower case: what shows pages to people. */
export const browserEngines = listNames(`
  applewebkit, gecko/, like gecko, trident/, msie, presto/, khtml/, netfront, up.browser, firefox/, firebird/, phoenix/, netscape, iemobile
  obigo, jig browser, docomo/, foma;, profile/midp, blackberry, ucweb, playstation, nintendo, willcom, ddipocket, kddi-, vodafone/, softbank/
  j-phone/, emobile/, konqueror, iceweasel, servo/, ladybird/, opera, teleca, openwave, dolfin, hbbtv/, midp, cldc, wap, browser, nokia, sonyericsson, portalmmm/, pdxgw/, astel/, l-mode/, psp
`);

/**
 * Programs, services and libraries that come with a browser's string, lower case: they drive a browser, borrow its string, or
 * have its engine and show no page to a person who browses. What says so by a common word is in `programWords`.
 */
export const programNames = listNames(`
  headless, phantomjs, slimerjs, casperjs, playwright, puppeteer, selenium, webdriver, cypress, testcafe, splash, htmlunit, jsdom, nightmare
  lighthouse, pagespeed, page speed, gtmetrix, dareboost, webpagetest, ptst/, speedcurve, calibre, yellowlab, sitespeed, wappalyzer, builtwith
  synthetic, newrelic, datadog, dynatrace, appdynamics, appinsights, catchpoint, rigor, pingdom, uptime, statuscake, site24x7, uptrends
  freshping, nagios, zabbix, gomez, keynote, alertsite, monitis, checkly, silktide, marketgoo, collapsify, brandverity, woorank, seobility, sitebulb
  screaming frog, botify, oncrawl, deepcrawl, lumar, semrush, ahrefs, majestic, moz.com, sistrix, ryte, searchmetrics, serpstat, netpeak
  siteimprove, monsido, axe-core, nikto, nmap, nessus, acunetix, netsparker, qualys, detectify, sqlmap, zgrab, masscan, wpscan, nuclei, zaproxy
  openvas, w3af, skipfish, censys, shodan, expanse, netcraft, leakix, bingpreview, googleweblight, imageproxy, google-, appengine, google favicon, via translate.google, printfriendly, wkhtmlto, prerender, rendertron, jorgee
  google web preview, google page, mediapartners, adsbot, apis-google, feedfetcher, mailproxy, flipboardproxy, cachesystem, facebookexternalhit
  facebookcatalog, skypeuri, embedly, iframely, outbrain, admantx, grapeshot, comscore, proximic, peer39, doubleverify, adbeat, httrack, webcopier
  teleport, offline explorer, webcapture, larbin, heritrix, nutch, browsertrix, webrecorder, memento, wget, curl/, libwww, python, perl/, libwww-perl, php/
  go-http, okhttp, httpclient, http-client, jakarta, axios, node-fetch, guzzle, winhttp, indy library, msxml, microsoft url, restsharp
  cfnetwork, powershell, postman, thunderbird, ms-office, msoffice, microsoft office, microsoft outlook, lotus-notes, postbox, icedove, shredder
  eudora, feedly, newsblur, netnewswire, netvibes, bloglines, devin/, openai, chatgpt, anthropic, claude, perplexity, gemini-, firecrawl
  browserbase, browser-use, stagehand, novaact, nova-act, cloudflare-, prefetch, genieo, panscient, yandexfavicons, yandexscreenshot
  sitescore, siteexplorer, websnapr, snapshot, nerdybot, aihit, ips-agent, dataprovider, barkrowler, siteauditor, sightline
`);
