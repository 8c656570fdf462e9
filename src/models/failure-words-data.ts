import type { FailureReason } from './port.ts';

/** Why prompts have no answer, for people: what happened, and what the operator of the engine can check. */
export const engineFailureWords: Readonly<Record<FailureReason, { what: string; next: string }>> = {
  timeout: { what: 'the engine did not answer in time', next: 'Try again later, or use a faster model.' },
  rate_limited: { what: 'the engine limits how often it is asked', next: 'Wait, or raise the limit of the account.' },
  conflict: { what: 'the engine was busy with the same prompt', next: 'Try again in a minute.' },
  unavailable: {
    what: 'the engine could not be reached or answered with an error',
    next: 'Check ANSWER_ENGINE_URL and the status page of the engine.',
  },
  empty_answer: { what: 'the engine answered without text', next: 'Try again, or use another model.' },
  unauthorized: { what: 'the engine refused the key', next: 'Check ANSWER_ENGINE_KEY and what it may do.' },
  refused: { what: 'the engine refused the request', next: 'Check the name of the model and its settings.' },
  filtered: { what: 'a filter of the engine held the answer back', next: 'Describe the niche in other words.' },
  invalid_response: {
    what: 'the answer was not in the form of this kind of engine',
    next: 'Check that ANSWER_ENGINE is the kind that ANSWER_ENGINE_URL speaks.',
  },
  engine_fault: { what: 'our adapter of the engine failed', next: 'Report it to the operator of this service.' },
  deadline: { what: 'the time of the run was over', next: 'Try again later, or use a faster model.' },
  not_delivered: { what: 'the prompt was lost in a queue', next: 'Try again in a minute.' },
  stopped: {
    what: 'the prompt was not asked, because the engine refused most of the first prompts',
    next: 'Describe the market in other words, or choose an engine that answers such questions.',
  },
};
