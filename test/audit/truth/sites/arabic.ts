import { html, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { jsonLd, navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const headerAr = navigation('بيت الزيتون', {
  '/oil': 'زيت الزيتون',
  '/press': 'المعصرة',
  '/harvest': 'موسم القطاف',
  '/about': 'من نحن',
  '/contact': 'اتصل بنا',
});

const ar = `# زيت الزيتون البكر: كيف نعصره وكيف نحفظه

زيت الزيتون البكر هو عصير ثمار الزيتون الذي يستخرج بالضغط وحده من دون حرارة ولا مواد كيميائية. في هذا الدليل نشرح كيف نعصر الزيت في معصرتنا، وكيف تحفظه في بيتك حتى الموسم القادم.

## ما هو الزيت البكر الممتاز؟

الزيت البكر الممتاز هو الزيت الذي لا تزيد حموضته على 0.8% ولا يجد فيه الذائقون عيبا. تعصر الثمار في يوم القطاف نفسه حتى لا تسخن في الأكياس.

وفقا لـ[تقرير وزارة الزراعة](https://agri.example.gov/olive-2025) بلغت حصة الزيت الممتاز 41% من إنتاج المنطقة في العام الماضي، بعد أن كانت 29% قبل خمس سنوات. ويعود ذلك إلى قصر الوقت بين القطاف والعصر.

> لا يصنع الزيت الجيد في المعصرة بل في الحقل، والمعصرة لا تفعل إلا أن تحافظ عليه.
> — سلمى حداد، صاحبة المعصرة

## كيف يحفظ الزيت في البيت؟

يحفظ الزيت في وعاء معتم مغلق بعيدا عن الموقد. الضوء والحرارة يفسدان طعمه في أسابيع قليلة، أما البرد فلا يضره وإن تعكر لونه.

استعمل الزيت خلال 18 شهرا من عصره، واكتب تاريخ الموسم على الزجاجة. إذا شممت رائحة الجوز القديم فقد فسد الزيت، ولا ينفعه شيء بعد ذلك. ننصح بشراء زجاجات صغيرة لأن الهواء يدخل إلى الزجاجة كلما فتحت.

## خطوات العصر

تمر الثمار في المعصرة بأربع خطوات لا تستغرق أكثر من ساعتين.

1. نغسل الثمار بالماء البارد ونفصل عنها الأوراق.
2. نطحنها بحجر حتى تصير عجينة ناعمة.
3. نعجن العجينة على مهل حتى يجتمع الزيت.
4. نفصل الزيت عن الماء بالدوران ثم نصفيه.`;

const mapAr: SiteMap = {
  ...httpsUpgrade,
  '/guides/virgin-oil': html(
    pageHtml({
      path: '/guides/virgin-oil',
      lang: 'ar',
      dir: 'rtl',
      title: 'زيت الزيتون البكر: كيف نعصره وكيف نحفظه | بيت الزيتون',
      description: 'دليل قصير يشرح ما هو زيت الزيتون البكر الممتاز، وكيف يعصر في معصرتنا، وكيف تحفظه في بيتك.',
      header: headerAr,
      head: [
        '<meta property="og:type" content="article">',
        '<meta property="og:site_name" content="بيت الزيتون">',
        '<meta property="article:published_time" content="2026-09-01T08:00:00Z">',
        jsonLd({
          '@context': 'https://schema.org',
          '@graph': [
            { '@type': 'Organization', '@id': `${SITE}/#org`, name: 'بيت الزيتون', url: `${SITE}/` },
            { '@type': 'WebSite', name: 'بيت الزيتون', url: `${SITE}/` },
            {
              '@type': 'Article',
              headline: 'زيت الزيتون البكر',
              author: { '@type': 'Person', name: 'سلمى حداد', url: `${SITE}/people/salma` },
              publisher: { '@id': `${SITE}/#org` },
              datePublished: '2026-09-01T08:00:00Z',
              dateModified: '2026-09-10T08:00:00Z',
              image: `${SITE}/oil.jpg`,
            },
          ],
        }),
      ].join('\n'),
      byline: '<p>بقلم سلمى حداد <time datetime="2026-09-10">10 سبتمبر 2026</time></p>',
      content: ar,
    }),
  ),
  '/about': html(
    pageHtml({
      path: '/about',
      lang: 'ar',
      dir: 'rtl',
      title: 'من نحن | بيت الزيتون',
      header: headerAr,
      content: '# من نحن\n\nتأسس بيت الزيتون عام 1987 في قرية بزيزا على يد سلمى حداد.',
    }),
  ),
  '/contact': html(
    pageHtml({
      path: '/contact',
      lang: 'ar',
      dir: 'rtl',
      title: 'اتصل بنا | بيت الزيتون',
      header: headerAr,
      content: '# اتصل بنا\n\nاكتب إلينا أو زرنا في المعصرة يوم السبت.',
    }),
  ),
  '/people/salma': html(
    pageHtml({
      path: '/people/salma',
      lang: 'ar',
      dir: 'rtl',
      title: 'سلمى حداد | بيت الزيتون',
      header: headerAr,
      content:
        '# سلمى حداد\n\nسلمى حداد صاحبة المعصرة منذ عام 1987. تعلمت العصر من جدها ودرست الزراعة في بيروت ثم عادت إلى القرية. تكتب كل شهر عن الزيت والحقل والأشجار القديمة، وتدرب الشباب على التذوق في كل خريف. حصلت على جائزة المنطقة مرتين، وهي تجيب عن رسائل القراء بنفسها كل أسبوع.',
    }),
  ),
  'https://agri.example.gov/olive-2025': html('<!doctype html><title>تقرير</title><p>الزيت.</p>'),
};

/** An olive press that writes Arabic, from right to left. */
export const arabic: TruthSite = {
  name: 'Arabic',
  path: '/guides/virgin-oil',
  map: mapAr,
  truth: planted({
    pass: {
      'aeo.meta.lang': 'html lang is ar, and the text is Arabic.',
      'aeo.meta.title': 'The title has 53 characters.',
      'aeo.meta.description': 'The description has about 90 characters.',
      'aeo.answer.question-headings': 'Two of three h2 headings end with an Arabic question mark.',
      'aeo.answer.capsule': 'Each question heading is followed by two short sentences.',
      'aeo.trust.about-contact': 'من نحن and اتصل بنا lead to pages that answer 200.',
      'aeo.fresh.recent': 'The guide was changed in September 2026.',
      'geo.evidence.statistics': 'Shares and months are given in the text.',
      'geo.evidence.quotations': 'سلمى حداد is quoted and named in a cite element.',
      'geo.evidence.cited-sources': 'The report of the ministry is linked in 260 words.',
      'geo.evidence.number-source-adjacent': 'Two of four figures stand beside the report they are from.',
      'geo.entity.author': 'The author is a Person with name and url.',
      'geo.entity.author-page': "The author's url answers 200 with her name and a biography.",
      'geo.entity.name-consistent': 'Title, og:site_name, WebSite and Organization say بيت الزيتون.',
      'geo.entity.publisher': 'publisher is an @id that resolves to the Organization.',
      'geo.schema.article': 'All six fields are there.',
      'geo.safety.unicode-covert': 'There are no covert characters.',
    },
    partial: {
      'geo.entity.organization': 'The Organization has a name and url, and nothing more.',
    },
    fail: {
      'aeo.sitemap.exists': 'There is no sitemap.',
      'geo.entity.sameas': 'There is no sameAs.',
    },
    not_applicable: {
      'geo.text.easy': 'Flesch is made for English.',
    },
  }),
};
