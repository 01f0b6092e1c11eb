import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface QuestionProps {
  readonly words: string;
  /** The full question, for screen readers. */
  readonly label: string;
  /** The answer, loaded on demand. */
  readonly children: ComponentChildren;
}

export function Question({ words, label, children }: QuestionProps) {
  const [asked, setAsked] = useState(false);
  const answer = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (asked) answer.current?.focus();
  }, [asked]);
  if (asked)
    return (
      <span ref={answer} tabIndex={-1} role="status">
        {children}
      </span>
    );
  return (
    <button type="button" class="quiet" aria-label={label} onClick={() => setAsked(true)}>
      {words}
    </button>
  );
}
