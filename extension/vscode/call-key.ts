/** Names a call among those of all sessions: its id, which the model gave it, is unique in its own session alone. */
export function callKey({ session, id }: { readonly session: string; readonly id: string }): string {
  return `${session}/${id}`;
}
