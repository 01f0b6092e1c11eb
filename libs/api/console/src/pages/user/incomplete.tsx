import { useEffect } from 'preact/hooks';

/** How much an explanation includes. */
export interface Completeness {
  readonly complete: boolean;
  readonly preparing: boolean;
}

const AGAIN_AFTER_MS = 3_000;

/** Says what an explanation leaves out, and repeats the request while the rest is being prepared. */
export function Incomplete(props: {
  readonly answer: Completeness;
  readonly without: string;
  readonly onAgain: () => void;
}) {
  const { answer, without, onAgain } = props;
  useEffect(() => {
    if (!answer.preparing) return;
    const timer = setTimeout(onAgain, AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [answer]);
  if (answer.complete) return null;
  return (
    <p class="muted" role="status">
      {answer.preparing
        ? `This user has many events, which are being applied again. Until that is done, you see what is stored, without ${without}.`
        : `This user has too many events, or too many corrections of them, to apply them again. You see what is stored, without ${without}.`}
    </p>
  );
}
