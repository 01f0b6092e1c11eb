import { useRoute } from 'preact-iso/router';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../api/client.ts';
import { type Resource, useList, useResource } from '../api/resource.ts';
import { may, SUPPORT } from '../api/session.ts';
import { Card, Chip, Empty, Figure, Loaded, More, PageHead, Table, When } from '../ui/elements.tsx';
import { EventRow } from '../ui/event-row.tsx';
import { wordsOfName } from '../ui/event-words.ts';
import { change, counted, exact, whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { Question } from '../ui/question.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Erase, ErasureCertificate } from './user/erase.tsx';
import { Grant } from './user/grant.tsx';
import { type Completeness, Incomplete } from './user/incomplete.tsx';
import { PointsLine } from './user/points-line.tsx';
import { RanksOfUser } from './user/ranks.tsx';
import { canBeRetracted, Retract } from './user/retract.tsx';
import { StreakCalendar } from './user/streak-calendar.tsx';

type Overview = Schemas['UserOverview'];

/** One user's whole story. By its key, the page of another user begins anew: it says nothing of what was done for this one. */
export function User() {
  const { path: address } = useRoute();
  const id = idIn(address);
  return <UserOf key={id} id={id} />;
}

function UserOf({ id }: { readonly id: string }) {
  const path = { id };
  const user = useResource((signal) => answerOf(api.GET('/admin/v1/users/{id}', { params: { path }, signal })), [id]);
  const [dialog, setDialog] = useState<'grant' | 'erase' | null>(null);
  const [done, setDone] = useState('');
  const [turn, setTurn] = useState(0);
  const [certificate, setCertificate] = useState<Schemas['Erasure'] | null>(null);
  const [, choosePoints] = useQuery('points');
  const show = (what: string) => {
    setDone(what);
    setTurn((last) => last + 1);
    user.reload();
  };
  // Once the dialog is gone: while it is open, nothing behind it can have the focus.
  useEffect(() => {
    if (turn > 0 || certificate !== null) document.getElementById('content')?.focus();
  }, [turn, certificate]);
  if (certificate?.userId === id)
    return (
      <>
        <PageHead title={id} about="Erased" />
        <ErasureCertificate certificate={certificate} />
      </>
    );
  if (user.failure?.problem?.code === 'unknown_user')
    return (
      <>
        <PageHead title={id} />
        <Empty title="There is no user with this id.">
          <p>
            Nothing was recorded of them, or they were erased. <a href="/console/users">Search all users</a>; ids are
            case-sensitive.
          </p>
        </Empty>
      </>
    );
  return (
    <>
      <PageHead title={user.value?.name ?? id} about={<Identity id={id} user={user} />}>
        {may(...SUPPORT) && user.value && (
          <button type="button" onClick={() => setDialog('grant')}>
            Grant …
          </button>
        )}
        {may('admin') && user.value && (
          <button type="button" class="danger" onClick={() => setDialog('erase')}>
            Erase …
          </button>
        )}
      </PageHead>
      {user.value && dialog === 'grant' && (
        <Grant user={user.value} onGiven={show} onLost={user.reload} onClose={() => setDialog(null)} />
      )}
      {dialog === 'erase' && <Erase id={id} onErased={setCertificate} onClose={() => setDialog(null)} />}
      <div role="status">{done !== '' && <p class="notice">{done}</p>}</div>
      <Loaded resource={user} rows={6}>
        {(known) => (
          <>
            <dl class="figures">
              <Figure
                label="Streak"
                value={whole(known.streak.length)}
                note={
                  <>
                    {known.streak.expires === null ? (
                      'no active streak'
                    ) : (
                      <>
                        up to <time>{known.streak.expires}</time>
                      </>
                    )}
                    {known.streak.freezes !== undefined && ` · ${counted(known.streak.freezes, 'freeze')}`}
                    <Why of="the streak" at="why-streak" />
                  </>
                }
              />
              {known.points.map(({ system, total, level }) => (
                <Figure
                  key={system}
                  label={system}
                  value={whole(total)}
                  note={
                    <>
                      {level}
                      <Why of={system} at="why-points" before={() => choosePoints(system)} />
                    </>
                  }
                />
              ))}
              {known.metrics.map(({ key, total }) => (
                <Figure key={key} label={key} value={exact(total)} note={<Why of={key} at="timeline" />} />
              ))}
            </dl>
            <Fragment key={turn}>
              <div class="columns">
                <div id="why-streak" tabIndex={-1}>
                  <StreakCalendar id={id} zone={known.tz ?? 'UTC'} />
                </div>
                <Achievements user={known} />
              </div>
              {known.points.length > 0 && <PointsOfUser user={known} />}
              <RanksOfUser id={id} zone={known.tz ?? 'UTC'} />
              <Timeline id={id} zone={known.tz ?? 'UTC'} onRetracted={() => show('The event was corrected.')} />
            </Fragment>
          </>
        )}
      </Loaded>
    </>
  );
}

/** What follows `/console/users/`; as it stands where it cannot be decoded, as somebody may type it. */
function idIn(address: string): string {
  const text = address.slice('/console/users/'.length);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Leads from a number to what explains it. */
const Why = (props: { readonly of: string; readonly at: string; readonly before?: () => void }) => (
  <button
    type="button"
    class="quiet why"
    aria-label={`Why? ${props.of}`}
    onClick={() => {
      props.before?.();
      const place = document.getElementById(props.at);
      place?.scrollIntoView({ block: 'start' });
      place?.focus({ preventScroll: true });
    }}
  >
    Why?
  </button>
);

const Identity = ({ id, user }: { readonly id: string; readonly user: Resource<Overview> }) => (
  <>
    <code>{id}</code>
    {user.value?.email && (
      <>
        {' '}
        · <bdi>{user.value.email}</bdi>
      </>
    )}
    {user.value?.tz && <> · {user.value.tz}</>}
  </>
);

/** One system at a time: its course, and each award. */
function PointsOfUser({ user }: { readonly user: Overview }) {
  const first = user.points[0]?.pointsSystem ?? '';
  const [asked, choose] = useQuery('points', first);
  const system = user.points.some((one) => one.pointsSystem === asked) ? asked : first;
  return (
    <>
      <Tabs
        label="Points system"
        chosen={system}
        onChoose={choose}
        tabs={user.points.map((one) => ({ key: one.pointsSystem, name: one.pointsSystem }))}
      />
      <div class="columns" id="why-points" tabIndex={-1}>
        <PointsLine key={`line ${system}`} id={user.id} system={system} zone={user.tz ?? 'UTC'} />
        <WhyPoints key={`why ${system}`} id={user.id} system={system} zone={user.tz ?? 'UTC'} />
      </div>
    </>
  );
}

function WhyPoints({ id, system, zone }: { readonly id: string; readonly system: string; readonly zone: string }) {
  const [completeness, setCompleteness] = useState<Completeness | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const answer = await answerOf(
        api.GET('/admin/v1/users/{id}/explain/points/{key}', {
          params: { path: { id, key: system }, query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      );
      if (cursor === undefined) setCompleteness(answer);
      return { rows: answer.entries, next: answer.next };
    },
    [id, system],
  );
  return (
    <Card title={`Why this many ${system}?`}>
      {completeness && (
        <Incomplete answer={completeness} without="how often each trigger fired" onAgain={list.reload} />
      )}
      <Loaded resource={list}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={`No ${system} awarded yet.`} />
          ) : (
            <>
              <Table
                caption={`Awards of ${system}`}
                rows={entries}
                keyOf={(entry) => `${entry.event.id} ${entry.trigger?.id ?? ''} ${entry.at} ${entry.total}`}
                columns={[
                  { name: 'When', cell: ({ at }) => <When at={at} zone={zone} /> },
                  { name: 'Why', cell: (entry) => <Cause entry={entry} /> },
                  { name: 'Change', numeric: true, cell: (entry) => change(entry.change) },
                  { name: 'Total', numeric: true, cell: ({ total }) => whole(total) },
                ]}
              />
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const Cause = ({ entry }: { readonly entry: Schemas['ExplainedAward'] }) => (
  <div class="sentence">
    {entry.type === 'grant' ? `by hand: ${entry.event.reason ?? 'no reason'}` : (entry.type ?? 'award')}
    {entry.event.metric && ` · ${entry.event.metric} ${exact(entry.event.value ?? 0)}`}
    {entry.cutBy && <Chip tone="accent">{entry.cutBy === 'cap' ? 'cut by the cap' : 'no total below 0'}</Chip>}
    <small class="muted">{[firings(entry), `version ${entry.version}`].filter(Boolean).join(' · ')}</small>
  </div>
);

/** How often the trigger fired and what that would have given; of many, or of what was given by hand, nothing. */
function firings({ trigger, times, nominal }: Schemas['ExplainedAward']): string | null {
  if (trigger === null || times === null || nominal === null) return null;
  return `fired ${times === 1 ? 'once' : `${whole(times)} times`} for ${change(nominal)}`;
}

function Achievements({ user }: { readonly user: Overview }) {
  const all = useResource(
    (signal) =>
      answerOf(
        api.GET('/v1/users/{id}/achievements', {
          params: { path: { id: user.id }, query: { includeIncomplete: 'true' as const } },
          signal,
        }),
      ),
    [user.id],
  );
  const completed = new Map(user.achievements.map(({ key, achievedAt }) => [key, achievedAt]));
  return (
    <Card title="Achievements">
      <Loaded resource={all}>
        {(achievements) => (
          <ul class="list">
            {achievements.map(({ key, name }) => (
              <li key={key}>
                <span>{name}</span>
                <span>
                  {completed.has(key) && (
                    <Chip tone="good">
                      <When at={completed.get(key) ?? ''} zone={user.tz ?? 'UTC'} />
                    </Chip>
                  )}
                  <Explanation id={user.id} achievement={key} name={name} isCompleted={completed.has(key)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

interface Explained {
  readonly id: string;
  readonly achievement: string;
}

/** Why it is complete, or is not: asked for when somebody wants to know. */
function Explanation({
  id,
  achievement,
  name,
  isCompleted,
}: Explained & { readonly name: string; readonly isCompleted: boolean }) {
  const words = isCompleted ? 'Why?' : 'Why not?';
  return (
    <Question words={words} label={`${words} ${name}`}>
      <Answer id={id} achievement={achievement} />
    </Question>
  );
}

function Answer({ id, achievement }: Explained) {
  const why = useResource(
    (signal) =>
      answerOf(
        api.GET('/admin/v1/users/{id}/explain/achievements/{key}', {
          params: { path: { id, key: achievement } },
          signal,
        }),
      ),
    [id, achievement],
  );
  return (
    <Loaded resource={why} rows={1}>
      {(answer) => <span class="muted">{answer.status === 'completed' ? whyCompleted(answer) : whyNot(answer)}</span>}
    </Loaded>
  );
}

function whyCompleted({ event }: Schemas['ExplainedAchievement']): string {
  if (event === null) return 'It was completed before the log began.';
  if (event.metric !== undefined) return `with ${event.metric} ${change(event.value ?? 0)}`;
  if (event.type === 'GrantRecorded') return `by hand: ${event.reason ?? 'no reason'}`;
  return event.type === 'AchievementCompletedByCall' ? 'by a call' : `with ${wordsOfName(event.type).toLowerCase()}`;
}

function whyNot({ status, have, need, missing, achievements, trigger }: Schemas['ExplainedAchievement']): string {
  if (status === 'met') return 'The condition is met. It completes with the next event that can complete it.';
  if (missing !== null) return `${exact(have ?? 0)} of ${exact(need ?? 0)}: ${exact(missing)} missing`;
  if (achievements !== null) return `still needs ${achievements.join(', ')}`;
  return trigger === 'api' ? 'It is completed by a call.' : 'It is not complete.';
}

function Timeline({
  id,
  zone,
  onRetracted,
}: {
  readonly id: string;
  readonly zone: string;
  readonly onRetracted: () => void;
}) {
  const [retracting, setRetracting] = useState<Schemas['TimelineEvent'] | null>(null);
  const list = useList(
    async (cursor, signal) => {
      const { events, next } = await answerOf(
        api.GET('/admin/v1/users/{id}/events', {
          params: { path: { id }, query: { limit: 20, ...(cursor !== undefined && { cursor }) } },
          signal,
        }),
      );
      return { rows: events, next };
    },
    [id],
  );
  const actionOf = (event: Schemas['TimelineEvent']) => {
    if (event.corrected?.retracted) return <Chip tone="bad">{event.correction ? 'undone' : 'retracted'}</Chip>;
    return (
      may(...SUPPORT) &&
      canBeRetracted(event) && (
        <button type="button" class="quiet" onClick={() => setRetracting(event)}>
          {event.correction ? 'Undo …' : 'Retract …'}
        </button>
      )
    );
  };
  return (
    <div id="timeline" tabIndex={-1}>
      <Card title="Timeline" wide>
        <Loaded resource={list} rows={6}>
          {(events) => (
            <>
              <ol class="timeline">
                {events.map((event) => (
                  <EventRow key={event.id} event={event} zone={zone} action={actionOf(event)} />
                ))}
              </ol>
              <More list={list} />
            </>
          )}
        </Loaded>
      </Card>
      {retracting !== null && (
        <Retract event={retracting} onRetracted={onRetracted} onClose={() => setRetracting(null)} />
      )}
    </div>
  );
}
