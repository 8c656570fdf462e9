// Loaded before a program (`node --import`): its `fetch` reaches hosts below workers.dev at the socket in STAND_IN_EDGE.
import { Agent, buildConnector, setGlobalDispatcher } from 'undici';

const { hostname, port, host } = new URL(process.env['STAND_IN_EDGE'] ?? '');
const dial = buildConnector({});
setGlobalDispatcher(
  new Agent({
    connect: (options, callback) =>
      options.hostname.endsWith('.workers.dev')
        ? dial({ ...options, host, hostname, port, servername: options.hostname }, callback)
        : dial(options, callback),
  }),
);
