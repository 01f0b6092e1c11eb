interface WrittenWindow {
  readonly activeFrom: string | null;
  readonly activeUntil: string | null;
}

/** The plan's addition about something new that is not always active; empty if it is. */
export function activityWords({ activeFrom, activeUntil }: WrittenWindow): string {
  const bounds = [activeFrom && `from ${activeFrom} on`, activeUntil && `before ${activeUntil}`].filter(Boolean);
  return bounds.length === 0 ? '' : ` It is active only ${bounds.join(' and ')}.`;
}
