/** Kinds of sites that answers cite. `own` and `rival` are known from the buyer; the others by lists and by rules of `source-kind.ts`. */
export const sourceKinds = ['own', 'rival', 'press', 'forum', 'reference', 'shop', 'other'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Registrable domains of one kind, from one source, on one day. A domain that is in no list is `other`, unless a rule says more. */
type KindList = { kind: Exclude<SourceKind, 'own' | 'rival' | 'other'>; source: string; read: string; domains: string };

export const kindLists: readonly KindList[] = [
  {
    kind: 'press',
    source: 'https://github.com/flairNLP/fundus docs/supported_publishers.md at 18da6e53592f, a part of it',
    read: '2026-11-28',
    domains: `
20min.ch aa.com.tr abc.es abendblatt.de aftonbladet.se apnews.com asahi.com bbc.co.uk berliner-zeitung.de bild.de
boersen-zeitung.de br.de businessinsider.com businessinsider.de cbc.ca citizen.co.za cnbc.com corriere.it
dailymail.co.uk dailymaverick.co.za derstandard.at diepresse.com dw.com eldiario.es elmundo.es elpais.com euronews.com
express.co.uk expressen.se faz.net financialpost.com focus.de foxnews.com fr.de freiepresse.de gamestar.de globalnews.ca golem.de
haberturk.com heise.de hessenschau.de ilgiornale.it independent.co.uk inews.co.uk jyllands-posten.dk kicker.de
kleinezeitung.at latimes.com lavanguardia.com lefigaro.fr lemonde.fr lesechos.fr lrt.lt mainichi.jp malaymail.com mbl.is mdr.de merkur.de
metro.co.uk mirror.co.uk mk.co.kr morgenpost.de mz.de n-tv.de nationalpost.com ndr.de netzpolitik.org newyorker.com
nieuwsblad.be nikkei.com nine.com.au nrk.no nzz.ch orf.at ottawacitizen.com politico.eu publico.es repubblica.it restofworld.org reuters.com
rollingstone.com rp-online.de rp.pl ruhrnachrichten.de sankei.com seznamzpravy.cz sn.at spiegel.de sportschau.de srf.ch
standard.co.uk stern.de stuttgarter-zeitung.de sueddeutsche.de t-online.de tageblatt.lu tagesanzeiger.ch tagesschau.de tagesspiegel.de
taipeitimes.com taz.de techcrunch.com techradar.com telegraph.co.uk theglobeandmail.com theguardian.com theintercept.com
thesun.co.uk thewest.com.au timeslive.co.za indiatimes.com tokyo-np.co.jp vg.no vnexpress.net washingtonpost.com
washingtontimes.com waz.de wdr.de welt.de winfuture.de wired.com wort.lu yomiuri.co.jp zdf.de zeit.de`,
  },
  {
    kind: 'press',
    source: 'https://github.com/palewire/news-homepages newshomepages/sources/sites.csv at 010da5323565, a part of it',
    read: '2026-11-28',
    domains: `
20minutes.fr aljazeera.com arstechnica.com axios.com bbc.com bleacherreport.com bloomberg.com bonappetit.com bostonglobe.com
cbsnews.com chicagotribune.com cnet.com cnn.com ctvnews.ca dallasnews.com discovermagazine.com eltiempo.com eluniversal.com.mx
engadget.com espn.com fastcompany.com foreignpolicy.com fortune.com france24.com francetvinfo.fr ft.com gizmodo.com
houstonchronicle.com huffingtonpost.fr huffpost.com journaldemontreal.com kyivindependent.com lapresse.ca ledevoir.com
leparisien.fr liberation.fr mashable.com miamiherald.com motherjones.com msnbc.com nationalgeographic.com nbcnews.com
newscientist.com newsweek.com nouvelobs.com npr.org nymag.com nypost.com nytimes.com`,
  },
  {
    kind: 'press',
    source: 'chosen by hand: magazines and reviews with an editorial office of their own',
    read: '2026-11-28',
    domains: `
chip.de computerbild.de computerworld.com connect.de consumerreports.org entrepreneur.com forbes.com
frandroid.com gamespot.com goodhousekeeping.com hardware.info ign.com inc.com infoworld.com itmedia.co.jp lesnumeriques.com
macworld.com netzwelt.de nu.nl pcmag.com pcwelt.de pcworld.com quechoisir.org rtings.com stiftung-warentest.de test.de
theverge.com thewirecutter.com time.com tomsguide.com tomshardware.com tweakers.net usatoday.com usnews.com venturebeat.com
which.co.uk wsj.com xataka.com zdnet.com zdnet.de zdnet.fr`,
  },
  {
    kind: 'forum',
    source:
      'https://api.stackexchange.com/docs/sites for the first line; the others chosen by hand: anyone may post there',
    read: '2026-11-28',
    domains: `
askubuntu.com mathoverflow.net serverfault.com stackapps.com stackexchange.com stackoverflow.com superuser.com
chiebukuro.yahoo.co.jp discord.com facebook.com gutefrage.net instagram.com jeuxvideo.com
linkedin.com mumsnet.com okwave.jp pinterest.com producthunt.com quora.com reddit.com threads.net tiktok.com tripadvisor.com
twitter.com wer-weiss-was.de x.com ycombinator.com youtube.com`,
  },
  {
    kind: 'reference',
    source:
      'https://meta.wikimedia.org/wiki/Complete_list_of_Wikimedia_projects for the first line; the others chosen by hand',
    read: '2026-11-28',
    domains: `
mediawiki.org wikibooks.org wikidata.org wikimedia.org wikinews.org wikipedia.org wikiquote.org wikisource.org wikiversity.org wikivoyage.org wiktionary.org
alternativeto.net arxiv.org britannica.com capterra.com capterra.de crunchbase.com doi.org duden.de europa.eu fandom.com
g2.com getapp.com glassdoor.com investopedia.com larousse.fr merriam-webster.com nature.com nih.gov oecd.org
omr.com owasp.org sciencedirect.com softwareadvice.com springer.com statista.com treccani.it
trustpilot.com trustradius.com w3.org who.int wikihow.com worldbank.org`,
  },
  {
    kind: 'shop',
    source: 'chosen by hand: marketplaces and shops of many makers, and comparisons of their prices',
    read: '2026-11-28',
    domains: `
aliexpress.com amazon.ca amazon.co.jp amazon.co.uk amazon.com amazon.com.au amazon.com.br amazon.com.mx amazon.de amazon.es amazon.fr amazon.in amazon.it amazon.nl
argos.co.uk bestbuy.com bhphotovideo.com bol.com boulanger.com cdiscount.com check24.de coolblue.nl costco.com currys.co.uk darty.com
ebay.com ebay.co.uk ebay.de ebay.es ebay.fr ebay.it elcorteingles.es etsy.com fnac.com galaxus.de geizhals.de homedepot.com idealo.de kakaku.com
lowes.com mediamarkt.de mediamarkt.es mediaworld.it mercadolibre.com mercadolivre.com.br newegg.com otto.de pccomponentes.com rakuten.co.jp
saturn.de sephora.com target.com tradera.com walmart.com wayfair.com yodobashi.com zalando.de`,
  },
];
