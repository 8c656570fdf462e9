const STEPS = 127;
const SCALE_BYTES = 4;
/** What a vector takes beside a byte for each of its numbers. */
export const QUANTISED_EXTRA = SCALE_BYTES;

/**
 * A vector of length one in a byte a number, behind what one step is worth (float32, little-endian). A vector of nothing
 * but zeros, or with what is no number, is zeros: it is like none.
 */
export function quantiseVector(vector: Float32Array): Uint8Array {
  const length = computeVectorLength(vector);
  const isUsable = length > 0 && Number.isFinite(length);
  const largest = isUsable ? vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / length : 0;
  const bytes = new Uint8Array(SCALE_BYTES + vector.length);
  new DataView(bytes.buffer).setFloat32(0, largest / STEPS, true);
  if (!isUsable) return bytes;
  const steps = new Int8Array(bytes.buffer, SCALE_BYTES);
  const step = length * (largest / STEPS);
  for (let at = 0; at < vector.length; at += 1) steps[at] = Math.round((vector[at] ?? 0) / step);
  return bytes;
}

/** A vector of length one; zeros where it has no length. */
export function normaliseVector(vector: Float32Array): Float32Array {
  const length = computeVectorLength(vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector.map(() => 0);
}

/** The cosine of a unit vector and a quantised one, -1 to 1; 0 where they have not as many numbers. */
export function computeCosine(query: Float32Array, bytes: Uint8Array): number {
  if (bytes.length !== SCALE_BYTES + query.length) return 0;
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  const steps = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, query.length);
  let sum = 0;
  for (let at = 0; at < steps.length; at += 1) sum += (query[at] ?? 0) * (steps[at] ?? 0);
  return Math.min(1, Math.max(-1, sum * scale));
}

function computeVectorLength(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
