import { refusalTo } from '../access/offered.ts'
import type { Actor } from '../common/actor.ts'
import { translate } from '../common/database-failures.ts'

type Handler = (context: never, actor: never, ...input: never[]) => Promise<unknown>

/** The same handlers, in which a database that is away is `unavailable` in reads too, and no step is offered in vain. */
export function translateFailures<H extends Record<string, Handler>>(handlers: H): H {
  const translated = Object.entries(handlers).map(([name, handle]) => [
    name,
    (context: never, actor: Actor, ...input: never[]) =>
      // each handler takes the actor, whatever type it narrows it to
      handle(context, actor as never, ...input).catch((error: unknown) => {
        throw refusalTo(actor, translate(error))
      }),
  ])
  // each entry is the handler of that name with the same parameters and answer
  return Object.fromEntries(translated) as H
}
