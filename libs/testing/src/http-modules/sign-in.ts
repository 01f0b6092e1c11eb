/** Signs in like a browser. @returns the header with the session's cookie. @throws Error if the sign-in is refused */
export async function signIn(
  baseUrl: string,
  credentials: { readonly key: string } | { readonly token: string },
): Promise<Readonly<Record<string, string>>> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/console/session`, {
    ...{ method: 'POST', headers, body: JSON.stringify(credentials) },
  });
  const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';', 1);
  if (answer.status !== 201 || !cookie) throw new Error(`signing in: ${answer.status} ${await answer.text()}`);
  return { cookie };
}
