import blns from '../../data/blns.json' with { type: 'json' };
import dompurify from '../../data/xss/dompurify.json' with { type: 'json' };
import html5lib from '../../data/xss/html5lib.json' with { type: 'json' };

/** What none of the lists has: addresses that run, and ends of what our own pages are made of. */
const own: readonly string[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//https://example.com/',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'https://evil.example/" onclick="alert(1)',
  "https://evil.example/'onmouseover='alert(1)",
  'https://user:pass@evil.example/<script>alert(1)</script>',
  '//evil.example/x.js',
  '</title><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</code></pre></div><img src=x onerror=alert(1)>',
  '</details></main></body></html><script>alert(1)</script>',
  '</svg><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  ']]><script>alert(1)</script>',
  '" autofocus onfocus=alert(1) x="',
  '" style="position:fixed;inset:0" class="',
  '[click](javascript:alert(1)) ![x](https://evil.example/p.png)',
  '`</code>` ``` <img src=x onerror=alert(1)>',
];

/** The tree construction tests vary each idea many times: one in so many has them all. */
const ONE_IN = 4;
const ofHtml5lib = html5lib.filter((_text, index) => index % ONE_IN === 0);

/**
 * More than 1,000 strings, each once, that have tried to run code or to break out of where they stood: the big list of naughty
 * strings, the vectors of DOMPurify's tests, hostile markup of html5lib-tests, and some of our own. Sources and licences
 * stand in `test/data/README.md` and `test/data/xss/README.md`.
 */
export const xssStrings: readonly string[] = [...new Set([...own, ...dompurify, ...blns, ...ofHtml5lib])].filter(
  (text) => text !== '',
);
