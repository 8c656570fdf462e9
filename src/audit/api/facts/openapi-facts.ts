/** `3.1` stands for every 3.x from 3.1 on, whose rules are the same as far as they are checked here. */
export type OpenApiKind = '2.0' | '3.0' | '3.1';

/** One operation. `described` when it has a summary or a description; `paid` when it documents a 402 or a price. */
export type OpenApiOperation = {
  method: string;
  path: string;
  pointer: string;
  operationId: string | undefined;
  described: boolean;
  paid: boolean;
  webhook: boolean;
};
