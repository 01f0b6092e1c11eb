import { useState } from 'preact/hooks';
import { answerOf, api, type Schemas } from '../../api/client.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

/** Creates an endpoint. */
export function NewEndpoint(props: {
  readonly onMade: (made: Schemas['CreatedWebhook']) => void;
  readonly onClose: () => void;
}) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState('');
  const [inOrder, setInOrder] = useState(false);
  const create = async () => {
    const named = types.split(/[\s,]+/).filter((type) => type !== '');
    const ordering = inOrder ? ('strict' as const) : ('user' as const);
    const body = { url, description, ordering, ...(named.length > 0 && { types: named }) };
    props.onMade(await answerOf(api.POST('/admin/v1/webhooks', { body })));
    props.onClose();
  };
  return (
    <ActionDialog title="Create an endpoint" action="Create" act={create} onClose={props.onClose}>
      <label>
        URL
        <input
          {...{ type: 'url', required: true, maxLength: 2_000, value: url, placeholder: 'https://example.com/laurel' }}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <small class="muted">An https address that can be reached from the internet.</small>
      </label>
      <label>
        Description
        <input
          {...{ maxLength: 255, value: description }}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      <label>
        Types of outcomes
        <input
          {...{ value: types, placeholder: 'achievement.completed, streak.lost' }}
          onInput={(event) => setTypes(event.currentTarget.value)}
        />
        <small class="muted">Separated by commas. Leave empty for all.</small>
      </label>
      <label class="check">
        <input type="checkbox" checked={inOrder} onChange={(event) => setInOrder(event.currentTarget.checked)} />
        <span>
          <strong>Deliver everything in order</strong>, one at a time. Otherwise only each user’s outcomes are in order.
        </span>
      </label>
    </ActionDialog>
  );
}
