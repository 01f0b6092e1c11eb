/** A choice of how many days a page covers. */
export const DaysBack = (props: {
  readonly spans: readonly number[];
  readonly chosen: number;
  readonly onChoose: (days: string) => void;
}) => (
  <label class="span">
    Last
    <select value={props.chosen} onChange={(event) => props.onChoose(event.currentTarget.value)}>
      {props.spans.map((days) => (
        <option key={days} value={days}>
          {days} days
        </option>
      ))}
    </select>
  </label>
);
