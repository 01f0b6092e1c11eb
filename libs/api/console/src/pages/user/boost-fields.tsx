export interface BoostForm {
  readonly multiplier: string;
  readonly minutes: string;
  readonly name: string;
}

export const NEW_BOOST: BoostForm = { multiplier: '2', minutes: '60', name: '' };

interface BoostFieldsProps {
  readonly form: BoostForm;
  readonly onChange: (form: BoostForm) => void;
}

/** What a boost multiplies points by, for how long, and its name. */
export function BoostFields({ form, onChange }: BoostFieldsProps) {
  return (
    <>
      <div class="pair">
        <label>
          Multiplier
          <input
            {...{ type: 'number', step: 0.01, min: 0.01, max: 100, required: true, value: form.multiplier }}
            onInput={(event) => onChange({ ...form, multiplier: event.currentTarget.value })}
          />
        </label>
        <label>
          Minutes, from now on
          <input
            {...{ type: 'number', step: 1, min: 1, max: 5_256_000, required: true, value: form.minutes }}
            onInput={(event) => onChange({ ...form, minutes: event.currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Name (shown with awards; not the user’s name, because it stays after an erasure)
        <input
          {...{ type: 'text', maxLength: 255, value: form.name, placeholder: 'Boost' }}
          onInput={(event) => onChange({ ...form, name: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

export const boostBody = ({ multiplier, minutes, name }: BoostForm) => ({
  multiplier: Number(multiplier),
  minutes: Number(minutes),
  ...(name !== '' && { name }),
});
