/** Tells the consumer of the push queue that a notification of a tenant's channel is due. What is sent is kept in the tenant's object. */
export type PushMessage = {
  tenant: string;
  channelId: string;
  /** The message number: 1 for sync. */
  number: number;
};

/** Which message of the tenant. */
export type PushKey = Pick<PushMessage, 'channelId' | 'number'>;

/** What goes to a channel's address. It holds the channel's token: for no log. */
export type PushRequest = { url: string; headers: Record<string, string>; body?: string };

/**
 * What came of it: `retry` where the vendor's senders try again, `failed` where the message is lost. `slow`: it was
 * delivered, but took so long that it counts towards a pause of its channel.
 */
export type PushOutcome = 'delivered' | 'slow' | 'retry' | 'failed';

/** What the consumer of the push queue asks the tenant's object, by RPC. */
export type PushCalls = {
  /** The request to send now. Null: nothing is to be done for this message, or not now, and the object itself comes back to it. */
  takePush: (key: PushKey) => Promise<PushRequest | null>;
  /** Says what came of it. @returns seconds after which the queue brings it again; null when it is done with */
  pushed: (key: PushKey, outcome: PushOutcome) => Promise<number | null>;
};
