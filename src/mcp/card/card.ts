import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { PRODUCT } from '../../lib/product.ts';
import { CARD_SCRIPT } from './script-data.ts';
import { CARD_STYLES } from './styles-data.ts';

const APP_TYPE = 'text/html;profile=mcp-app';
/** Named by each paid tool in `_meta.ui.resourceUri`. */
export const REPORT_CARD_URI = 'ui://sightline/report';

/** It asks no network and no permission. */
const META = { ui: { csp: {}, permissions: {}, prefersBorder: true } };

/** A host's policy may be laxer than what the page needs, so it brings its own. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** The page is the same for every result: what is shown comes by messages and becomes text nodes (rule X6). */
const CARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${PRODUCT} report</title>
<style>${CARD_STYLES}</style>
</head>
<body>
<main id="card" aria-live="polite"><p class="muted">Waiting for the result.</p></main>
<script>${CARD_SCRIPT}</script>
</body>
</html>
`;

/** The card as it is read; no list has it, since tools name it and it shows nothing by itself. */
export const buildCardContents = (): ReadResourceResult['contents'] => [
  { uri: REPORT_CARD_URI, mimeType: APP_TYPE, text: CARD_PAGE, _meta: META },
];
