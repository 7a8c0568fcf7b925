/** A choice of one of few, all of which are seen. */
export function Choice<T extends string>(props: {
  readonly label: string;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  return (
    <div className="fleet-choice" role="group" aria-label={props.label}>
      {props.options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
