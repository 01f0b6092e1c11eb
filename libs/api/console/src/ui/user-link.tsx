/** A link to a user. @param props.id null or empty if the user has been erased; there is no link then */
export const UserLink = (props: { readonly id: string | null; readonly name?: string | null }) =>
  props.id === null || props.id === '' ? (
    <span class="muted">an erased user</span>
  ) : (
    <a href={`/console/users/${encodeURIComponent(props.id)}`}>{props.name ?? props.id}</a>
  );
