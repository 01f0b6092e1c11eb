import { answerOf, api, type Schemas } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { Survival } from '../charts/survival.tsx';
import { Card, Empty, Figure, Loaded, NotConfigured, PageHead, Table } from '../ui/elements.tsx';
import { percent, whole } from '../ui/format.ts';

type Step = Schemas['StreakLengthCount'];

/** Number of lengths shown at which most streaks end. */
const BREAKS = 10;
/** Lengths with common names: a week and a month, a month and a quarter, a quarter and a year. */
const MILESTONES = { daily: [7, 30], weekly: [4, 13], monthly: [3, 12] };
const PERIODS = { daily: 'days', weekly: 'weeks', monthly: 'months' };

/** How far streaks get, and where they break. */
export function Streaks() {
  const survival = useResource((signal) => answerOf(api.GET('/admin/v1/streaks/survival', { signal })), []);
  return (
    <>
      <PageHead title="Streaks" about="How many streaks reached each length, and at which lengths they ended." />
      <Loaded resource={survival} rows={8}>
        {({ frequency, lengths, longest }) =>
          frequency === null ? (
            <NotConfigured kind="streak" />
          ) : (lengths[0]?.reached ?? 0) === 0 ? (
            <Empty title="No streak has begun yet.">
              <p>
                A streak begins when a user meets all its conditions in one period. Look at them in the{' '}
                <a href="/console/configuration">configuration</a>, or send <a href="/console/first-event">an event</a>.
              </p>
            </Empty>
          ) : (
            <Shown steps={lengths} {...{ frequency, longest }} />
          )
        }
      </Loaded>
    </>
  );
}

function Shown({
  steps,
  frequency,
  longest,
}: {
  readonly steps: readonly Step[];
  readonly frequency: keyof typeof PERIODS;
  readonly longest: number;
}) {
  const begun = steps[0]?.reached ?? 0;
  const ended = steps.reduce((sum, step) => sum + step.ended, 0);
  const breaks = steps
    .filter((step) => step.ended > 0)
    .toSorted((a, b) => b.ended - a.ended || a.length - b.length)
    .slice(0, BREAKS);
  return (
    <>
      <dl class="figures">
        <Figure label="Begun" value={whole(begun)} />
        <Figure label="Active" value={whole(begun - ended)} note={percent((begun - ended) / begun)} />
        {MILESTONES[frequency].map((length) => (
          <Figure
            key={length}
            label={`Reached ${length} ${PERIODS[frequency]}`}
            value={percent(reachedBy(steps, length) / begun)}
            note={whole(reachedBy(steps, length))}
          />
        ))}
        <Figure label="Longest" value={whole(longest)} note={PERIODS[frequency]} />
      </dl>
      <div class="columns">
        <Card title="How long they last">
          <Survival caption="Share of streaks that reached a length" unit={PERIODS[frequency]} steps={steps} />
          <p class="muted">Active streaks are counted with the length that they have now.</p>
        </Card>
        <Card title="Where they end">
          {breaks.length === 0 ? (
            <Empty title="No streak has ended yet." />
          ) : (
            <Table
              caption="The lengths at which most streaks ended"
              rows={breaks}
              keyOf={({ length }) => length}
              columns={[
                { name: 'Length', numeric: true, cell: ({ length }) => whole(length) },
                { name: 'Ended', numeric: true, cell: (step) => whole(step.ended) },
                { name: 'Share of all', numeric: true, cell: (step) => percent(step.ended / ended) },
                {
                  name: 'Share of those that reached it',
                  numeric: true,
                  cell: (step) => percent(step.ended / Math.max(1, step.reached)),
                },
              ]}
            />
          )}
        </Card>
      </div>
    </>
  );
}

/**
 * @returns how many streaks reached a length. For a length that is not listed, this is the number for the next listed
 * one.
 */
const reachedBy = (steps: readonly Step[], length: number): number =>
  steps.find((step) => step.length >= length)?.reached ?? 0;
