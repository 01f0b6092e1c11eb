import { useState } from 'preact/hooks';

/** Copies a text to the clipboard, and says so. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('The browser does not allow it: select the text and copy it yourself.'),
    );
  return (
    <span class="copy">
      <span class="muted" role="status">
        {said}
      </span>
      <button type="button" onClick={() => void copy()}>
        Copy<span class="hidden"> {what}</span>
      </button>
    </span>
  );
}
