import type { Route, SinkTarget } from '../entries/order.ts';
import type { Context } from '../engine/operation.ts';
import type { JsonObject } from '../json.ts';
import { destinationOf } from './sinks-destination.ts';
import { aggregatedSinks, REQUIRED_SINK, type Sink, sinkName, sinksOf } from './sinks-rows.ts';
import { objectsIn, textOf } from './texts.ts';

/**
 * Where the entries of a container go: by its own sinks, and by those of organizations and folders above it that include
 * children. All containers of a tenant are one tree here: an organization is above every folder, project and billing
 * account, a folder above every project and every other folder. Sinks that are disabled, and those whose destination only
 * the vendor has, are left out.
 */
export function routesOf(container: string, context: Context): readonly Route[] {
  const above = aggregatedSinks(context).filter((sink) => isBelow(container, sink.container));
  const sinks = [...sinksOf(container, context), ...above].filter(isEnabled);
  const interceptors = above.filter((sink) => isEnabled(sink) && sink.body['interceptChildren'] === true);
  return sinks.flatMap((sink) => {
    const target = targetOf(sink, context);
    if (target === undefined) return [];
    const exclusions = [...exclusionsOf(sink.body), ...interceptedOf(sink, interceptors)];
    return [{ sink: sinkName(sink), filter: textOf(sink.body['filter']), exclusions, target }];
  });
}

/** Whether what an organization or folder includes reaches a container. */
export function isBelow(container: string, owner: string): boolean {
  if (container === owner || container.startsWith('organizations/')) return false;
  return owner.startsWith('organizations/') || /^(?:projects|folders)\//.test(container);
}

/**
 * The text that matches what a sink takes: its filter without its exclusions. Each part ends with a line, in case it ends
 * with a comment.
 */
export function takenBy({ filter, exclusions }: JsonObject): string {
  const left = exclusionsOf({ exclusions: exclusions ?? [] });
  const whole = textOf(filter);
  if (left.length === 0) return whole;
  const parts = left.map((text) => `NOT (${text}\n)`);
  return [...(whole.trim() === '' ? [] : [`(${whole}\n)`]), ...parts].join(' AND ');
}

const isEnabled = ({ body }: Sink): boolean => body['disabled'] !== true;

function targetOf({ body }: Sink, context: Context): SinkTarget | undefined {
  const destination = destinationOf(textOf(body['destination']), context.channels.rules().policy);
  return destination.kind === 'elsewhere' || destination.kind === 'none' ? undefined : destination;
}

const exclusionsOf = ({ exclusions }: JsonObject): readonly string[] =>
  objectsIn(exclusions)
    .filter(({ disabled }) => disabled !== true)
    .map(({ filter }) => textOf(filter));

/** What an intercepting sink above takes is left out of the sinks below it, but of `_Required`. */
const interceptedOf = (sink: Sink, interceptors: readonly Sink[]): readonly string[] =>
  sink.id === REQUIRED_SINK
    ? []
    : interceptors.filter(({ container }) => isBelow(sink.container, container)).map(({ body }) => takenBy(body));
