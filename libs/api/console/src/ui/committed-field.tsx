import { useState } from 'preact/hooks';

/** A search field whose text counts once Enter is pressed or the field is left. Until then, what is typed stays while the page renders. */
export function CommittedField(props: {
  readonly value: string;
  readonly onCommit: (text: string) => void;
  readonly placeholder?: string;
  readonly maxLength?: number;
}) {
  const { value, onCommit, ...others } = props;
  /** null: nothing is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...others}
      type="search"
      value={typed ?? value}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        setTyped(null);
        onCommit(event.currentTarget.value.trim());
      }}
      // Nothing is committed where the text is in the end what it was.
      onBlur={() => setTyped(null)}
    />
  );
}
