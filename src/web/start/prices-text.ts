import { catalog } from '../../capabilities/catalog.ts';
import { creditPacks, packPath } from '../../capabilities/credit-packs.ts';
import { panels } from '../../capabilities/panels.ts';
import { soldTools } from '../../capabilities/sold-tools.ts';
import { listMcpUrls, service } from '../../capabilities/service.ts';
import { formatDollars, formatUsdcAmount, formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { formatMcpConfiguration, formatPayingProgram, formatPythonProgram, formatSdkProgram } from './calls.ts';
import {
  buildCode,
  type ProgramText,
  type PageText,
  type TextBlock,
  type TextSection,
  type CallWay,
} from './document.ts';
import { buildOfferGroups, computePriceRange, formatUnpaidCall } from './offers.ts';
import { pricesWords } from './prices-words.ts';
import { WORDS_CHANGED } from './text.ts';

/** What the page lists. */
const sold = [...catalog, ...panels, ...soldTools];

/** Where all prices are. */
export const PRICES_PATH = '/prices';

/** The catalogue for people: what each capability costs, what it gives, and how it is called. */
export function buildPricesText(baseUrl: string, language: PageLanguage): PageText {
  const { title, description, lead } = pricesWords[language];
  const { from, to } = computePriceRange(sold);
  return {
    path: PRICES_PATH,
    language,
    title,
    description,
    changed: WORDS_CHANGED,
    lead: [lead(formatDollars(from, language), formatDollars(to, language))],
    sections: [buildCatalogue(baseUrl, language), buildCredits(baseUrl, language), buildCall(baseUrl, language)],
  };
}

function buildCatalogue(baseUrl: string, language: PageLanguage): TextSection {
  const { catalogue, time } = pricesWords[language];
  return {
    id: 'catalogue',
    heading: catalogue.heading,
    level: 2,
    blocks: [
      catalogue.intro,
      {
        kind: 'offers',
        groups: buildOfferGroups(baseUrl, language, sold),
        words: {
          ...catalogue.columns,
          formatTime: (seconds) => time(formatWholeNumber(seconds, language)),
          formatPrice: (microUsdc) => formatDollars(microUsdc, language),
        },
      },
    ],
  };
}

function buildCredits(baseUrl: string, language: PageLanguage): TextSection {
  const { heading, intro, after, caption, columns, pack } = pricesWords[language].credits;
  return {
    id: 'credits',
    heading,
    level: 2,
    blocks: [
      intro,
      {
        kind: 'table',
        caption,
        columns: [columns[0], { number: columns[1] }, columns[2]],
        rows: creditPacks.map((one) => ({
          cells: [
            [pack(formatDollars(one.priceMicroUsdc, language))],
            [formatUsdcAmount(one.priceMicroUsdc, language)],
            [buildCode(`POST ${baseUrl}${packPath(one)}`)],
          ],
        })),
      },
      after,
    ],
  };
}

function buildCall(baseUrl: string, language: PageLanguage): TextSection {
  const { heading, intro, label } = pricesWords[language].call;
  return {
    id: 'call',
    heading,
    level: 2,
    blocks: [intro, { kind: 'ways', label, items: buildWays(baseUrl, language) }],
  };
}

/** Tests run the programs as they are here. */
function buildWays(baseUrl: string, language: PageLanguage): readonly CallWay[] {
  const { call, mcp, copy } = pricesWords[language];
  const { open, account } = listMcpUrls(baseUrl);
  const command = `claude mcp add --transport http ${service.name} ${account}`;
  return [
    buildWay('curl', 'curl', call.curl, {
      language: 'sh',
      label: copy.call,
      code: formatUnpaidCall('full_audit', baseUrl),
    }),
    buildWay('typescript', 'TypeScript', call.typescript, {
      language: 'ts',
      label: copy.program,
      code: formatSdkProgram(baseUrl),
    }),
    buildWay('python', 'Python', call.python, {
      language: 'python',
      label: copy.program,
      code: formatPythonProgram(baseUrl),
    }),
    {
      id: 'mcp',
      name: 'MCP',
      blocks: [
        mcp.text(open, account),
        mcp.claude,
        { kind: 'code', language: 'sh', label: copy.command, code: command },
        mcp.others,
        { kind: 'code', language: 'json', label: copy.configuration, code: formatMcpConfiguration(baseUrl) },
      ],
    },
    buildWay('x402', 'x402', call.x402, {
      language: 'js',
      label: copy.program,
      code: formatPayingProgram(baseUrl),
    }),
  ];
}

const buildWay = (id: string, name: string, words: TextBlock, code: Omit<ProgramText, 'kind'>): CallWay => ({
  id,
  name,
  blocks: [words, { kind: 'code', ...code }],
});
