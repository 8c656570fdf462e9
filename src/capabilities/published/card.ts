import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { PRODUCT } from '../../lib/product.ts';
import { type Canvas, createCanvas, drawText, fillBox, measureText } from '../../report/picture/canvas.ts';
import { type Colour, encodePng } from '../../report/picture/png.ts';
import { hasScore, type PublishedEntry } from './history.ts';

/** Size and colours of `src/web/static/card.png`, which reports that are not public share. */
const WIDTH = 1200;
const HEIGHT = 630;
const GROUND: Colour = [10, 74, 148];
const INK: Colour = [255, 255, 255];

const MARGIN = 90;
const COLUMN = 260;
const BAR = { width: 200, height: 14 };
/** How much of the ink: words that only name something, and the empty part of a bar. */
const SOFT = 205;
const TRACK = 70;

const HOST_SIZE = 76;
const MIN_HOST_SIZE = 40;
const ELLIPSIS = '…';

const NAMES: Readonly<Record<ScoreName, string>> = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' };

/** The picture of a published report for those who see its link: the host, and the scores that apply. Nothing of it is text of the site. */
export function drawReportCard(
  host: string,
  { scores, atMs }: Pick<PublishedEntry, 'scores' | 'atMs'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  drawText(canvas, PRODUCT, { x: MARGIN, y: 120, size: 44 });
  const day = new Date(atMs).toISOString().slice(0, 10);
  drawText(canvas, day, { x: WIDTH - MARGIN - measureText(day, 34), y: 120, size: 34, ink: SOFT });
  const { text, size } = shortenHost(host);
  drawText(canvas, text, { x: MARGIN, y: 250, size });
  drawText(canvas, 'AI visibility, 0 to 100', { x: MARGIN, y: 312, size: 34, ink: SOFT });
  const shown = scoreNames.filter((name) => hasScore(scores[name]));
  for (const [place, name] of shown.entries())
    drawScore(canvas, MARGIN + place * COLUMN, { name: NAMES[name], score: scores[name].score });
  return encodePng(canvas, GROUND, INK);
}

function drawScore(canvas: Canvas, x: number, { name, score }: { name: string; score: number }): void {
  drawText(canvas, String(score), { x, y: 470, size: 96 });
  drawText(canvas, name, { x, y: 525, size: 36, ink: SOFT });
  fillBox(canvas, { x, y: 550, ...BAR }, TRACK);
  fillBox(canvas, { x, y: 550, width: (BAR.width * score) / 100, height: BAR.height }, 255);
}

/** A long host is smaller, and cut at its front where it is too long for that: the end says whose it is. */
function shortenHost(host: string): { text: string; size: number } {
  const room = WIDTH - 2 * MARGIN;
  const wanted = Math.floor((room * HOST_SIZE) / Math.max(1, measureText(host, HOST_SIZE)));
  const size = Math.max(MIN_HOST_SIZE, Math.min(HOST_SIZE, wanted));
  let text = host;
  while (measureText(text, size) > room && text.length > 2)
    text = `${ELLIPSIS}${text.slice(text.startsWith(ELLIPSIS) ? 2 : 1)}`;
  return { text, size };
}
