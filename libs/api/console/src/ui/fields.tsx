/** A labelled choice among keys, each shown by its name. */
export const Choice = (props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (key: string) => void;
}) => (
  <label>
    {props.label}
    <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
      {props.options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** A labelled date, which is required. */
export const DateField = (props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) => (
  <label>
    {props.label}
    <input
      {...{ type: 'date', required: true, value: props.value }}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  </label>
);
