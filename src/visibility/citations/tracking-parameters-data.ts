/** Parameters of one sender, which say how a reader came and nothing about what is shown. */
type TrackingRow = {
  /** Lower case; one that ends in `*` is a prefix. */
  names: readonly string[];
  source: string;
  /** The day on which the row was written. */
  read: string;
  /** Registrable domains at which a parameter of this name chooses what is shown. */
  except?: readonly string[];
};

/** What is taken out of the address of a cited page. A parameter that may choose the content stays. */
export const trackingParameters: readonly TrackingRow[] = [
  { names: ['utm_*'], source: 'https://support.google.com/analytics/answer/10917952', read: '2026-11-28' },
  {
    names: ['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', '_ga', '_gl'],
    source: 'https://support.google.com/google-ads/answer/9744275',
    read: '2026-11-28',
  },
  { names: ['srsltid'], source: 'https://support.google.com/merchants/answer/9438309', read: '2026-11-28' },
  { names: ['msclkid'], source: 'https://help.ads.microsoft.com/apex/index/3/en/60000', read: '2026-11-28' },
  {
    names: ['fbclid', 'igshid', 'igsh', 'mibextid'],
    source: 'https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/fbp-and-fbc',
    read: '2026-11-28',
  },
  {
    names: ['ttclid', 'twclid', 'li_fat_id', 'yclid', 'ysclid', 'epik', 'rdt_cid', 'sccid'],
    source: 'click ids of TikTok, X, LinkedIn, Yandex, Pinterest, Reddit and Snap, by the pages on conversions of each',
    read: '2026-11-28',
  },
  {
    names: ['mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', '__hstc', '__hssc', '__hsfp', 'hsctatracking', 'vero_id'],
    source: 'letters sent by Mailchimp, Marketo, HubSpot and Vero, by the help pages of each',
    read: '2026-11-28',
  },
  {
    names: ['mtm_*', 'pk_campaign', 'pk_kwd', 'pk_source', 'pk_medium', 'piwik_campaign', 'piwik_kwd'],
    source: 'https://matomo.org/faq/reports/what-is-campaign-tracking-and-why-it-is-important/',
    read: '2026-11-28',
  },
  {
    names: ['irclickid', 'cjevent', 'awc', 'epi'],
    source: 'click ids of the affiliate networks impact.com, CJ, Awin and TradeDoubler',
    read: '2026-11-28',
  },
  {
    names: ['ref', 'ref_', 'ref_src', 'ref_url', 'referrer'],
    source: 'names that sites give to where a reader came from; forges call a branch `ref`',
    read: '2026-11-28',
    except: ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'gitea.com'],
  },
];
