import { computeSha256Hex } from '../lib/digest.ts';
import { DAY_MS } from '../lib/time.ts';
import { generateReportId, REPORT_DAYS } from './reports/report-store.ts';

/** First-party reports that an account has at once. */
export const MAX_KEPT_IMPORTS = 20;

/** A first-party report before it is read. */
export type KeptImport = {
  id: string;
  storedAtMs: number;
  /** Ids of its sources. */
  sources: readonly string[];
  /** The report of ours that it is set beside; absent where there is none. */
  reportId?: string;
};

/** First-party reports of accounts, in the bucket of reports. Only who knows the account can name one of them. */
export type ImportStore = {
  /** Newest first; those whose 30 days are over are left out. */
  list: (accountId: string) => Promise<readonly KeptImport[]>;
  put: (accountId: string, json: string, about: Pick<KeptImport, 'sources' | 'reportId'>) => Promise<string>;
  get: (accountId: string, id: string) => Promise<string | undefined>;
  delete: (accountId: string, id: string) => Promise<void>;
  deleteAll: (accountId: string) => Promise<void>;
};

export function createImportStore(bucket: R2Bucket, now: () => number): ImportStore {
  const isReadable = ({ uploaded }: R2Object): boolean => now() - uploaded.getTime() <= REPORT_DAYS * DAY_MS;
  const listObjects = async (accountId: string): Promise<readonly R2Object[]> => {
    const { objects } = await bucket.list({
      prefix: await buildFolder(accountId),
      limit: LISTED,
      include: ['customMetadata'],
    });
    return objects;
  };
  return {
    list: async (accountId) =>
      (await listObjects(accountId))
        .filter((object) => isReadable(object))
        .map(describeObject)
        .toSorted((one, other) => other.storedAtMs - one.storedAtMs),
    put: async (accountId, json, { sources, reportId }) => {
      const id = generateReportId();
      await bucket.put(await buildPath(accountId, id), json, {
        httpMetadata: { contentType: 'application/json' },
        customMetadata: { sources: sources.join(','), ...(reportId === undefined ? {} : { reportId }) },
      });
      return id;
    },
    get: async (accountId, id) => {
      const object = await bucket.get(await buildPath(accountId, id));
      return object === null || !isReadable(object) ? undefined : object.text();
    },
    delete: async (accountId, id) => bucket.delete(await buildPath(accountId, id)),
    deleteAll: async (accountId) => {
      for (let turn = 0; turn < MAX_DELETE_TURNS; turn += 1) {
        const keys = (await listObjects(accountId)).map(({ key }) => key);
        if (keys.length === 0) return;
        await bucket.delete([...keys]);
      }
      throw new Error('first-party reports are left');
    },
  };
}

/** Objects of one list: two requests at once can store more than MAX_KEPT_IMPORTS. */
const LISTED = 100;
const MAX_DELETE_TURNS = 10;
const ENDING = '.json';

/** The account's id is in no key: a list of the bucket does not say whose they are. */
const buildFolder = async (accountId: string): Promise<string> => `imports/${await computeSha256Hex(accountId)}/`;
const buildPath = async (accountId: string, id: string): Promise<string> =>
  `${await buildFolder(accountId)}${id}${ENDING}`;

function describeObject({ key, uploaded, customMetadata = {} }: R2Object): KeptImport {
  const { sources = '', reportId } = customMetadata;
  return {
    id: key.slice(key.lastIndexOf('/') + 1, -ENDING.length),
    storedAtMs: uploaded.getTime(),
    sources: sources.split(',').filter((source) => source !== ''),
    ...(reportId === undefined ? {} : { reportId }),
  };
}
