import type { Route, SinkTarget } from '../../../log-store/order.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { destinationOf } from './destination.ts';
import { aggregatedSinks, type Sink, sinkName, sinksOf } from './rows.ts';
import { objectsIn, textOf } from '../texts.ts';

/**
 * The sinks of a container as they route. Those that are disabled, and those whose destination only the vendor has, are
 * left out.
 */
export const routesOf = (container: string, context: Context): readonly Route[] =>
  sinksOf(container, context).flatMap((sink) => routeOf(sink, context));

/** The same of all organizations and folders: their sinks that include what is below them (entries/tree.ts). */
export const routesAbove = (context: Context): readonly Route[] =>
  aggregatedSinks(context).flatMap((sink) => routeOf(sink, context));

function routeOf(sink: Sink, context: Context): readonly Route[] {
  const { filter, exclusions, disabled, interceptChildren } = sink.body;
  const target = disabled === true ? undefined : targetOf(sink, context);
  if (target === undefined) return [];
  return [
    {
      sink: sinkName(sink),
      filter: textOf(filter),
      exclusions: exclusionsOf({ exclusions: exclusions ?? [] }),
      target,
      ...(interceptChildren === true && { intercepts: true }),
    },
  ];
}

function targetOf({ body }: Sink, context: Context): SinkTarget | undefined {
  const destination = destinationOf(textOf(body['destination']), context.channels.rules().policy);
  return destination.kind === 'elsewhere' || destination.kind === 'none' ? undefined : destination;
}

const exclusionsOf = ({ exclusions }: JsonObject): readonly string[] =>
  objectsIn(exclusions)
    .filter(({ disabled }) => disabled !== true)
    .map(({ filter }) => textOf(filter));
