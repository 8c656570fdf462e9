/** A source of first-party data, by the id that `--as` and results name. */
export const importSources = [
  'google-search-console-generative-ai',
  'bing-ai-performance',
  'clarity-citations',
  'ga4-ai-assistant',
] as const;
export type ImportSource = (typeof importSources)[number];

/** What a row of a table is about. */
export const importTables = ['pages', 'queries', 'days', 'countries', 'devices', 'filters', 'channels'] as const;
export type ImportTable = (typeof importTables)[number];

/** What a column means to us. A column without a meaning is listed as not read. */
export type ColumnMeaning =
  | 'page'
  | 'query'
  | 'day'
  | 'country'
  | 'device'
  | 'filter'
  | 'value'
  | 'channel'
  | 'count'
  | 'share';

export type ColumnRow = {
  meaning: ColumnMeaning;
  /** Header cells that mean it, in every spelling that is documented. Case, spaces and kinds of dashes do not matter. */
  headers: readonly string[];
  optional?: true;
};

export type TableRow = {
  table: ImportTable;
  columns: readonly ColumnRow[];
  /** Header cells that say it is another export of the same vendor. */
  never?: readonly string[];
};

export type FormatRow = {
  source: ImportSource;
  /** The vendor's name of the report. */
  title: string;
  /** The day of the vendor's documentation, or of the public code, that the columns are from. */
  version: string;
  /** What a count counts. */
  counts: 'impressions' | 'citations' | 'sessions';
  /** `docs`: no export of anyone was ever read by us or by code that we know of. `public-code`: programs of others read it so. */
  known: 'docs' | 'public-code';
  tables: readonly TableRow[];
};

const impressions: ColumnRow = { meaning: 'count', headers: ['Impressions', 'Impressionen'] };
const citations: ColumnRow = { meaning: 'count', headers: ['Citations'] };
/** The performance report for all of Search has these; the one for generative AI has no clicks. */
const OF_ALL_SEARCH = ['Clicks', 'Klicks', 'CTR', 'Position'];
/** The name of the channel, as Google Analytics has it in English. */
export const AI_CHANNEL = 'AI Assistant';

/**
 * The exports that are read. German headers of Search Console and Google Analytics are those of the same vendor's other
 * exports, which programs of others read; no other language is documented, so none is here.
 */
export const importFormats: readonly FormatRow[] = [
  {
    source: 'google-search-console-generative-ai',
    title: 'Google Search Console, generative AI performance',
    version: '2026-09-03',
    counts: 'impressions',
    known: 'public-code',
    tables: [
      {
        table: 'pages',
        columns: [{ meaning: 'page', headers: ['Top pages', 'Häufigste Seiten'] }, impressions],
        never: OF_ALL_SEARCH,
      },
      {
        table: 'countries',
        columns: [{ meaning: 'country', headers: ['Country'] }, impressions],
        never: OF_ALL_SEARCH,
      },
      { table: 'devices', columns: [{ meaning: 'device', headers: ['Device'] }, impressions], never: OF_ALL_SEARCH },
      { table: 'days', columns: [{ meaning: 'day', headers: ['Date'] }, impressions], never: OF_ALL_SEARCH },
      {
        table: 'filters',
        columns: [
          { meaning: 'filter', headers: ['Filter'] },
          { meaning: 'value', headers: ['Value'] },
        ],
      },
    ],
  },
  {
    source: 'bing-ai-performance',
    title: 'Bing Webmaster Tools, AI Performance',
    version: '2026-09-05',
    counts: 'citations',
    known: 'public-code',
    tables: [
      { table: 'pages', columns: [{ meaning: 'page', headers: ['Page'] }, citations] },
      {
        table: 'queries',
        columns: [
          { meaning: 'query', headers: ['Grounding Query'] },
          citations,
          { meaning: 'share', headers: ['Citation Share'], optional: true },
        ],
      },
      { table: 'days', columns: [{ meaning: 'day', headers: ['Date'] }, citations] },
    ],
  },
  {
    source: 'clarity-citations',
    title: 'Microsoft Clarity, Citations',
    version: '2026-05-13',
    counts: 'citations',
    known: 'docs',
    tables: [
      {
        table: 'pages',
        columns: [
          { meaning: 'page', headers: ['Page', 'My cited pages'] },
          { meaning: 'count', headers: ['Page citations'] },
          { meaning: 'share', headers: ['Share of authority'], optional: true },
        ],
      },
      {
        table: 'queries',
        columns: [
          { meaning: 'query', headers: ['Query', 'Grounding query', 'Grounding queries'] },
          { meaning: 'count', headers: ['Page citations'] },
          { meaning: 'share', headers: ['Share of authority'], optional: true },
        ],
      },
    ],
  },
  {
    source: 'ga4-ai-assistant',
    title: 'Google Analytics 4, channel AI Assistant',
    version: '2026-05-13',
    counts: 'sessions',
    known: 'public-code',
    tables: [
      {
        table: 'channels',
        columns: [
          {
            meaning: 'channel',
            headers: [
              'Session primary channel group (Default Channel Group)',
              'Session default channel group',
              'Sitzung - Primäre Channelgruppe (Standard-Channelgruppe)',
            ],
          },
          { meaning: 'count', headers: ['Sessions', 'Sitzungen'] },
          {
            meaning: 'page',
            headers: ['Landing page + query string', 'Landing page', 'Landingpage + Abfragestring'],
            optional: true,
          },
        ],
      },
    ],
  },
];
