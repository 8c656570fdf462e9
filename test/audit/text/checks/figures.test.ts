import { jsonLd, mainPage, prose } from '../../../support/audit/pages.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

const filled = prose(100);

const table = (
  caption: string,
  cells = '<tr><th>Lamp</th><th>Weight</th></tr><tr><td>Oak</td><td>2 kg</td></tr>',
): string => `<table>${caption}${cells}</table>`;

const figure = (caption: string): string => `<figure><img src="/a.png" alt="A lamp">${caption}</figure>`;

const CAPTION = '<caption>Weights of lamps</caption>';

const FIGCAPTION = '<figcaption>A lamp of 1920</figcaption>';

const VIDEO = '<video src="/lamp.mp4" controls></video>';

const EMBED = '<iframe src="https://www.youtube.com/embed/abc" title="Lamps"></iframe>';

const video = (rest: object): string =>
  jsonLd({ '@context': 'https://schema.org', '@type': 'VideoObject', name: 'Lamps', ...rest });

testChecks<string>(
  {
    'geo.cite.figure-captions': [
      ['a table and a figure with captions', mainPage(table(CAPTION) + figure(FIGCAPTION)), 'pass', /2 of 2/],
      [
        'a table with the caption of its figure',
        mainPage(`<figure>${table('')}<figcaption>Weights</figcaption></figure>`),
        'pass',
        /1 of 1/,
      ],
      ['one of two', mainPage(table(CAPTION) + figure('')), 'partial', undefined, { value: 0.5 }],
      ['neither', mainPage(table('') + figure('')), 'fail', /0 of 2/],
      [
        'a table that only lays out',
        mainPage(table('', '<tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr>')),
        'not_applicable',
      ],
      ['a hidden figure', mainPage(`<div hidden>${figure('')}</div>`), 'not_applicable'],
      ['none', mainPage(filled), 'not_applicable'],
    ],
    'geo.media.video-transcript': [
      ['a transcript below its heading', mainPage(`${VIDEO}<h2>Transcript</h2>${prose(120)}`), 'pass', /transcript/],
      [
        'a transcript in a disclosure',
        mainPage(`${EMBED}<details><summary>Transkript des Videos</summary>${prose(120)}</details>`),
        'pass',
      ],
      [
        'a transcript in structured data',
        mainPage(VIDEO, video({ transcript: 'We light a lamp.' })),
        'pass',
        /transcript/,
      ],
      [
        'a description in structured data',
        mainPage(EMBED, video({ description: 'How to light a lamp.' })),
        'pass',
        /describes/,
      ],
      [
        'subtitles',
        mainPage('<video src="/a.mp4"><track kind="captions" src="/a.vtt"></video>'),
        'partial',
        undefined,
        { value: 0.5 },
      ],
      ['a heading over a short note', mainPage(`${VIDEO}<h2>Transcript</h2><p>On request.</p>`), 'fail'],
      ['a VideoObject without words', mainPage(VIDEO, video({ thumbnailUrl: '/a.png' })), 'fail'],
      ['a frame of a video host', mainPage(EMBED + filled), 'fail'],
      ['no video', mainPage(filled), 'not_applicable'],
      ['a frame of something else', mainPage('<iframe src="https://maps.test/"></iframe>'), 'not_applicable'],
    ],
  },
  { seen: 200 },
);
