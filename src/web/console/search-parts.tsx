/** A list to choose from, with its label. */
export const Choice = ({
  name,
  label,
  value,
  options,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </div>
);

/** As the interfaces write times. Other texts would be guessed at. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** A time as someone wrote it, to the millisecond, in UTC; what is no time is text. */
export const Instant = ({ text }: { text: string }) => {
  const ms = TIMESTAMP.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return <>{text}</>;
  const iso = new Date(ms).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`}</time>;
};

const MS_PER_S = 1_000;

/** Milliseconds as people read them: `0.25 ms`, `12.3 ms`, `1.24 s`. */
export function formatDuration(ms: number): string {
  if (ms >= MS_PER_S) return `${(ms / MS_PER_S).toFixed(2)} s`;
  return `${ms >= 100 || ms === 0 ? ms.toFixed(0) : ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}
