/** Environment variables that the command line reads, in the order of the page. `by`: commands, or what they all do. */
export const environmentRows: readonly { name: string; by: string; meaning: string }[] = [
  {
    name: 'SIGHTLINE_BASE_URL',
    by: '`login`, `token`, `mcp`, `doctor`',
    meaning: 'the service, where `--base` names none',
  },
  { name: 'SIGHTLINE_WEBHOOK_URL', by: '`channels`', meaning: 'the webhook Worker, where `--base` names none' },
  {
    name: 'SIGHTLINE_TOKEN',
    by: '`channels`, `mcp`',
    meaning: 'secret: an access token, in place of a key file or a sign-in',
  },
  {
    name: 'SIGHTLINE_OPERATOR_SECRET',
    by: '`doctor`, `deploy`',
    meaning: 'secret: that of an operator, for what only an operator sees',
  },
  {
    name: 'CLOUDFLARE_API_BASE_URL',
    by: '`doctor`, `deploy`',
    meaning: 'refused unless `--api-base` says the same: another platform than Cloudflare',
  },
  {
    name: 'SIGHTLINE_WALLET_KEY',
    by: '`buy`, `list --self-pay`, `mcp`, `doctor --buy`, `deploy --env staging`',
    meaning: 'secret: the private key that pays',
  },
  { name: 'FACILITATOR_URL', by: '`list`', meaning: 'the facilitator, where `--facilitator` names none' },
  { name: 'RPC_URL', by: '`buy`', meaning: 'the chain that `--transfer` sends by, where `--rpc` names none' },
  { name: 'SIGHTLINE_MAX_USD_PER_CALL', by: '`mcp`', meaning: 'the most to pay for one call' },
  { name: 'SIGHTLINE_MAX_USD_PER_DAY', by: '`mcp`', meaning: 'the most to pay in a day' },
  { name: 'ANSWER_ENGINE', by: '`visibility`', meaning: 'the engine, where `--engine` names none' },
  { name: 'ANSWER_ENGINE_URL', by: '`visibility`', meaning: 'its address, where `--url` names none' },
  { name: 'ANSWER_ENGINE_MODEL', by: '`visibility`', meaning: 'its model, where `--model` names none' },
  { name: 'ANSWER_ENGINE_KEY', by: '`visibility`', meaning: 'secret: its key. There is no option for it' },
  {
    name: 'ANSWER_KEY_OPENAI',
    by: '`visibility`',
    meaning: 'secret: the key of OpenAI, where the configuration has an engine of it',
  },
  { name: 'ANSWER_URL_OPENAI', by: '`visibility`', meaning: 'another address of OpenAI, such as a gateway' },
  {
    name: 'ANSWER_KEY_ANTHROPIC',
    by: '`visibility`',
    meaning: 'secret: the key of Anthropic, where the configuration has an engine of it',
  },
  { name: 'ANSWER_URL_ANTHROPIC', by: '`visibility`', meaning: 'another address of Anthropic, such as a gateway' },
  {
    name: 'ANSWER_KEY_GOOGLE',
    by: '`visibility`',
    meaning: 'secret: the key of Google, where the configuration has an engine of it',
  },
  { name: 'ANSWER_URL_GOOGLE', by: '`visibility`', meaning: 'another address of Google, such as a gateway' },
  {
    name: 'ANSWER_KEY_PERPLEXITY',
    by: '`visibility`',
    meaning: 'secret: the key of Perplexity, where the configuration has an engine of it',
  },
  { name: 'ANSWER_URL_PERPLEXITY', by: '`visibility`', meaning: 'another address of Perplexity, such as a gateway' },
  { name: 'ANSWER_ENGINE_FILE', by: '`visibility`', meaning: 'recorded answers, where `--answers` names none' },
  {
    name: 'ANSWER_ENGINE_BRANDS',
    by: '`visibility`',
    meaning: 'brands of the simulated engine, where `--simulate` names none',
  },
  {
    name: 'ANSWER_ENGINE_SEED',
    by: '`visibility`',
    meaning: 'seed of the simulated engine, where `--seed` names none',
  },
  {
    name: 'CHROMIUM',
    by: '`--render`, PDF',
    meaning: 'the browser; else the first Chromium on `PATH` or in a usual folder',
  },
  { name: 'PATH', by: '`--render`, PDF', meaning: 'folders in which Chromium is looked for' },
  { name: 'NO_COLOR', by: 'every command', meaning: 'any value turns colours off' },
  {
    name: 'XDG_CONFIG_HOME',
    by: '`login`, `token`, `deploy`',
    meaning:
      'where sign-ins and secrets that were made are stored: below it, else in `~/.config`, in the folder `sightline`',
  },
  {
    name: 'CLOUDFLARE_API_TOKEN',
    by: '`deploy`',
    meaning: 'secret: a token of Cloudflare, in place of `npx wrangler login`',
  },
  {
    name: 'CLOUDFLARE_API_KEY',
    by: '`deploy`',
    meaning: 'secret: the global key of an account, with `CLOUDFLARE_EMAIL`, in place of a token',
  },
  { name: 'CLOUDFLARE_EMAIL', by: '`deploy`', meaning: 'the e-mail address of that key' },
  { name: 'CLOUDFLARE_ACCOUNT_ID', by: '`deploy`', meaning: 'the account, where `--account` names none' },
  {
    name: 'NODE_DISABLE_COMPILE_CACHE',
    by: 'every command',
    meaning: '`1` turns off the compile cache in `~/.cache/sightline`',
  },
];
