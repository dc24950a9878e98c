/** Somebody who called before, taken for who they were then. */
export interface Recalled<Actor> {
  readonly actor: Actor
  /** Asked once, whoever asks: also by what the call does. */
  readonly isStillThat: () => Promise<boolean>
}

/**
 * What the call comes to. It is told to nobody, refusals included, before it is known that they are still who they were;
 * where they are not, the call is done for who they are. `as` leaves nothing behind of what it does for another one.
 */
export async function doneAs<Actor, Known extends Recalled<Actor>, Done>(
  known: Known,
  as: (who: Actor, caller?: { caller: Known }) => Promise<Done>,
  whoIsIt: () => Promise<Actor>,
): Promise<Done> {
  const [done] = await Promise.allSettled([as(known.actor, { caller: known })])
  if (!(await known.isStillThat())) return as(await whoIsIt())
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/** The same of what is refused before anything is done: whoever may not call any more is told that first. */
export async function refusedAs<Read>(
  known: Recalled<unknown>,
  reading: Promise<Read>,
  whoIsIt: () => Promise<unknown>,
): Promise<Read> {
  const [read] = await Promise.allSettled([reading])
  if (read.status === 'fulfilled') return read.value
  if (!(await known.isStillThat())) await whoIsIt()
  throw read.reason
}
