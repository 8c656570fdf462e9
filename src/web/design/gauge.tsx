export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

const RADIUS = 42;
/** The arc leaves a quarter open at its foot. */
const ARC = 0.75;
const LENGTH = 2 * Math.PI * RADIUS;

/** A score from 0 to 100 as an arc with its number and grade: an inline drawing without scripts or styles of its own. */
export const Gauge = ({ title, score, grade }: { title: string; score: number; grade: Grade }) => (
  <figure class={`gauge ${grade}`}>
    <svg viewBox="0 0 100 92" role="img" aria-label={`${title}: ${score} of 100, grade ${grade}`}>
      <Arc name="track" share={1} />
      {score > 0 ? <Arc name="value" share={score / 100} /> : null}
      <text x="50" y="55" text-anchor="middle" font-size="28" font-weight="700">
        {score}
      </text>
      <text class="grade" x="50" y="74" text-anchor="middle" font-size="13">
        Grade {grade}
      </text>
    </svg>
    <figcaption>{title}</figcaption>
  </figure>
);

const Arc = ({ name, share }: { name: 'track' | 'value'; share: number }) => (
  <circle
    class={name}
    cx="50"
    cy="50"
    r={RADIUS}
    fill="none"
    stroke-width="9"
    stroke-linecap="round"
    stroke-dasharray={`${(LENGTH * ARC * share).toFixed(2)} ${LENGTH.toFixed(2)}`}
    transform="rotate(135 50 50)"
  />
);
