import { z } from 'zod'

/** What an agent may do on a machine without being asked; each includes those before it. Decision 85. */
export const Rights = z.enum(['read', 'edit', 'work', 'all'])
export type Rights = z.infer<typeof Rights>

/** What an agent has where its project says nothing. */
export const defaultRights = 'work' satisfies Rights

/** In words that follow "it may". An agent that is held to something else has words of its own in its row. */
export const rightsInWords: Readonly<Record<Rights, string>> = {
  read: 'look at files and report through svc, and change nothing',
  edit: 'change files in the worktrees of its run and commit them, and run no command but svc protocol, git add and git commit',
  work: 'change files in the worktrees of its run, commit them, and run the commands that the project allows',
  all: 'do without being asked whatever it can do on this machine, as you',
}

/** Whoever is given the one may do what the other allows. */
export function covers(given: Rights, wanted: Rights): boolean {
  return Rights.options.indexOf(given) >= Rights.options.indexOf(wanted)
}

export function lowerRights(one: Rights, other: Rights): Rights {
  return covers(one, other) ? other : one
}
