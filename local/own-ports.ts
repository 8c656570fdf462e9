/**
 * Ports of the stack's own services, which no one may have a Worker of the stack read (rule F3): the variable
 * LOCAL_BLOCKED_PORTS.
 */
export const parseOwnPorts = (text: unknown): readonly number[] =>
  typeof text === 'string' ? text.split(',').filter(Boolean).map(Number) : [];
