import { html, markdown, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd, linkList, navigation, pageHtml, sitemapXml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const headerJa = navigation('青葉茶房', {
  '/menu': 'お品書き',
  '/tea': 'お茶の話',
  '/garden': '庭の四季',
  '/about': '茶房について',
  '/contact': 'お問い合わせ',
});

const ja = `# 青葉茶房：静かな庭で味わう煎茶

青葉茶房は、京都の北にある小さな茶房です。静かな庭を眺めながら、宇治の農家が摘んだ煎茶を味わうことができます。店は古い町家を直したもので、席は十二だけです。

## 煎茶とは何ですか？

煎茶とは、摘んだ葉を蒸し、揉みながら乾かした緑茶です。蒸すことで葉の色が残り、湯を注ぐと若い草のような香りが立ちます。

当店では七十度の湯を使い、一分ほど待ってから注ぎます。熱い湯は渋みを引き出すので、湯冷ましを使って温度を下げます。二煎目は少し熱い湯で、待たずに注ぐのがよいでしょう。京都府茶業研究所の報告によると、湯の温度を20度下げると渋みの成分は35％減ります。

> 茶は葉よりも水で決まる、だから毎朝この井戸の水を汲みに行くのです。
> — 青木春子、店主

## 庭はいつ見頃ですか？

庭は四月の若葉と十一月の紅葉が見頃です。雨の日は苔の緑が深くなり、軒の下の席が静かで心地よくなります。

冬は椿が咲き、雪の朝には足跡のない庭が見られます。夏は蚊が多いので、早い時間にお越しください。庭には池があり、三十年前に放した鯉が今も泳いでいます。店の奥の小さな部屋では、月に一度、茶の淹れ方を学ぶ会を開いています。初めての方も道具を持たずに参加できます。

## ご予約と道順

席が少ないので、電話での予約をお勧めします。駅から歩いて十五分、川に沿った道が一番わかりやすいでしょう。車で来られる方は、寺の前の駐車場をお使いください。犬は庭の席だけにお連れいただけます。

- 営業時間は午前十時から午後五時まで
- 水曜日は休み
- 支払いは現金かカード`;

const zh = `# 青葉茶房：在安静的庭院里品尝煎茶

青葉茶房是京都北边的一家小茶馆。客人可以一边看庭院，一边品尝宇治农家采摘的煎茶。店面是一座修缮过的老房子，只有十二个座位，建议提前打电话预约。`;

const business = jsonLd({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'CafeOrCoffeeShop',
      '@id': `${SITE}/#shop`,
      name: '青葉茶房',
      url: `${SITE}/`,
      logo: `${SITE}/logo.png`,
      image: `${SITE}/garden.jpg`,
      sameAs: ['https://www.wikidata.org/wiki/Q4115189', 'https://ja.wikipedia.org/wiki/青葉茶房'],
      address: {
        '@type': 'PostalAddress',
        streetAddress: '大原町1-2',
        addressLocality: '京都市左京区',
        postalCode: '601-1242',
        addressCountry: 'JP',
      },
      telephone: '+81-75-555-0123',
      openingHours: 'Mo,Tu,Th-Su 10:00-17:00',
      geo: { '@type': 'GeoCoordinates', latitude: 35.12, longitude: 135.83 },
    },
    { '@type': 'WebSite', name: '青葉茶房', url: `${SITE}/` },
  ],
});

const alternates = [
  `<link rel="alternate" hreflang="ja" href="${SITE}/">`,
  `<link rel="alternate" hreflang="zh-Hans" href="${SITE}/zh/">`,
  `<link rel="alternate" hreflang="x-default" href="${SITE}/">`,
].join('\n');

const small = (path: string, title: string, words: string) =>
  html(
    pageHtml({
      path,
      lang: 'ja',
      title,
      description: `${title}。青葉茶房の庭と茶についての短い案内です。営業時間と道順、季節ごとの庭の様子もこのページからご覧いただけます。どうぞお気軽にお越しください。`,
      header: headerJa,
      content: `# ${title}\n\n${words}`,
    }),
  );

const mapJa: SiteMap = {
  ...httpsUpgrade,
  '/': html(
    pageHtml({
      path: '/',
      lang: 'ja',
      title: '青葉茶房：静かな庭で味わう煎茶 | 青葉茶房',
      description:
        '京都の北にある小さな茶房です。静かな庭を眺めながら、宇治の農家が摘んだ煎茶を味わえます。煎茶の淹れ方、庭の見頃、ご予約の方法と駅からの道順をご案内します。',
      header: headerJa,
      head: `${alternates}\n${business}\n<meta property="og:site_name" content="青葉茶房">`,
      content: ja,
      footer: `<footer>${linkList({ '/privacy': 'プライバシーポリシー' })}<p>〒601-1242 京都市左京区大原町1-2 電話 <a href="tel:+81755550123">075-555-0123</a></p><p>© 2026 青葉茶房</p></footer>`,
    }),
  ),
  '/zh/': html(
    pageHtml({
      path: '/zh/',
      lang: 'zh-Hans',
      title: '青葉茶房：安静的庭院与煎茶',
      head: alternates,
      header: headerJa,
      content: zh,
    }),
  ),
  '/menu': small('/menu', 'お品書き：煎茶と季節の菓子', '煎茶は三種類、菓子は月ごとに変わります。'),
  '/tea': small('/tea', 'お茶の話：蒸しと揉みの違い', '蒸しの長さで茶の色と味が変わります。'),
  '/garden': small('/garden', '庭の四季：若葉から雪まで', '四月は若葉、十一月は紅葉が美しい庭です。'),
  '/about': small(
    '/about',
    '茶房について：町家を直した店',
    '青葉茶房は1996年に青木春子が京都の大原で始めた店です。町家を三年かけて直しました。',
  ),
  '/contact': small('/contact', 'お問い合わせ：電話とメール', '電話は075-555-0123、午前十時から承ります。'),
  '/robots.txt': text(`User-agent: *\nDisallow: /yoyaku\n\nSitemap: ${SITE}/sitemap.xml\n`),
  '/sitemap.xml': xml(
    sitemapXml(['/', '/zh/', '/menu', '/tea', '/garden', '/about', '/contact'].map((path) => ({ path }))),
  ),
  '/llms.txt': markdown(
    `# 青葉茶房\n\n> 京都の北にある、静かな庭の茶房。\n\n## 案内\n\n- [お品書き](${SITE}/menu)：煎茶と菓子\n- [お茶の話](${SITE}/tea): 蒸しと揉み\n- [庭の四季](${SITE}/garden): 見頃\n- [茶房について](${SITE}/about): 店の歴史\n- [お問い合わせ](${SITE}/contact): 電話\n`,
  ),
};

/** A tea house in Kyoto that writes Japanese, with a page in Chinese. */
export const japanese: TruthSite = {
  name: 'Japanese',
  map: mapJa,
  truth: planted({
    pass: {
      'aeo.index.hreflang': 'ja, zh-Hans and x-default are valid, absolute, and name the page itself.',
      'aeo.sitemap.exists': 'robots.txt names a sitemap that is there.',
      'aeo.render.ssr-text': 'The text has several hundred words of Japanese.',
      'aeo.meta.title': 'The title has 24 characters.',
      'aeo.meta.description': 'The description has about 80 characters.',
      'aeo.meta.lang': 'html lang is ja, and the text is Japanese.',
      'aeo.meta.charset': 'UTF-8 is declared, and nothing is garbled.',
      'aeo.structure.h1': 'There is one h1.',
      'aeo.answer.question-headings': 'Two of three h2 headings end with a full-width question mark.',
      'aeo.answer.capsule': 'Each question heading is followed by two short sentences.',
      'aeo.links.internal': 'The navigation has five links with text.',
      'aeo.links.anchor-text': 'Every link names its target.',
      'aeo.trust.about-contact': '茶房について and お問い合わせ lead to /about and /contact.',
      'geo.evidence.quotations': 'The owner 青木春子 is quoted and named in a cite element.',
      'geo.entity.organization': 'CafeOrCoffeeShop is an Organization with name, url, logo, sameAs and address.',
      'geo.entity.sameas': 'sameAs names Wikidata and Wikipedia.',
      'geo.entity.name-consistent': 'All places say 青葉茶房.',
      'geo.entity.first-person-about': 'The about page names the house, the year, its founder and the place.',
      'geo.schema.local-business': 'Name, address, telephone, opening hours and position are there.',
      'geo.schema.page-type': 'The home page has an Organization and a WebSite.',
      'geo.safety.unicode-covert': 'There are no covert characters.',
      'agent.llms.coverage': 'llms.txt lists all five pages of the navigation.',
      'agent.llms.h1-first': 'The first line is the only H1.',
    },
    fail: {
      'geo.evidence.cited-sources': 'No external source is linked.',
    },
    not_applicable: {
      'geo.text.easy': 'Flesch is made for English.',
      'geo.evidence.technical-terms': 'There are no acronyms.',
      'geo.schema.faq': 'There is no FAQPage.',
    },
  }),
};

const headerZh = navigation('云岭观鸟', {
  '/birds': '鸟类名录',
  '/trails': '观鸟路线',
  '/news': '最新记录',
  '/guanyu': '关于我们',
  '/lianxi': '联系我们',
});

const article = `# 云岭湿地的冬季候鸟为什么增加了

云岭湿地的冬季候鸟在过去五年里明显增加。志愿者每个月沿着固定的路线数鸟，本文说明他们数到了什么，以及增加的原因。

## 数量增加了多少

我们在2025年冬天调查了12条路线，一共记录到48种候鸟。根据[省林业局的年度报告](https://forest.example.gov/yunling-2025)，湿地的水面面积在五年里增加了18%，鱼类增加了27%。

“水回来了，鱼就回来了，鸟自然会跟着鱼飞回来的，这件事并没有什么秘密，”调查队队长李文清说。她在云岭数鸟已经二十二年，记得湿地最干的那些冬天。

## 为什么水又多了

上游的两座旧水闸在2021年拆除，河水重新流进了湿地。农民改种需水较少的作物，抽水的时间从每天9小时减少到4小时。[大学的水文研究](https://hydrology.example.edu/yunling)认为，拆闸的作用占六成左右，其余来自雨量的变化。

芦苇也长得更密了。密的芦苇能挡住北风，小型的鸭类在里面过夜。湖心的小岛在冬天不再露出水面，狐狸走不到那里，这对大雁很有好处。

## 游客可以做什么

游客请走木栈道，不要离开路线。十一月到次年二月是候鸟最多的时候，早晨七点以前最安静。请把望远镜带上，把音箱留在家里。如果看到受伤的鸟，请打电话给湿地的管理站，不要自己去抓。

- 穿深色的衣服
- 说话的声音要小
- 不要给鸟喂食`;

const mapZh: SiteMap = {
  ...httpsUpgrade,
  '/news/winter-birds': html(
    pageHtml({
      path: '/news/winter-birds',
      lang: 'zh-CN',
      title: '云岭湿地的冬季候鸟为什么增加了 | 云岭观鸟',
      description:
        '云岭湿地的冬季候鸟在五年里明显增加。本文说明志愿者在12条路线上数到了什么，水面和鱼类的变化起了多大作用，以及游客在冬天应当注意哪些事情。',
      header: headerZh,
      head: [
        '<meta property="og:type" content="article">',
        '<meta property="article:published_time" content="2026-10-20T08:00:00+08:00">',
        jsonLd({
          '@context': 'https://schema.org',
          '@type': 'NewsArticle',
          headline: '云岭湿地的冬季候鸟为什么增加了',
          author: { '@type': 'Person', name: '王小雨' },
          datePublished: '2026-10-20T08:00:00+08:00',
          dateModified: '2026-10-22T08:00:00+08:00',
        }),
      ].join('\n'),
      byline: '<p>作者：王小雨 <time datetime="2026-10-22">2026年10月22日</time></p>',
      content: article,
      after: '<p><a href="/birds">点击这里</a> <a href="/trails">更多</a> <a href="/news">这里</a></p>',
    }),
  ),
  'https://forest.example.gov/yunling-2025': html('<!doctype html><title>年度报告</title><p>水面。</p>'),
  'https://hydrology.example.edu/yunling': html('<!doctype html><title>水文研究</title><p>河水。</p>'),
};

/** A birding club's report in Chinese: figures, a named quotation, two sources, and careless links. */
export const chinese: TruthSite = {
  name: 'Chinese',
  path: '/news/winter-birds',
  map: mapZh,
  truth: planted({
    pass: {
      'aeo.meta.lang': 'html lang is zh-CN, and the text is Chinese.',
      'aeo.meta.title': 'The title has 22 characters.',
      'aeo.fresh.dates': 'A time element and a published time state the date.',
      'geo.evidence.statistics': 'Shares, hours and counts of species and routes are there.',
      'geo.evidence.quotations': '李文清 is quoted in quotation marks and named with 说.',
      'geo.evidence.cited-sources': 'Two external sources are linked.',
      'geo.evidence.authoritative-domains': 'The sources are at .gov and .edu hosts.',
      'geo.evidence.links-resolve': 'Both cited addresses answer 200.',
      'geo.schema.page-type': 'The article page has a NewsArticle node.',
      'geo.safety.no-invisible-instructions': 'Nothing hidden speaks to a model.',
    },
    partial: {
      'geo.entity.author': 'The author has a name and no url.',
      'geo.schema.article': 'Headline, author and both dates are there, image and publisher are not.',
    },
    fail: {
      'aeo.links.anchor-text': 'Three of nine internal links say 点击这里, 更多 or 这里.',
      'aeo.sitemap.exists': 'There is no sitemap.',
      'geo.entity.organization': 'There is no Organization.',
    },
    not_applicable: {
      'geo.text.easy': 'Flesch is made for English.',
      'aeo.answer.comparison-table': 'Nothing is compared.',
    },
  }),
};
