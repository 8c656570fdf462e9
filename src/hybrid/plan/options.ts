import * as z from 'zod';
import { platforms } from './plan.ts';

const MAX_VERSION_CHARS = 64;
const MAX_FILE_NAME_CHARS = 255;

/** Printable, and not to be taken for an option of a command. */
const fileName = z
  .string()
  .min(1)
  .max(MAX_FILE_NAME_CHARS)
  .regex(/^(?!-)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u, 'is no printable file name');

/** What a plan needs beside the file and the options of its migration. */
export const planRequest = z.strictObject({
  /** `kubectl version --client`: it decides what `--dry-run` takes. */
  kubectl: z.string().min(1).max(MAX_VERSION_CHARS),
  platform: z.enum(platforms).default('managed'),
  envsOneByOne: z.boolean().default(false),
  fileName: fileName.default('overrides.yaml'),
  newFileName: fileName.default('overrides-1.3.yaml'),
});
