import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listCaptionedParts, readVideoText } from '../facts/figures.ts';

const CAPTIONED_SHARE = { passAt: 0.6, partialAt: Number.MIN_VALUE };
const SHOWN = 3;

/** Checks of whether what is shown is also said in words. */
export const figureChecks = [
  defineCheck({
    id: 'geo.cite.figure-captions',
    title: 'Figures and tables have captions',
    failureTitle: 'Add captions to figures and tables',
    weight: 1,
    grade: 'C',
    why: 'A table or a chart that is lifted out without a label is numbers without a subject. Tables that only lay out a page are not counted.',
    source:
      'https://html.spec.whatwg.org/multipage/grouping-content.html#the-figcaption-element; https://html.spec.whatwg.org/multipage/tables.html#the-caption-element',
    fix: 'Add a figcaption to each figure and a caption to each table that says what it shows, of what and when.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeCaptions,
  }),
  defineCheck({
    id: 'geo.media.video-transcript',
    title: 'Video has a transcript or VideoObject',
    failureTitle: 'Add a transcript or a VideoObject to the video',
    weight: 1,
    grade: 'C',
    why: 'Most readers of pages do not watch: what a video says reaches them as a transcript on the page or as a VideoObject that describes it. Subtitles alone reach only those who play it.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/video; https://schema.org/transcript; WCAG 2.2, 1.2.3',
    fix: 'Publish the transcript under a heading of that name, or describe the video as a VideoObject with description or transcript.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeVideo,
  }),
];

function judgeCaptions({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const parts = listCaptionedParts(page);
  if (parts.length === 0) return verdict.notApplicable('No figure and no data table.');
  const bare = parts.filter(({ captioned }) => !captioned);
  const note = `${parts.length - bare.length} of ${parts.length} figures and tables have a caption.`;
  const evidence = (bare.length > 0 ? bare : parts)
    .slice(0, SHOWN)
    .map(({ what, line }) => buildEvidence(start.exchange, { selector: what, line }));
  return verdict.byShare(1 - bare.length / parts.length, CAPTIONED_SHARE, note, evidence);
}

function judgeVideo({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const video = readVideoText(page, jsonLd);
  if (!video) return verdict.notApplicable('No video.');
  const evidence = buildEvidence(start.exchange, { selector: 'video, iframe', line: video.line });
  const many = formatCount(video.videos, 'video');
  if (video.text === 'transcript') return verdict.pass(`${many}, with a transcript.`, evidence);
  if (video.text === 'described') return verdict.pass(`${many}, with a VideoObject that describes one.`, evidence);
  if (video.text === 'tracks')
    return verdict.partial(0.5, `${many}, with subtitles but no transcript or VideoObject.`, evidence);
  return verdict.fail(`${many}, without transcript, subtitles or a described VideoObject.`, evidence);
}
