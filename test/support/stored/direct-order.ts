/** What the api Worker of a stored stack does besides, for a recording and its test: see `api-worker.ts`. */
export type DirectOrder =
  | {
      do: 'call';
      binding: 'PAYMENT_LEDGER' | 'TARGET_GATE' | 'OPERATIONS_REGISTER';
      name: string;
      method: string;
      args: readonly unknown[];
    }
  | { do: 'send'; queue: 'PROMPTS' | 'PROMPTS_DLQ'; bodies: readonly unknown[] }
  | { do: 'prompts' }
  | { do: 'reports' };
