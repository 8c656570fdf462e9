// Prints what wrangler reads from the configuration files of an environment, as one JSON object:
// `node scripts/read-configurations.js staging wrangler.toml ...`. A program of its own, because wrangler is large and
// asks for a newer Node than the command line does.
import { unstable_readConfig as readConfig } from 'wrangler';

const [env, ...files] = process.argv.slice(2);
const read = files.map((config) => [config, readConfig({ config, env }, { hideWarnings: true })]);
process.stdout.write(JSON.stringify(Object.fromEntries(read)));
