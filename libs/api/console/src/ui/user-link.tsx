/** A link to a user. @param props.id null or empty: the user has been erased, so there is no link */
export const UserLink = (props: { readonly id: string | null; readonly name?: string | null }) =>
  props.id === null || props.id === '' ? (
    <span class="muted">an erased user</span>
  ) : (
    <a href={`/console/users/${encodeURIComponent(props.id)}`}>{props.name ?? props.id}</a>
  );
