import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { hiddenAchievements } from '../../api/configuration.ts';
import { useResource } from '../../api/resource.ts';
import { ActionDialog, ReasonField } from '../../ui/action-dialog.tsx';
import { Loaded } from '../../ui/elements.tsx';
import { Choice, DateField } from '../../ui/fields.tsx';
import { BoostFields, boostBody, NEW_BOOST, type BoostForm } from './boost-fields.tsx';
import { counted, todayIn } from '../../ui/format.ts';

interface GrantProps {
  readonly user: Schemas['UserOverview'];
  /** Called with a sentence that says what was given. */
  readonly onGiven: (what: string) => void;
  /** Called if no answer came: the grant may have been recorded. */
  readonly onLost: () => void;
  readonly onClose: () => void;
}

type Kind = 'points' | 'boost' | 'freezes' | 'streak' | 'excused' | 'achievement' | 'revocation';

interface Form {
  readonly kind: Kind;
  readonly system: string;
  readonly points: string;
  readonly boost: BoostForm;
  readonly freezes: string;
  readonly from: string;
  readonly to: string;
  readonly achievement: string;
  readonly revoked: string;
  readonly reason: string;
  /** Pressing the button of the same form again repeats the same grant. */
  readonly key: string;
}

/** The entries of the configuration that can be granted. */
interface Configured {
  readonly hasStreak: boolean;
  readonly points: readonly Named[];
  readonly achievements: readonly Named[];
}

type Named = Pick<Schemas['Achievement'], 'key' | 'name'>;

const NOTHING: Configured = { hasStreak: false, points: [], achievements: [] };

/**
 * Reads them from routes that support may use, because the configuration needs the scope admin: without it, hidden
 * achievements are missing. @throws Refused
 */
async function configured(signal: AbortSignal): Promise<Configured> {
  const [points, achievements, hidden, { frequency }] = await Promise.all([
    answerOf(api.GET('/v1/points', { signal })),
    answerOf(api.GET('/v1/achievements', { signal })),
    hiddenAchievements(signal),
    answerOf(api.GET('/admin/v1/streaks/survival', { signal })),
  ]);
  return { hasStreak: frequency !== null, points, achievements: [...achievements, ...hidden] };
}

/** Gives or takes something by hand, with a reason. */
export function Grant({ user, onGiven, onLost, onClose }: GrantProps) {
  const found = useResource(configured, []);
  const [form, setForm] = useState<Form | null>(null);
  const kinds = found.value === null ? [] : kindsOf(found.value, user);
  const shown = form ?? formOf(found.value ?? NOTHING, user, kinds[0]?.[0] ?? 'points');
  const change = (part: Partial<Form>) => setForm({ ...shown, ...part, key: crypto.randomUUID() });
  const give = async () => {
    onGiven(await grant(user.id, shown));
    onClose();
  };
  return (
    <ActionDialog
      title={
        <>
          Grant to <bdi>{user.name ?? user.id}</bdi>
        </>
      }
      action={shown.kind === 'revocation' ? 'Revoke' : 'Grant'}
      act={kinds.length === 0 ? null : give}
      onLost={onLost}
      onClose={onClose}
    >
      <Loaded resource={found} rows={4}>
        {(known) =>
          kinds.length === 0 ? (
            <p>The configuration has no points, streak or achievements: there is nothing to give.</p>
          ) : (
            <>
              <label>
                What
                <select value={shown.kind} onChange={(event) => change({ kind: event.currentTarget.value as Kind })}>
                  {kinds.map(([kind, name]) => (
                    <option key={kind} value={kind}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <Fields form={shown} change={change} known={known} user={user} />
              <ReasonField value={shown.reason} onInput={(reason) => change({ reason })} />
            </>
          )
        }
      </Loaded>
    </ActionDialog>
  );
}

/** The grants that the configuration in force allows for the user. */
function kindsOf(known: Configured, user: Schemas['UserOverview']): readonly (readonly [Kind, string])[] {
  const all: readonly (readonly [Kind, string, boolean])[] = [
    ['points', 'Points', known.points.length > 0],
    ['boost', 'Boost', known.points.length > 0],
    ['freezes', 'Streak freezes', user.streak.freezes !== undefined],
    ['streak', 'Restore the streak that ended last', known.hasStreak],
    ['excused', 'Excuse days of the streak', known.hasStreak],
    ['achievement', 'Complete an achievement', openOf(known, user).length > 0],
    ['revocation', 'Revoke an achievement', user.achievements.length > 0],
  ];
  return all.filter(([, , isPresent]) => isPresent).map(([kind, name]) => [kind, name]);
}

const openOf = ({ achievements }: Configured, user: Schemas['UserOverview']) =>
  achievements.filter(({ key }) => !user.achievements.some((one) => one.key === key));

function formOf(known: Configured, user: Schemas['UserOverview'], kind: Kind): Form {
  const today = todayIn(user.tz ?? 'UTC');
  return {
    kind,
    system: known.points[0]?.key ?? '',
    points: '',
    boost: NEW_BOOST,
    freezes: '1',
    from: today,
    to: today,
    achievement: openOf(known, user)[0]?.key ?? '',
    revoked: user.achievements[0]?.key ?? '',
    reason: '',
    key: crypto.randomUUID(),
  };
}

interface FieldsProps {
  readonly form: Form;
  readonly change: (part: Partial<Form>) => void;
  readonly known: Configured;
  readonly user: Schemas['UserOverview'];
}

function Fields({ form, change, known, user }: FieldsProps) {
  const names = new Map(known.achievements.map(({ key, name }) => [key, name]));
  switch (form.kind) {
    case 'points':
      return (
        <>
          <Choice
            label="Points system"
            value={form.system}
            options={known.points.map(({ key, name }) => [key, name])}
            onChoose={(system) => change({ system })}
          />
          <label>
            Points (negative takes points away)
            <input
              {...{ type: 'number', step: 1, required: true, value: form.points }}
              onInput={(event) => change({ points: event.currentTarget.value })}
            />
          </label>
        </>
      );
    case 'boost':
      return (
        <>
          <Choice
            label="Points system"
            value={form.system}
            options={known.points.map(({ key, name }) => [key, name])}
            onChoose={(system) => change({ system })}
          />
          <BoostFields form={form.boost} onChange={(boost) => change({ boost })} />
        </>
      );
    case 'freezes':
      return (
        <label>
          Freezes (the user has {user.streak.freezes ?? 0})
          <input
            {...{ type: 'number', step: 1, min: 1, max: 100, required: true, value: form.freezes }}
            onInput={(event) => change({ freezes: event.currentTarget.value })}
          />
        </label>
      );
    case 'streak':
      return <p class="muted">The streak continues with the length that it had. An active streak stays as it is.</p>;
    case 'excused':
      return (
        <div class="pair">
          <DateField label="First day" value={form.from} onInput={(from) => change({ from })} />
          <DateField label="Last day" value={form.to} onInput={(to) => change({ to })} />
        </div>
      );
    case 'achievement':
      return (
        <Choice
          label="Achievement"
          value={form.achievement}
          options={openOf(known, user).map(({ key, name }) => [key, name])}
          onChoose={(achievement) => change({ achievement })}
        />
      );
    case 'revocation':
      return (
        <>
          <Choice
            label="Achievement"
            value={form.revoked}
            options={user.achievements.map(({ key }) => [key, names.get(key) ?? key])}
            onChoose={(revoked) => change({ revoked })}
          />
          <p class="muted">
            The user keeps the points that it gave. If its condition is met, the next event completes it, and pays for
            it, again.
          </p>
        </>
      );
  }
}

/** @returns what was given, in a sentence. @throws Refused */
async function grant(id: string, form: Form): Promise<string> {
  const params = { path: { id }, header: { 'Idempotency-Key': form.key } };
  const { reason } = form;
  switch (form.kind) {
    case 'points': {
      const amount = Number(form.points);
      const body = { pointsSystem: form.system, amount, reason };
      await answerOf(api.POST('/admin/v1/users/{id}/grants/points', { params, body }));
      return amount < 0 ? `${-amount} ${form.system} taken.` : `${amount} ${form.system} granted.`;
    }
    case 'boost': {
      const body = { pointsSystem: form.system, ...boostBody(form.boost), reason };
      await answerOf(api.POST('/admin/v1/users/{id}/grants/boost', { params, body }));
      return `${form.system} × ${body.multiplier} for ${counted(body.minutes, 'minute')}.`;
    }
    case 'freezes': {
      const amount = Number(form.freezes);
      await answerOf(api.POST('/admin/v1/users/{id}/grants/freezes', { params, body: { amount, reason } }));
      return `${counted(amount, 'freeze')} granted.`;
    }
    case 'streak':
      await answerOf(api.POST('/admin/v1/users/{id}/grants/streak', { params, body: { reason } }));
      return 'Streak restored.';
    case 'excused': {
      const body = { from: form.from, to: form.to, reason };
      await answerOf(api.POST('/admin/v1/users/{id}/grants/excused', { params, body }));
      return `${form.from === form.to ? form.from : `${form.from} to ${form.to}`} excused.`;
    }
    case 'achievement': {
      const body = { achievement: form.achievement, reason };
      await answerOf(api.POST('/admin/v1/users/{id}/grants/achievement', { params, body }));
      return `Achievement ${form.achievement} completed.`;
    }
    case 'revocation': {
      const body = { achievement: form.revoked, reason };
      await answerOf(api.POST('/admin/v1/users/{id}/grants/revocation', { params, body }));
      return `Achievement ${form.revoked} revoked.`;
    }
  }
}
