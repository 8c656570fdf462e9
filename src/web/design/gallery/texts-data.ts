const LONG_LENGTH = 200;

/** Texts as sites, brands and models bring them: each part is shown with each. `direction` where it is not from left to right. */
export const galleryTexts = [
  { name: 'Long word', text: 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, LONG_LENGTH) },
  { name: 'Long address', text: `https://example.com/${'a-very-long-path-segment/'.repeat(8)}` },
  { name: 'Right to left', text: 'כותרת העמוד היא מה שמנועי תשובות מצטטים, 42% מהמקרים', direction: 'rtl' },
  { name: 'Arabic', text: 'عنوان الصفحة هو ما تقتبسه محركات الإجابة', direction: 'rtl' },
  { name: 'Chinese', text: '页面标题是人工智能回答引擎引用的内容，因此它应当准确描述页面的主题和来源' },
  { name: 'Japanese', text: 'ページのタイトルはAI検索が引用する部分であり、内容を正確に表すべきです' },
  { name: 'Emoji', text: '👩‍👩‍👧‍👦 Family bakery 🥖🥐 open 24/7 🏳️‍🌈 🇩🇪' },
  { name: 'Joined marks', text: 'Z̴̡͝a̷l̶g̸o̵ t̵e̶x̷t̸ with marks above and below' },
  { name: 'Turned direction', text: 'invoice \u202Efdp.exe\u202C and what follows' },
  { name: 'Markup', text: '<script>alert(1)</script> & "quotes" \'too\'' },
] as const satisfies readonly { name: string; text: string; direction?: 'rtl' }[];
