import { useState } from 'preact/hooks';

/** A search field whose text applies when Enter is pressed or the field is left. Until then it keeps the typed text. */
export function CommittedField(props: {
  readonly value: string;
  readonly onCommit: (text: string) => void;
  readonly placeholder?: string;
  readonly maxLength?: number;
}) {
  const { value, onCommit, ...others } = props;
  /** null while nothing is being typed. */
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
      // An unchanged text commits nothing.
      onBlur={() => setTyped(null)}
    />
  );
}
