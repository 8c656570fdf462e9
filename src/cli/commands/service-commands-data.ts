import { EMULATOR_PACKAGE, formatEmulatorInstall } from '../../lib/release.ts';
import { NETWORK_WORDS } from '../buy/network.ts';
import { monitorCommand } from './monitor-commands-data.ts';
import type { CommandRow, OptionRow, OptionRows } from './rows.ts';
import { outputOptions, plainOutputOptions } from './shared-options-data.ts';

const baseOption = {
  type: 'string',
  value: '<url>',
  description: 'the service (default: SIGHTLINE_BASE_URL, or the local stack)',
} as const satisfies OptionRow;

const text = (value: string, description: string) => ({ type: 'string', value, description }) as const;

/** Where a purchase is paid. */
const networkOptions = {
  network: {
    ...text('<name>', 'pay with USDC on this network and on no other: base (default), polygon or base-sepolia'),
    values: NETWORK_WORDS,
  },
  testnet: { type: 'boolean', description: 'pay on Base Sepolia, where USDC is worth nothing: --network base-sepolia' },
} as const satisfies OptionRows;

/** What a token is for: one resource each. */
const resourceOptions = {
  monitors: { type: 'boolean', description: 'for sightline monitor and /api/monitors instead of the MCP endpoint' },
  hosts: { type: 'boolean', description: 'for /api/hosts instead of the MCP endpoint' },
} as const satisfies OptionRows;

const texts = (value: string, description: string) =>
  ({ type: 'string', multiple: true, value, description: `${description}; may be given several times` }) as const;

/** Of every action of `channels`. */
export const channelsOptions = {
  base: text('<url>', 'the webhook Worker (default: SIGHTLINE_WEBHOOK_URL, or the local stack)'),
  key: { ...text('<file>', 'key file of a service account (or a token in SIGHTLINE_TOKEN)'), file: 'read' },
  ...plainOutputOptions,
} as const satisfies OptionRows;

const channelArgument = { name: 'id', description: 'id of the channel' } as const;
const customer = text('<id>', 'the customer');
const pages = {
  limit: text('<n>', 'rows on a page'),
  page: text('<token>', 'the next page, as the last one names it'),
} as const;
const range = {
  channel: text('<id>', 'only of this channel'),
  from: text('<time>', 'received from then on, such as 2026-11-22T09:30:00Z'),
  to: text('<time>', 'received before then'),
} as const;

/** A substitute for the platform, for tests. */
const standInOptions = {
  'api-base': text('<url>', 'a substitute for the API of Cloudflare, on this machine only'),
  resolve: texts('<host=url>', 'with --api-base: where a host answers, or * for all'),
} as const satisfies OptionRows;

/** Which deployment is meant, and how the platform is reached. */
const deployTargets = {
  env: {
    type: 'string',
    value: '<name>',
    values: ['staging', 'production'],
    description: 'which deployment: staging or production',
  },
  workers: text('<list>', 'only these, such as api,pdf,control (default: api,pdf,webhook,control)'),
  account: text('<id>', 'the Cloudflare account, where the login has several (or CLOUDFLARE_ACCOUNT_ID)'),
  'dry-run': { type: 'boolean', description: 'print every call, and change nothing' },
  json: { type: 'boolean', description: 'print the result as JSON; errors are JSON on standard error too' },
  ...standInOptions,
} as const satisfies OptionRows;

const deployOptions = {
  ...deployTargets,
  'secrets-file': text('<file>', 'settings as NAME=value, a file of mode 0600 that git does not track'),
  'save-secrets': text('<file>', 'where secrets that are made are written (default: below ~/.config/sightline)'),
  replace: texts('<name>', 'set this setting of the file also where it exists'),
  domain: texts('<worker=host>', 'a custom domain, such as api=audits.example.com'),
  adopt: texts('<name>', 'overwrite this Worker, which this command did not deploy'),
} as const satisfies OptionRows;

/** Commands that talk to a service, or run one. */
export const serviceCommands = {
  buy: {
    group: 'service',
    first: true,
    summary: 'buy a result or credits with USDC',
    arguments: [
      { name: 'capability', description: 'what to buy, such as full_audit or credits_5' },
      { name: 'url', description: 'address of the site, where the capability takes one', optional: true },
      { name: 'field=value', description: 'more fields of its request', optional: true, many: true },
    ],
    options: {
      base: text('<url>', 'the service (default: the local stack, with its demo money)'),
      'max-usd': text('<amount>', 'the most to pay for this call (default: 1)'),
      transfer: { type: 'boolean', description: 'pay by a plain USDC transfer, then present its hash' },
      hash: text('<0x...>', 'present a transfer that you made before'),
      proof: { type: 'boolean', description: "with --transfer or --hash: add the payer's proof" },
      rpc: text('<url>', 'the chain that --transfer sends by (or RPC_URL)'),
      ...networkOptions,
      'dry-run': { type: 'boolean', description: 'only ask what it costs, and whether the site answers' },
      new: { type: 'boolean', description: 'pay again, although an earlier payment of this order is open' },
      ...outputOptions,
    },
    examples: [
      { run: 'sightline buy full_audit example.com', does: 'buy from the local stack, with its demo money' },
      { run: 'sightline buy full_audit example.com --base https://audits.example', does: 'buy from a service' },
      {
        run: 'sightline buy full_audit example.com --base https://audits.example --network polygon',
        does: 'pay with USDC on Polygon',
      },
      { run: 'sightline buy credits_5', does: 'add 5 USD of credits to the account of the paying address' },
    ],
    notes: [
      'The private key that pays is read from SIGHTLINE_WALLET_KEY. On this machine the demo buyer pays.',
      'After a crash, a timeout or a refusal run the same command again: it sends the same payment, so that you pay once.',
    ],
    exits: { 1: 'the purchase was refused' },
  },
  list: {
    group: 'service',
    summary: 'check that the directory of the facilitator lists a service, or buy its routes so that it does',
    arguments: [
      { name: 'route', description: 'routes by name (default: all but the credit packs)', optional: true, many: true },
    ],
    options: {
      base: text('<url>', 'the service (default: the local stack, with its demo money)'),
      facilitator: text('<url>', 'its facilitator (or FACILITATOR_URL)'),
      'self-pay': { type: 'boolean', description: 'buy each route that is not listed once' },
      all: { type: 'boolean', description: 'with --self-pay: buy those that are listed as well' },
      'max-usd': text('<amount>', 'the most to pay for all of them (default: 5)'),
      yes: { type: 'boolean', description: 'pay without being asked' },
      site: text('<url>', 'the site to audit (default: https://example.com/)'),
      competitor: text('<url>', 'the site to compare it with'),
      ...networkOptions,
      ...plainOutputOptions,
    },
    examples: [
      {
        run: 'sightline list --base https://audits.example --facilitator https://facilitator.example',
        does: 'what is listed',
      },
      { run: 'sightline list --self-pay --max-usd 2', does: 'buy what is not, from the local stack' },
    ],
    notes: [
      'Facilitators list what they settle. The price of all purchases is shown first. SIGHTLINE_WALLET_KEY pays the payee of the service.',
    ],
    exits: { 1: 'a route is not listed, or a purchase was refused' },
  },
  mcp: {
    group: 'service',
    first: true,
    summary: 'serve the tools to an AI client over MCP',
    arguments: [],
    options: {
      base: text('<url>', 'the service to use (or SIGHTLINE_BASE_URL)'),
      local: { type: 'boolean', description: 'run on this machine whatever can' },
      network: {
        ...networkOptions.network,
        description: 'where SIGHTLINE_WALLET_KEY pays: base (default), polygon or base-sepolia',
      },
      'allow-private': texts('<origin>', 'a private origin that may be audited'),
    },
    examples: [{ run: 'sightline mcp', does: 'free tools on standard input and output' }],
    notes: [
      'Tools run here for free, or at a service: paid by SIGHTLINE_TOKEN, or by SIGHTLINE_WALLET_KEY within SIGHTLINE_MAX_USD_PER_CALL (1) and SIGHTLINE_MAX_USD_PER_DAY (5).',
    ],
  },
  login: {
    group: 'service',
    first: true,
    summary: 'sign in to a service in the browser',
    arguments: [],
    options: {
      base: baseOption,
      'no-browser': { type: 'boolean', description: 'only print the address to open' },
      ...resourceOptions,
      scope: text('<scopes>', 'ask for more scopes, such as "credits:use"'),
      'client-id': text('<id>', 'a client that is registered there'),
      'client-metadata-url': text('<url>', "address of the client's metadata document"),
      json: plainOutputOptions.json,
    },
    examples: [
      { run: 'sightline login --base https://audits.example', does: 'sign in and store the token' },
      { run: 'sightline login --monitors --base https://audits.example', does: 'the same for sightline monitor' },
    ],
    exits: { 1: 'the sign-in was refused' },
  },
  token: {
    group: 'service',
    summary: 'print an access token',
    arguments: [],
    options: {
      base: baseOption,
      ...resourceOptions,
      key: text('<file>', 'for the service account of this key file (RFC 7523)'),
      resource: text('<url>', 'with --key: what the token is for'),
      scope: text('<scopes>', 'with --key: the scopes of the token'),
      json: {
        type: 'boolean',
        description: 'with --key: print the whole answer; errors are JSON on standard error too',
      },
    },
    examples: [
      { run: 'sightline token', does: 'the token of sightline login, renewed when necessary' },
      { run: 'sightline token --monitors', does: 'that of sightline login --monitors, for /api/monitors' },
      { run: 'sightline token --key account.json', does: 'a token of a service account' },
    ],
    exits: { 1: 'the token was refused' },
  },
  monitor: monitorCommand,
  channels: {
    group: 'operate',
    summary: 'operate the notification channels of a webhook Worker',
    arguments: [],
    options: channelsOptions,
    actions: {
      list: {
        summary: 'list channels',
        arguments: [],
        options: {
          customer,
          state: text('<state>', 'only in this state'),
          watch: text('<id>', 'only of this watch'),
          ...pages,
        },
      },
      show: { summary: 'show one channel', arguments: [channelArgument], options: {} },
      create: {
        summary: 'watch the users of a customer',
        arguments: [],
        options: {
          customer,
          domain: text('<name>', 'only users of this domain'),
          event: text('<name>', 'only this kind of event'),
          ttl: text('<seconds>', 'how long the channel lives'),
          subject: text('<address>', 'the administrator to act for'),
        },
      },
      renew: { summary: 'open the successor of a channel now', arguments: [channelArgument], options: {} },
      stop: { summary: 'end a watch', arguments: [channelArgument], options: {} },
      messages: {
        summary: 'list notifications and what became of them',
        arguments: [],
        options: { customer, state: text('<state>', 'only in this state'), ...range, ...pages },
      },
      replay: {
        summary: 'work through dead messages again',
        arguments: [],
        options: { customer, message: text('<seq>', 'this message alone'), ...range },
      },
      status: {
        summary: 'show what waits, what is dead, and open alerts with what to do',
        arguments: [],
        options: { customer },
      },
    },
    examples: [{ run: 'sightline channels status', does: 'what waits, and what needs a person' }],
  },
  deploy: {
    group: 'operate',
    summary: 'put the service on Cloudflare (in a checkout)',
    arguments: [],
    options: deployOptions,
    actions: {
      rollback: {
        summary: 'go back to the previous code, in every Worker that the newest release changed or in none',
        arguments: [],
        options: {
          ...deployTargets,
          past: text('<release>', 'go back from this release, also where a newer one was rolled back already'),
          'with-older-secrets': { type: 'boolean', description: 'also where secrets come back with older values' },
        },
      },
    },
    examples: [
      { run: 'sightline deploy --env staging', does: 'deploy, or continue a deployment that broke off' },
      { run: 'sightline deploy --env staging --dry-run', does: 'print every call that it would make' },
      { run: 'sightline deploy --env production --domain api=audits.example.com', does: 'with your own domain' },
      { run: 'sightline deploy rollback --env staging', does: 'go back to the previous code' },
    ],
    notes: [
      'It signs in as wrangler does: with npx wrangler login, or with a token in CLOUDFLARE_API_TOKEN.',
      'Settings that exist are never replaced, unless --replace names them; LEDGER_SECRET never is.',
    ],
    exits: { 1: 'the deployment was refused, or its smoke test failed', 3: 'Cloudflare or the service did not answer' },
  },
  doctor: {
    group: 'operate',
    summary: 'check a running deployment',
    arguments: [],
    options: {
      base: baseOption,
      control: text('<url>', 'its control Worker (default: what the service names)'),
      webhook: text('<url>', 'its webhook Worker (default: what the service names)'),
      network: text('<id>', 'fail where it sells on another network than this, such as eip155:8453'),
      'pay-to': text('<address>', 'fail where it pays another address than this'),
      buy: { type: 'boolean', description: 'buy one result too: on Base Sepolia, or from the local stack' },
      ...plainOutputOptions,
      ...standInOptions,
    },
    examples: [
      { run: 'sightline doctor', does: 'check the local stack' },
      { run: 'sightline doctor --base https://audits.example --json', does: 'check a deployment, for a program' },
    ],
    notes: [
      'With the secret of an operator in SIGHTLINE_OPERATOR_SECRET it checks settings, queues, dead letters and channels too, and sends a notification to the deployment. It signs in once, and makes a client that it removes again.',
      'What could not be checked is unknown, and never a failure.',
    ],
    exits: { 1: 'a check failed', 3: 'a Worker could not be reached' },
  },
  hybrid: {
    group: 'operate',
    summary: 'upgrade the overrides file of a hybrid runtime',
    arguments: [
      { name: 'words', description: 'its actions and options: sightline hybrid --help', optional: true, many: true },
    ],
    options: {},
    examples: [{ run: 'sightline hybrid check overrides.yaml', does: 'find what stops the upgrade' }],
    ownHelp: true,
  },
  emulator: {
    group: 'operate',
    summary: 'run the management interfaces for tests',
    arguments: [{ name: 'words', description: 'its options: sightline emulator --help', optional: true, many: true }],
    options: {},
    examples: [{ run: 'sightline emulator --no-auth', does: 'an emulator that takes any token' }],
    notes: [`The emulator is the package ${EMULATOR_PACKAGE}: ${formatEmulatorInstall()}`],
    ownHelp: true,
  },
  serve: {
    group: 'operate',
    summary: 'run the whole service on this machine (in a checkout)',
    arguments: [{ name: 'words', description: 'the options of npm start', optional: true, many: true }],
    options: {},
    examples: [{ run: 'sightline serve --port 0', does: 'free ports for everything' }],
  },
  completion: {
    group: 'shell',
    summary: 'print a completion script for your shell',
    arguments: [{ name: 'shell', description: 'bash, zsh or fish' }],
    options: {},
    examples: [
      { run: 'sightline completion bash > ~/.local/share/bash-completion/completions/sightline', does: 'bash' },
      { run: 'sightline completion zsh > ~/.zfunc/_sightline', does: 'zsh, with ~/.zfunc in fpath' },
      { run: 'sightline completion fish > ~/.config/fish/completions/sightline.fish', does: 'fish' },
    ],
  },
  help: {
    group: 'shell',
    summary: 'show help for a command',
    arguments: [{ name: 'command', description: 'its name', optional: true, many: true }],
    options: { all: { type: 'boolean', description: 'list every command' } },
    examples: [{ run: 'sightline help audit', does: 'the same as sightline audit --help' }],
  },
  version: {
    group: 'shell',
    summary: 'print the version',
    arguments: [],
    options: {},
    examples: [],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
