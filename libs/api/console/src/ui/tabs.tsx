/** A choice among a few views. The page's address stores the chosen one. */
export const Tabs = (props: {
  readonly label: string;
  readonly tabs: readonly { readonly key: string; readonly name: string }[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}) => (
  <div class="tabs" role="group" aria-label={props.label}>
    {props.tabs.map(({ key, name }) => (
      <button type="button" key={key} aria-pressed={key === props.chosen} onClick={() => props.onChoose(key)}>
        {name}
      </button>
    ))}
  </div>
);
