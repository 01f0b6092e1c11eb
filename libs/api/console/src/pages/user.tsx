import { useRoute } from 'preact-iso/router';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../api/client.ts';
import { type Resource, useResource } from '../api/resource.ts';
import { may, SUPPORT } from '../api/session.ts';
import { Empty, Figure, Loaded, PageHead } from '../ui/elements.tsx';
import { counted, exact, whole } from '../ui/format.ts';
import { useQuery } from '../ui/query.ts';
import { Achievements } from './user/achievements.tsx';
import { Erase, ErasureCertificate } from './user/erase.tsx';
import { Grant } from './user/grant.tsx';
import { PointsOfUser } from './user/points.tsx';
import { RanksOfUser } from './user/ranks.tsx';
import { StreakCalendar } from './user/streak-calendar.tsx';
import { Timeline } from './user/timeline.tsx';

type Overview = Schemas['UserOverview'];

/** Everything about one user. The key remounts the page for another user, without the notices of this one. */
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
  // Runs after the dialog is gone: while it is open, nothing behind it can have the focus.
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

/** The id after `/console/users/`. If it cannot be decoded, it is used as typed. */
function idIn(address: string): string {
  const text = address.slice('/console/users/'.length);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A link from a number to its explanation. */
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
