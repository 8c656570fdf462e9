/** A Worker of the local stack asks with it for the reason of a refusal; without it a refused request just breaks off. */
export const EXPLAIN_HEADER = 'sightline-explain-refusal';
/** Marks an answer that no site gave: its body is a refusal of ours as JSON. The outbound service takes it off what sites send. */
export const REFUSED_HEADER = 'sightline-refused';
