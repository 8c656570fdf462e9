/** Engines of the largest panel that is sold. */
const NAMES = ['sim-a', 'sim-b', 'sim-c', 'sim-d'] as const;
/** What an answer of a simulated engine never costs: the limits on engine money count something all the same. */
const USD_PER_RUN = 0.05;

/** Four simulated engines that answer differently, as `ANSWER_ENGINES`: so many as every panel needs. */
export const demoEngines: { ANSWER_ENGINES: string } = {
  ANSWER_ENGINES: JSON.stringify(
    NAMES.map((name) => ({ name, kind: 'simulated', model: name, usd_per_run: USD_PER_RUN })),
  ),
};

/** They answer where the environment names no engine of its own. */
export const chooseDemoEngines = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  environment['ANSWER_ENGINE'] === undefined && environment['ANSWER_ENGINES'] === undefined ? demoEngines : {};
