/** The real object of a run under plain workerd, without a queue: it is told 30 answers and how large its database is then. */
import { VisibilityRun as Ours } from '../../durable-objects/visibility-run.ts';

const noQueue = { sendBatch: async () => {} };

export class VisibilityRun extends Ours {
  constructor(state, env) {
    super(state, { ...env, PROMPTS: noQueue });
  }

  databaseBytes() {
    return this.ctx.storage.sql.databaseSize;
  }
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('ok');
    const { object, run, answers } = await request.json();
    const stub = env.VISIBILITY_RUN.getByName(object);
    const runId = await stub.start(object, run);
    for (const answer of answers) await stub.record(runId, answer);
    const collected = await stub.collected(runId);
    const kept = collected?.answers.filter(({ status }) => status === 'answered').length ?? 0;
    return Response.json({ kept, bytes: await stub.databaseBytes() });
  },
};
